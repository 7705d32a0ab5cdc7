"use strict";
/* What the table's screen does besides showing the table: rows that change places are seen
   to move, new entries are heard and read aloud if somebody wants that, and what lies over
   the news is written smaller until all of it is seen. Without this file the screen shows
   the same, but not all of a large trade. */

(() => {
  const root = document.documentElement;
  const sound = window.tableSound;
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
  const MOVE_MS = 500;
  const CALM_MS = 40; // Without motion: then a row is at its new place.
  const all = (selector) => [...document.querySelectorAll(selector)];

  const hasVoice = "speechSynthesis" in window && "SpeechSynthesisUtterance" in window;
  root.classList.toggle("has-voice", hasVoice);
  const voice = window.switches.add("voice", hasVoice, (isOn) => {
    if (isOn) say(document.querySelector(".awaited")?.textContent ?? "");
    else speechSynthesis.cancel();
  });

  // Reading aloud, in the language of the page.

  const voiceFor = (language) => {
    const known = speechSynthesis.getVoices().filter((one) => one.lang.replace("_", "-").toLowerCase().startsWith(language));
    return known.find((one) => one.localService) ?? known[0];
  };

  const say = (words) => {
    const text = words.replace(/[\u2066-\u2069]/g, "").trim(); // Marks around names.
    if (!voice.isOn() || !text) return;
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

  // What lies over the news, when it comes and when its room changes.

  const LEAST_PX = 8;
  const fit = (card) => {
    card.style.fontSize = "";
    let size = parseFloat(getComputedStyle(card).fontSize);
    const isCut = () => card.scrollHeight > card.clientHeight || card.scrollWidth > card.clientWidth;
    while (isCut() && size > LEAST_PX) {
      size -= 0.5;
      card.style.fontSize = `${size}px`;
    }
  };
  const room = new ResizeObserver((changes) => changes.forEach(({ target }) => fit(target)));
  const fitAll = () => {
    for (const card of all(".over-news")) {
      fit(card);
      room.observe(card);
    }
  };

  const look = () => {
    fitAll();
    hear();
    move();
  };

  addEventListener("companion:shown", look);
  addEventListener("resize", () => { before = tops(); });
  document.fonts.addEventListener("loadingdone", fitAll);
  fitAll();
})();
