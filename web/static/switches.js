"use strict";
/* What is switched on this device and kept on it: its sounds, a voice that reads aloud, a
   screen that stays awake. Each is off at first. A button with data-switch turns one, and
   is shown once that one is offered here. Sounds are asked about once on each device: at
   the first tap on the table's screen, and on a phone when its seat has sat down. */

window.switches = (() => {
  const known = new Map();
  const kept = (storage, name) => {
    try { return storage()[name] ?? ""; } catch { return "unknown"; } // Private mode.
  };
  const keep = (storage, name, value) => {
    try { storage()[name] = value; } catch { /* Private mode. */ }
  };
  const here = () => localStorage, visit = () => sessionStorage;

  /* A switch; turned() hears of each turn, which is a tap as well. */
  const add = (name, isOffered, turned) => {
    let isOn = isOffered && kept(here, name) === "on";
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

  const offer = document.getElementById("sound-offer");
  const ask = () => {
    if (!offer?.showModal || offer.open || kept(here, "sound")) return;
    offer.showModal();
  };
  offer?.addEventListener("close", () => {
    known.get("sound").put(offer.returnValue === "on");
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
    if (offer?.dataset.when !== "seat" || kept(visit, "sat") !== "yes") return;
    keep(visit, "sat", "");
    ask();
  });
  for (const kind of ["ready", "shown"]) addEventListener(`companion:${kind}`, show);
  return { add };
})();
