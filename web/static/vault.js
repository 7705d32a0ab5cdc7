// Moving the simulated vault by hand. The drawn wheel follows the finger at once; detents
// are posted in order, and the page says and counts only what the lock has decoded.
// Without this file the page's forms do the same.
"use strict";

addEventListener("companion:ready", () => {
  const root = document.getElementById("vault");
  const dial = document.getElementById("v-wheel");
  const sentence = document.getElementById("v-sentence");
  const sound = window.tableSound;
  const { follow, leave, listen, once } = window.asking;
  const { isSameStart } = window.following;
  const STEPS_MAX = 60; // Most detents in one post.
  const PACE_MS = 220; // Between posts of turns: the server limits posts per second.
  const SETTLE_MS = 500; // From a post until the drawn wheel is corrected to the lock's.
  const WORDS_MS = 3500; // How long the words of an outcome are shown.
  const POLL_MS = 1000; // How often to ask for the state without a stream.

  let view = JSON.parse(root.dataset.vault);
  let isWon = false; // The right number was found, and the lid has not been shut since.

  // Showing what the lock says.

  const NEWS = { // Sound, light, how long it lasts in ms, and words to show for a moment.
    wrong: ["wrong", "red", 900, (v) => v.wrong_number && root.dataset.wrong.replace("{number}", v.wrong_number)], // A game tells it itself, if at all.
    right: ["right", "green", 2500],
    rise: ["rise", "green", 1500, () => isWon && root.dataset.open],
    shut: ["shut", "green", 150],
    locked: ["locked", "green", 500],
    jammed: ["jammed", "red", 900],
    alarm: ["alarm", "red", 1200],
    accepted: ["accepted", "green", 120],
    wrong_time: ["wrong_time", "red", 180],
  };
  const timers = {};

  function later(name, ms, act) {
    clearTimeout(timers[name]);
    timers[name] = setTimeout(act, ms);
  }

  function tell(name) {
    const [voice, light, ms, words] = NEWS[name] ?? [];
    if (!voice) return;
    sound.play(voice);
    delete root.dataset.light;
    void root.offsetWidth; // Restarts the animation if the same light comes twice.
    root.dataset.light = light;
    root.dataset.news = name;
    later("light", ms, () => { delete root.dataset.light; delete root.dataset.news; });
    if (words) {
      sentence.textContent = words(view) || view.sentence;
      later("words", WORDS_MS, () => { sentence.textContent = view.sentence; });
    }
  }

  function newsOf(before, after) {
    const is = (...states) => states.includes(after.state);
    if (before.is_writable && !after.is_writable) return "alarm";
    if (is("locked") && after.tries_count > before.tries_count) return "wrong";
    if (after.state === before.state) return "";
    if (is("forced", "fault")) return "alarm";
    if (before.state === "locked" && is("releasing", "open")) return "right";
    if (is("open")) return before.state === "forced" ? "accepted" : "rise";
    if (is("shut") && before.state === "open") return "shut";
    return is("locked", "jammed") ? after.state : "";
  }

  const tellPage = (kind, detail) => dispatchEvent(new CustomEvent(kind, { detail }));

  function show(after) {
    const before = view;
    view = after;
    const news = newsOf(before, after);
    if (news === "right") isWon = true;
    if (after.state === "shut" || after.state === "locked") isWon = false;
    root.toggleAttribute("data-won", isWon);
    Object.assign(root.dataset, { state: after.state, lid: after.lid, number: after.number, yellow: after.yellow_count });
    document.getElementById("v-number").textContent = after.number;
    const dots = root.querySelector(".v-dots");
    dots.ariaLabel = dots.dataset.words.replace("{times}", after.yellow_count);
    const tries = document.getElementById("v-tries");
    tries.hidden = !after.tries_count;
    tries.querySelector("b").textContent = after.tries_count;
    if (after.has_hands) {
      dial.setAttribute("aria-valuenow", after.number);
    }
    if (after.sentence !== before.sentence) {
      clearTimeout(timers.words);
      sentence.textContent = after.sentence;
    }
    tell(news);
    if (news === "locked" && before.state === "shut") { // Show the third dot too: once locked, the lock counts none.
      root.dataset.yellow = 3;
      later("dots", 700, () => { root.dataset.yellow = view.yellow_count; });
    }
    reconcile();
  }

  // The wheel: drawn where the finger holds it, then corrected to where the lock has it.

  let restsAt = 0; // By then the lock has surely sensed the last turn.
  const wheel = window.vaultWheel(dial, view.number, (steps) => {
    sound.play("tick");
    order("turn", { steps });
  });

  function reconcile() {
    if (wheel.isBusy || isSending || orders.length || performance.now() < restsAt) return;
    if (wheel.stand(view.number)) sound.play("tick");
  }

  // Sending what hands do, one post after another.

  const orders = [];
  let isSending = false;
  let turnedAt = -PACE_MS;
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));

  function order(path, fields) {
    const last = orders[orders.length - 1];
    const steps = path === "turn" && last?.path === "turn" ? last.fields.steps + fields.steps : NaN;
    if (Math.abs(steps) <= STEPS_MAX) last.fields.steps = steps;
    else orders.push({ path, fields });
    send();
  }

  async function send() {
    if (isSending) return;
    isSending = true;
    while (orders.length) {
      const resting = turnedAt + PACE_MS - performance.now();
      if (orders[0].path === "turn" && orders.length === 1 && resting > 0) await wait(resting);
      const next = orders.shift();
      if (next.path === "turn") turnedAt = performance.now();
      if (next.fields.steps !== 0) await post(next);
    }
    isSending = false;
    restsAt = performance.now() + SETTLE_MS;
    later("settle", SETTLE_MS + 20, reconcile);
    if (!window.asking.isLive()) later("look", 120, () => state.hear("told"));
  }

  let losses = 0; // Posts in a row that were not answered.
  async function post(next) {
    const { found, answer } = await once(root.dataset.vaultState.replace(/state$/, next.path), JSON.parse, {
      ...more, losses, method: "POST", body: new URLSearchParams(next.fields),
    });
    losses = found ? 0 : losses + 1;
    if (!found) {
      orders.length = 0;
      complain(root.dataset.unheard);
    } else if (answer.status === 429) { // Too fast: send it again later.
      orders.unshift(next);
      await wait(1000 * (Number(answer.headers.get("Retry-After")) || 1));
    } else {
      complain(answer.ok ? "" : [found.error, found.remedy].filter(Boolean).join("; "));
      if (found.answer) tell(found.answer);
    }
  }

  const note = document.createElement("p");
  note.className = "card note";
  let complaint = "";
  function complain(words) {
    if (note.isConnected && words === complaint) return; // It is said already.
    note.textContent = complaint = words;
    document.getElementById("message").replaceChildren(...(words ? [note] : []));
  }

  root.addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.target));
    if (event.submitter?.name) fields[event.submitter.name] = event.submitter.value;
    const path = new URL(event.target.action).pathname.split("/").pop();
    if (path === "turn") return wheel.nudge(Number(fields.steps));
    wheel.rest(); // A wheel that still spins stops at a detent before the press.
    if (fields.line === "m_button") tellPage("companion:pressed");
    order(path, fields);
  });

  // News from the table: the stream brings the vault itself, newer than an answer.

  const more = { headers: { Accept: "application/json" } };
  const state = follow({
    address: () => root.dataset.vaultState,
    more,
    read: JSON.parse,
    show: ({ found }) => { if (!state.asked) tellPage("companion:vault", found); },
  });
  addEventListener("companion:game", ({ detail: told }) => {
    if (isSameStart(told, document.body.dataset.told)) state.hear("told"); // The sentence about the vault depends on the game.
    else leave(); // The program was started anew, and may be another.
  });
  addEventListener("companion:vault", ({ detail }) => {
    if (state.asked) state.hear("told");
    show(detail);
  });
  if (view.has_hands) {
    wheel.hand();
    dial.setAttribute("aria-valuenow", view.number);
  }
  listen(root.dataset.vaultState.replace(/vault\/state$/, "stream"), POLL_MS);
});
