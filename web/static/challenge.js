"use strict";
/* On a challenge's page: shows what the table's camera sees, says how to see it better,
   and goes on to the verdict as soon as one is sure. Without it a button looks once.
   On the table's screen, which stays, the verdict comes by itself. */

(() => {
  const REST_MS = 200;
  const STAY_MS = 1000; // The page of the phone that looks goes first.
  const AGAIN_MS = 1000; // After somebody else's look, or a fault.
  const STAY_AGAIN_MS = 4000;
  const STAY_MAX_MS = 180000; // The camera's light goes off if nobody says what it was.
  const place = () => document.querySelector("#glance");
  let latest = null;
  let isLeaving = false;
  let isLooking = false;
  let stayed = { at: null, sinceMs: 0 };

  /* Nobody gave a verdict for long. A phone's page is never tired: somebody holds it. */
  const isTired = (here) => {
    const at = here.dataset.stays ?? null;
    if (at !== stayed.at) stayed = { at, sinceMs: performance.now() };
    return at !== null && performance.now() - stayed.sinceMs > STAY_MAX_MS;
  };

  /* Each new page brings the place as it was at first. */
  const show = () => {
    const here = place();
    if (!here || !latest?.picture) return;
    here.hidden = false;
    const shown = here.querySelector("img") ?? here.insertBefore(new Image(), here.firstChild);
    shown.alt = "";
    shown.src = latest.picture;
    const words = here.querySelector(".c-hold");
    const said = latest.words || words.dataset.hold;
    if (words.dataset.said !== said) words.textContent = words.dataset.said = said;
  };

  /* A photo is under way, or the screen shows what was found. */
  const isBusy = () => document.hidden || document.querySelector(".d-busy, .d-screen");

  const look = async () => {
    const here = place();
    isLooking = !isLeaving && here !== null && !isTired(here);
    if (!isLooking) {
      latest = null;
      if (here) here.hidden = true;
      return;
    }
    const stays = "stays" in here.dataset;
    const again = stays ? STAY_AGAIN_MS : AGAIN_MS;
    let wait = stays ? STAY_MS : REST_MS;
    if (!isBusy()) {
      const headers = { Accept: "application/json" };
      const { outcome, found } = await window.asking.once(here.dataset.glance, JSON.parse, { method: "POST", headers, isAside: true });
      if (outcome === "answered") latest = found;
      else wait = again;
      if (outcome === "answered" && latest.onward && !stays && !isBusy()) {
        isLeaving = true;
        isLooking = false;
        location.replace(latest.onward);
        return;
      }
      show();
    }
    setTimeout(look, wait);
  };

  addEventListener("companion:shown", () => {
    show();
    if (!isLooking) look();
  });
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    isLeaving = false;
    if (!isLooking) look(); // A loop that was waiting goes on by itself.
  });
  look();
})();
