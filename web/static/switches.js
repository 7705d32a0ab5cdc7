"use strict";
/* What is switched on this device and kept on it: its sounds, a voice that reads aloud, a
   screen that stays awake, whether it buzzes. Each is off at first, but the last. A button
   with data-switch turns one, and is shown once that one is offered here. Sounds are asked
   about until each device has answered: at the first tap on the table's screen, and on a
   phone once its seat has sat down. */

window.switches = (() => {
  const known = new Map();
  const kept = (storage, name) => {
    try { return storage()[name] ?? ""; } catch { return null; } // Private mode.
  };
  const keep = (storage, name, value) => {
    try { storage()[name] = value; } catch { /* Private mode. */ }
  };
  const here = () => localStorage, visit = () => sessionStorage;

  /* A switch; turned() hears of each turn, which is a tap as well. */
  const add = (name, isOffered, turned, atFirst = "off") => {
    let isOn = isOffered && (kept(here, name) || atFirst) === "on";
    const put = (to) => {
      isOn = to;
      keep(here, name, isOn ? "on" : "off");
      turned(isOn);
    };
    known.set(name, { isOffered, put, isOn: () => isOn });
    return known.get(name);
  };

  const show = () => {
    for (const button of document.querySelectorAll("[data-switch]")) {
      const one = known.get(button.dataset.switch);
      if (one?.isOffered) button.closest("[hidden]")?.removeAttribute("hidden");
      const pressed = String(Boolean(one?.isOn()));
      if (button.getAttribute("aria-pressed") !== pressed) button.setAttribute("aria-pressed", pressed);
    }
  };

  // Kept on pages without sounds as well: whoever is asked is answered everywhere.
  const sound = add("sound", true, () => window.tableSound?.welcome());

  const offer = document.getElementById("sound-offer");
  const ask = () => {
    if (!offer?.showModal || offer.open || kept(here, "sound") !== "") return;
    if (offer.dataset.when === "tap") offer.showModal();
    else offer.open = true; // In its place on the page: what is played goes on beside it.
  };
  offer?.addEventListener("close", () => {
    sound.put(offer.returnValue === "on");
    show();
  });

  document.addEventListener("click", ({ target }) => {
    const pressed = target.closest("[data-switch]");
    if (pressed) {
      const one = known.get(pressed.dataset.switch);
      one.put(!one.isOn());
      show();
    } else if (offer?.contains(target)) {
      const answer = target.closest("button");
      if (answer) offer.close(answer.value);
    } else if (offer?.dataset.when === "tap" && !target.closest("a, button, summary")) ask();
  });
  document.addEventListener("submit", ({ target }) => {
    if (/\/(join|take|resume)$/.test(target.getAttribute("action"))) keep(visit, "sat", "yes");
  });
  addEventListener("companion:ready", () => {
    if (offer?.dataset.when === "seat" && kept(visit, "sat") === "yes") ask();
  });
  for (const kind of ["ready", "shown"]) addEventListener(`companion:${kind}`, show);

  /* Browsers refuse to buzz, with a warning, before the first tap. A new buzz ends the one
     before, so a short one is left out during a long one. */
  const FELT_MS = 60;
  let endsMs = 0;
  const buzzes = add("buzz", Boolean(navigator.vibrate), (isOn) => isOn && buzz(FELT_MS), "on");
  const buzz = (pattern) => {
    const ends = performance.now() + [pattern].flat().reduce((sum, ms) => sum + ms);
    if (!buzzes.isOn() || ends < endsMs || navigator.userActivation?.hasBeenActive === false) return;
    endsMs = ends;
    navigator.vibrate(pattern);
  };
  return { add, buzz, sound };
})();
