// Plays the vault scenes (a guess, a wrong number, what is taken out) for everybody who
// watches: asks for the words of the scene when something has happened, and animates what
// changed. It shows only what the server has already recorded. A page that joins later
// shows the scene as it is and replays nothing; without this file nothing is animated.
"use strict";

addEventListener("companion:ready", () => {
  const stage = document.querySelector("[data-vault-scene]");
  if (!stage) return;
  const sound = window.tableSound;
  const hasVault = stage.id === "vault"; // On that page vault.js plays the lock's own sounds.
  const WRONG_MS = 4000; // How long a wrong guess stays on stage.
  const HELD_MS = 4000; // The held breath ends with the answer, or after this time without one.
  const FRESH_MS = 2500; // How long the entrance of a scene lasts.
  const COUNT_MS = 1400;
  const NOTES = 8; // How many notes fly to whoever opened the vault.
  const SOUNDS = { due: "due", riches: "treasure" };
  const LOCK_SOUNDS = { wrong: "wrong", opening: "right", riches: "rise", forced: "alarm", jammed: "jammed", fault: "alarm" };
  const words = () => document.getElementById("vault-scene");
  const timers = {};

  function later(name, ms, act) {
    clearTimeout(timers[name]);
    timers[name] = setTimeout(act, ms);
  }

  // Changing the scene on stage.

  function play(scene) {
    clearTimeout(timers.held);
    clearTimeout(timers.wrong);
    delete stage.dataset.fresh;
    void stage.offsetWidth; // Restarts the animation if the same scene comes twice.
    stage.dataset.scene = scene;
    stage.dataset.fresh = "";
    later("fresh", FRESH_MS, () => { delete stage.dataset.fresh; });
    sound.play(SOUNDS[scene]);
    if (!hasVault) sound.play(LOCK_SOUNDS[scene]);
    if (scene === "wrong") later("wrong", WRONG_MS, rest);
    if (scene === "riches") pour();
  }

  function rest() { // After a passing scene: show the present one without an entrance.
    const { now } = words().dataset;
    stage.dataset.scene = now === "wrong" ? "idle" : now;
  }

  function holdBreath() {
    if (stage.dataset.scene !== "due") return;
    stage.dataset.scene = "held";
    sound.play("held");
    later("held", HELD_MS, rest);
  }

  function take(text) {
    const old = words();
    const news = new DOMParser().parseFromString(text, "text/html").getElementById("vault-scene");
    old.replaceWith(document.adoptNode(news));
    const { now, miss } = news.dataset;
    if (miss && miss !== old.dataset.miss) play("wrong");
    else if (now !== old.dataset.now && !(stage.dataset.scene === "wrong" && now === "idle")) play(now);
  }

  // The vault contents: the sum counts up, and notes fly to the seat that takes them.

  function pour() {
    const [figure, target] = [words().querySelector("[data-amount]"), words().querySelector(".disc")];
    if (!figure || !target) return;
    dispatchEvent(new CustomEvent("companion:poured", { detail: [figure, COUNT_MS] }));
    const inside = stage.querySelector(".v-inside");
    for (let at = 0; at < NOTES; at++) {
      window.celebrate.toss("note", inside, target, { across: 0.3 + 0.05 * at, down: 0.7, delay: 350 + 120 * at });
    }
  }

  // Listening to the server.

  let taken = ""; // The words of the scene as last received.
  const scene = window.asking.follow({
    address: () => stage.dataset.vaultScene,
    more: { headers: { Accept: "text/html", "X-Requested-With": "script" } },
    read: (text) => {
      if (!text.trimEnd().endsWith("</section>")) throw new Error("cut off, or not from the table");
      return text;
    },
    show: ({ found }) => {
      if (found !== taken) take(found);
      taken = found;
    },
  });
  const look = () => scene.hear("told");

  let felt = null; // The vault as last received.

  function feel(view) {
    const { state, tries_count: tries, sentence, number, yellow_count: yellow } = view;
    const before = felt ?? view;
    felt = view;
    if (!hasVault) {
      Object.assign(stage.dataset, { state, lid: view.lid, number, yellow });
      if (number !== before.number && stage.dataset.scene === "due") sound.play("tick");
    }
    if (before === view || state !== before.state || tries !== before.tries_count || sentence !== before.sentence) look();
  }

  addEventListener("companion:vault", (event) => feel(event.detail));
  if (hasVault) addEventListener("companion:game", look); // On the table's screen, once its page is shown.
  addEventListener("companion:pressed", holdBreath);
  addEventListener("companion:shown", look);
  if (stage.dataset.scene === "wrong") later("wrong", WRONG_MS, rest);
});
