"use strict";
/* On a challenge's page: shows what the table's camera sees, says how to see it better,
   and goes on to the verdict as soon as one is sure. Without it a button looks once.
   On the table's screen, which stays, the verdict comes by itself. */

(() => {
  const REST_MS = 200;
  const STAY_MS = 1000; // The phone's own page goes first.
  const AGAIN_MS = 2000; // After somebody else's look, or a fault.
  const place = () => document.querySelector("#glance");
  let latest = null;
  let isLeaving = false;
  let isLooking = false;

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
    if (words.textContent !== said) words.textContent = said;
  };

  /* A photo is under way, or the screen shows what was found. */
  const isBusy = () => document.hidden || document.querySelector(".d-busy, .d-screen");

  const look = async () => {
    isLooking = !isLeaving && place() !== null;
    if (!isLooking) {
      latest = null;
      return;
    }
    const stays = place().hasAttribute("data-stays");
    let wait = stays ? STAY_MS : REST_MS;
    try {
      if (!isBusy()) {
        const answer = await fetch(place().dataset.glance, { method: "POST", headers: { Accept: "application/json" } });
        if (answer.ok) latest = await answer.json();
        else wait = AGAIN_MS;
        if (answer.ok && latest.onward && !stays && !isBusy()) {
          isLeaving = true;
          location.replace(latest.onward);
          return;
        }
        show();
      }
    } catch {
      wait = AGAIN_MS;
    }
    setTimeout(look, wait);
  };

  addEventListener("companion:shown", () => {
    show();
    if (!isLooking) look();
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) {
      isLeaving = false;
      look();
    }
  });
  look();
})();
