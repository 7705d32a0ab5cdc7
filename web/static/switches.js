"use strict";
/* What is switched on this device and kept on it: its sounds, a voice that reads aloud, a
   screen that stays awake, whether it buzzes. Each is off at first, but the last. A button
   with data-switch turns one, and is shown once that one is offered here. */

window.switches = (() => {
  const known = new Map();

  /* A switch; turned() hears of each turn, which is a tap as well. */
  const add = (name, isOffered, turned, atFirst = "off") => {
    let isOn = isOffered && atFirst === "on";
    try { isOn = isOffered && (localStorage.getItem(name) ?? atFirst) === "on"; } catch { /* Private mode. */ }
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

  /* A browser lets nobody buzz whom no finger has touched, and complains of it. A new buzz
     ends the one before, so a short one waits for no long one and is left out. */
  const FELT_MS = 60;
  let endsMs = 0;
  const buzzes = add("buzz", Boolean(navigator.vibrate), (isOn) => isOn && buzz(FELT_MS), "on");
  const buzz = (pattern) => {
    const ends = performance.now() + [pattern].flat().reduce((sum, ms) => sum + ms);
    if (!buzzes.isOn() || ends < endsMs || navigator.userActivation?.hasBeenActive === false) return;
    endsMs = ends;
    navigator.vibrate(pattern);
  };
  return { add, buzz };
})();
