"use strict";
/* Keeps the screen awake while the page shows a game that goes on, where the browser can:
   that takes HTTPS or the table's own machine. Not with a low battery, nor while nobody
   looks. Where the browser cannot, the page of the phone's own looks says what helps. */

(() => {
  const LOW = 0.2;
  const live = document.getElementById("live");
  let held = null;
  let battery = null;
  let isBusy = false;

  const isLow = () => battery !== null && !battery.charging && battery.level <= LOW;
  const isWanted = () => live.dataset.awake === "yes" && !document.hidden && !isLow();

  const settle = async () => {
    if (isBusy || isWanted() === (held !== null)) return;
    isBusy = true;
    try {
      if (held === null) {
        held = await navigator.wakeLock.request("screen");
        held.addEventListener("release", () => {
          held = null;
        });
      } else {
        await held.release();
        held = null;
      }
    } catch {
      isBusy = false; // The phone refuses, say to save its battery: asked again with the next news.
      return;
    }
    isBusy = false;
    settle(); // It may have changed meanwhile.
  };

  if (!navigator.wakeLock) {
    const words = document.getElementById("stays-dark");
    if (words) words.hidden = false;
    return;
  }
  document.addEventListener("visibilitychange", settle);
  addEventListener("companion:shown", settle);
  navigator.getBattery?.().then((found) => {
    battery = found;
    for (const change of ["levelchange", "chargingchange"]) found.addEventListener(change, settle);
    settle();
  });
  settle();
})();
