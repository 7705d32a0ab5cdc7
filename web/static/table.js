"use strict";
/* What the table's screen does besides showing the table: rows that change places are seen
   to move, and new entries are heard and read aloud if somebody wants that. Without this
   file the screen shows the same. */

(() => {
  const root = document.documentElement;
  const sound = window.tableSound;
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
  const MOVE_MS = 500;
  const CALM_MS = 40; // After which a row is in its new place at once.
  const all = (selector) => [...document.querySelectorAll(selector)];

  // The switches. What they say is set anew whenever the page has changed.

  const VOICE = "voice";
  const hasVoice = "speechSynthesis" in window && "SpeechSynthesisUtterance" in window;
  root.classList.toggle("has-voice", hasVoice);
  let speaks = false;
  try { speaks = hasVoice && localStorage.getItem(VOICE) === "on"; } catch { /* Private mode. */ }

  const isOn = (name) => (name === VOICE ? speaks : sound.isOn);
  const showSwitches = () => {
    for (const one of all("[data-switch]")) {
      const pressed = String(isOn(one.dataset.switch));
      if (one.ariaPressed !== pressed) one.ariaPressed = pressed;
    }
  };

  const turnVoice = (value) => {
    speaks = value;
    try { localStorage.setItem(VOICE, value ? "on" : "off"); } catch { /* Private mode. */ }
    if (!value) speechSynthesis.cancel();
  };

  document.addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-switch]");
    if (!pressed) return;
    const { switch: name } = pressed.dataset;
    if (name === VOICE) {
      turnVoice(!speaks);
      if (speaks) say(document.querySelector(".awaited")?.textContent ?? "");
    } else {
      sound.wake();
      sound.isOn = !sound.isOn;
      sound.play("coins");
    }
    showSwitches();
  });

  // Reading aloud, in the language of the page.

  const voiceFor = (language) => {
    const known = speechSynthesis.getVoices().filter((one) => one.lang.replace("_", "-").toLowerCase().startsWith(language));
    return known.find((one) => one.localService) ?? known[0];
  };

  const say = (words) => {
    const text = words.replace(/[\u2066-\u2069]/g, "").trim(); // Marks around names.
    if (!speaks || !text) return;
    const said = new SpeechSynthesisUtterance(text);
    said.lang = document.body.dataset.language;
    said.voice = voiceFor(said.lang) ?? null;
    speechSynthesis.speak(said);
  };

  // New entries, the oldest first.

  const entries = () => all("[data-revision][id^=line-]").map((x) => [Number(x.dataset.revision), x]);
  let latest = Math.max(0, ...entries().map(([revision]) => revision));

  const hear = () => {
    const fresh = entries().filter(([revision]) => revision > latest).sort(([a], [b]) => a - b);
    for (const [revision, line] of fresh) {
      latest = revision;
      (line.dataset.sounds ?? "").split(" ").forEach((name) => sound.play(name));
      say(line.dataset.spoken ?? "");
    }
  };

  // Rows that change places move there.

  const MOVING = ".purses > li, .board > li, .bidders > li, .ticker li";
  const tops = () => new Map(all(MOVING).map((row) => [row.id, [row.offsetLeft, row.offsetTop]]));
  let before = tops();

  const move = () => {
    const after = tops();
    for (const [id, [x, y]] of after) {
      const [fromX, fromY] = before.get(id) ?? [x, y];
      if (fromX === x && fromY === y) continue;
      document.getElementById(id).animate(
        [{ transform: `translate(${fromX - x}px, ${fromY - y}px)` }, { transform: "none" }],
        isCalm.matches
          ? { duration: CALM_MS, easing: "steps(1, end)" }
          : { duration: MOVE_MS, easing: "cubic-bezier(0.3, 0, 0.2, 1)" },
      );
    }
    before = after;
  };

  const look = () => {
    showSwitches();
    hear();
    move();
  };

  addEventListener("companion:shown", look);
  addEventListener("resize", () => { before = tops(); });
  if (sound.isOn) sound.wake(); // Some browsers remember that somebody tapped here before.
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, sound.wake);
  showSwitches();
})();
