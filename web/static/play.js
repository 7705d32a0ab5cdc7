"use strict";
/* Dice that tumble when they fell anew, a word when it is one's turn, the seconds since
   a landing whose rent can be asked, a search through a deck, and what a card still has
   to say. Without it the page does the same, only more quietly. */

(() => {
  const find = (selector) => document.querySelector(selector);
  const plain = (text) => text.toLowerCase().normalize("NFKD");
  const TUMBLE_MS = 700;
  const hidesFields = CSS.supports("selector(:has(*))");
  let tumbling = 0;
  let dice = find(".thrown")?.dataset.dice ?? "";
  let revision = find("#live").dataset.revision;
  let wasMine = find(".now")?.dataset.mine === "yes";

  /* The table's clock says how old a landing is; from there on this page counts by
     itself. Whoever wants little motion sees the number change every ten seconds. */
  const SECOND_MS = 1000;
  const CALM_STEP_S = 10;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const begun = new WeakMap();

  const count = () => {
    for (const line of document.querySelectorAll(".since")) {
      const { since, now, words } = line.dataset;
      const isNew = begun.get(line)?.now !== now;
      if (isNew) begun.set(line, { now, at: performance.now() });
      const passed = now - since + performance.now() - begun.get(line).at;
      const seconds = Math.max(0, Math.floor(passed / SECOND_MS));
      if (!isNew && calm.matches && seconds % CALM_STEP_S) continue;
      const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      /* The same node with other letters: who looks for changes of the page sees none. */
      line.firstChild.data = words.replace("{time}", time);
    }
  };

  /* On the body: the page may be put in anew while they tumble. */
  const tumble = () => {
    document.body.classList.add("tumble");
    clearTimeout(tumbling);
    tumbling = setTimeout(() => document.body.classList.remove("tumble"), TUMBLE_MS);
    navigator.vibrate?.(15);
  };

  const look = () => {
    const thrown = find(".thrown");
    const latest = find("#live").dataset.revision;
    if (thrown && latest !== revision && thrown.dataset.dice !== dice) {
      tumble();
    }
    dice = thrown?.dataset.dice ?? "";
    revision = latest;
    const now = find(".now");
    const isMine = now?.dataset.mine === "yes";
    if (isMine && !wasMine) {
      find("#said").textContent = now.querySelector("h2").textContent;
      navigator.vibrate?.(60);
    }
    if (isMine !== wasMine && now?.dataset.title) document.title = now.dataset.title;
    wasMine = isMine;
    showSearch();
    count();
  };

  const showSearch = () => {
    const field = find(".search");
    if (field) field.hidden = false;
  };

  document.addEventListener("input", (event) => {
    if (!event.target.matches(".search")) return;
    const wanted = plain(event.target.value.trim());
    for (const row of document.querySelectorAll(".cards li")) {
      row.hidden = !plain(row.textContent).includes(wanted);
    }
  });

  /* What a card says: only the fields that are seen have to be filled in. */
  const askFor = (form) => {
    const prices = form.querySelectorAll(".of-prices input");
    const alone = prices.length === 1 ? prices : []; // Of several, one is enough.
    const numbers = form.querySelectorAll(".of-amount input, .of-steps input");
    for (const field of [...numbers, ...alone]) {
      field.required = hidesFields && field.offsetParent !== null;
    }
  };

  document.addEventListener("change", (event) => {
    const form = event.target.closest(".another");
    if (form) askFor(form);
  });

  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  setInterval(count, SECOND_MS);
  showSearch();
  count();
})();
