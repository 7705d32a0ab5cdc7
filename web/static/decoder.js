"use strict";
/* Sends a photo as soon as it is chosen, and says on the page what it waits for.
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

  document.addEventListener("change", (event) => {
    const field = event.target;
    if (field.type !== "file" || !field.files.length) return;
    const form = field.form;
    if (field.files[0].size > Number(form.dataset.bytesMax)) {
      say(form, form.dataset.tooLarge);
      field.value = "";
      return;
    }
    for (const other of form.querySelectorAll("input[type=file]")) {
      if (other !== field) other.value = "";
    }
    form.requestSubmit();
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
