"use strict";
/* What is switched on this device and kept on it: its sounds, a voice that reads aloud, a
   screen that stays awake. Each is off at first. A button with data-switch turns one, and
   is shown once that one is offered here. */

window.switches = (() => {
  const known = new Map();

  /* A switch; turned() hears of each turn, which is a tap as well. */
  const add = (name, isOffered, turned) => {
    let isOn = false;
    try { isOn = isOffered && localStorage.getItem(name) === "on"; } catch { /* Private mode. */ }
    const turn = () => {
      isOn = !isOn;
      try { localStorage.setItem(name, isOn ? "on" : "off"); } catch { /* Private mode. */ }
      turned(isOn);
    };
    known.set(name, { isOffered, turn, isOn: () => isOn });
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

  document.addEventListener("click", ({ target }) => {
    const pressed = target.closest("[data-switch]");
    if (pressed) known.get(pressed.dataset.switch).turn();
    if (pressed) show();
  });
  for (const kind of ["ready", "shown"]) addEventListener(`companion:${kind}`, show);
  return { add };
})();
