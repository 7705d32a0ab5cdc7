"use strict";
/* Keeps the screen awake while the page shows a game that goes on, except with a low battery
   or while the page is hidden. Browsers can do that only over HTTPS or on the table's own
   machine; elsewhere a silent film in a corner does it. Since that may stop a phone's music,
   a phone does so only if switched to (among its looks), the table's screen always. */

(() => {
  const LOW = 0.2;
  const live = document.getElementById("live");
  const hasLock = Boolean(navigator.wakeLock);
  const { film: FILM } = document.currentScript.dataset;
  let held = null;
  let battery = null;
  let isBusy = false;
  const choice = window.switches.add("awake", !hasLock, () => settle());

  const isLow = () => battery !== null && !battery.charging && battery.level <= LOW;
  const mayPlay = () => choice.isOn() || live.dataset.awake === "always";
  const isWanted = () =>
    Boolean(live.dataset.awake) && !document.hidden && !isLow() && (hasLock || mayPlay());

  const playFilm = async () => {
    const film = document.createElement("video");
    film.className = "film";
    film.src = FILM;
    film.playsInline = true;
    film.ariaHidden = "true";
    film.addEventListener("ended", () => film.play()); // With "loop" an iPhone falls asleep.
    film.release = async () => film.remove();
    document.body.append(film);
    try {
      await film.play();
    } catch (refused) { // Nobody has tapped on this page yet.
      film.remove();
      throw refused;
    }
    film.addEventListener("pause", () => { // A call came in, or somebody stopped it.
      if (film.ended || !film.isConnected) return;
      film.remove();
      film.dispatchEvent(new Event("release"));
    });
    return film;
  };

  const settle = async () => {
    if (isBusy || isWanted() === (held !== null)) return;
    isBusy = true;
    try {
      if (held === null) {
        held = await (hasLock ? navigator.wakeLock.request("screen") : playFilm());
        held.addEventListener("release", () => {
          held = null;
        });
      } else {
        await held.release();
        held = null;
      }
    } catch {
      isBusy = false; // Refused, say to save the battery: asked again with the next news or tap.
      return;
    }
    isBusy = false;
    settle(); // It may have changed meanwhile.
  };

  document.addEventListener("visibilitychange", settle);
  addEventListener("companion:shown", settle);
  if (!hasLock) document.addEventListener("click", settle);
  navigator.getBattery?.().then((found) => {
    battery = found;
    for (const change of ["levelchange", "chargingchange"]) found.addEventListener(change, settle);
    settle();
  });
  settle();
})();
