"use strict";
/* Sends photos as soon as they are chosen, and says on the page what it waits for.
   Without this script the form has a button for sending. */

(() => {
  const say = (form, words) => {
    const place = form.querySelector(".d-doing");
    if (!place) return;
    place.textContent = words;
    place.hidden = !words;
  };

  const rest = (form, isResting) => {
    form.classList.toggle("d-busy", isResting);
    form.setAttribute("aria-busy", String(isResting));
  };

  const filled = (words, number, count) => words.replace("{number}", number).replace("{count}", count);

  /* The message about one photo of several, as the page shows messages. */
  const card = (form, number, count, words) => {
    const made = document.createElement("div");
    made.className = "card note";
    const said = made.appendChild(document.createElement("p"));
    said.appendChild(document.createElement("b")).textContent = `${filled(form.dataset.which, number, count)}: `;
    said.append(words);
    return made;
  };

  /* Sends one photo after the other, since together they would be too large. The last
     answer is the page as it is then; what went wrong is gathered from all of them. */
  const sendEach = async (form, files) => {
    const wrong = [];
    let page = "";
    rest(form, true);
    for (const [index, file] of files.entries()) {
      const number = index + 1;
      const report = (words) => wrong.push(card(form, number, files.length, words));
      say(form, filled(form.dataset.each, number, files.length));
      if (file.size > Number(form.dataset.bytesMax)) {
        report(form.dataset.tooLarge);
        continue;
      }
      const body = new FormData();
      body.append("kind", form.elements.kind.value);
      body.append("photo", file);
      try {
        const answer = await fetch(form.action, { method: "POST", body });
        page = await answer.text();
        if (!answer.ok) {
          const told = new DOMParser().parseFromString(page, "text/html");
          report(told.querySelector("#message")?.textContent.trim() || form.dataset.lost);
        }
      } catch {
        report(form.dataset.lost);
      }
    }
    rest(form, false);
    say(form, "");
    form.reset();
    if (page) dispatchEvent(new CustomEvent("companion:page", { detail: page }));
    document.querySelector("#message").replaceChildren(...wrong);
  };

  document.addEventListener("change", (event) => {
    const field = event.target;
    if (field.type !== "file" || !field.files.length || !field.form.dataset.looking) return;
    const form = field.form;
    if (field.files.length > 1) {
      sendEach(form, [...field.files]);
      return;
    }
    if (field.files[0].size > Number(form.dataset.bytesMax)) {
      say(form, form.dataset.tooLarge);
      field.value = "";
      return;
    }
    for (const other of form.querySelectorAll("input[type=file]")) {
      if (other !== field) other.value = "";
    }
    form.querySelector("button").click(); // Safari before 16 has no requestSubmit().
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.dataset.looking) return;
    if (form.classList.contains("d-busy")) {
      event.preventDefault();
      return;
    }
    rest(form, true);
    const looking = event.submitter?.dataset.looking; // The table's own camera.
    say(form, looking ?? form.dataset.sending);
    if (!looking) setTimeout(() => say(form, form.dataset.looking), 2500);
  });

  /* When people go back from the answer, the browser may show this page as it was. */
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll(".d-busy")) {
      rest(form, false);
      say(form, "");
      form.reset();
    }
  });
})();
