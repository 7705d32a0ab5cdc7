"use strict";
/* Asks the table, listens to it and waits, as following.js decides; no other script asks
   for what a page shows. On <html> it says whether the page asks (data-asking) and how it
   is in touch with the table (data-touch: fine, late or offline). */

window.asking = (() => {
  const { LATE_MS, SILENCE_MS, begins, patienceMs, step, waitMs } = window.following;
  const QUIET_MS = 5000; // Without a stream and without an answer, a page is offline after that.
  const LEFT_MS = 20000; // A page that is still here then was not left.
  const root = document.documentElement;
  const now = () => performance.now();
  const tellOthers = (kind, detail) => dispatchEvent(new CustomEvent(`companion:${kind}`, { detail }));
  let lastHeard = now();
  let underWay = 0; // Questions and forms that wait for their answers.

  /* Ask once. The outcome is "answered", "error", "late" or "cut"; what is found counts
     only if it is whole, and read() throws where it is not. */
  const once = async (address, read, { losses = 0, control = new AbortController(), ...more } = {}) => {
    let outcome = "cut";
    underWay += 1;
    mark();
    const giveUp = setTimeout(() => {
      outcome = "late";
      control.abort();
    }, patienceMs(losses));
    try {
      const answer = await fetch(address, { ...more, signal: control.signal });
      const found = read(await answer.text(), answer);
      lastHeard = now();
      return { outcome: answer.ok ? "answered" : "error", found, answer };
    } catch {
      return { outcome };
    } finally {
      clearTimeout(giveUp);
      underWay -= 1;
      mark();
    }
  };

  // Questions: each is asked until what was told of it is shown.

  const questions = [];
  const toAll = (stimulus) => questions.forEach((one) => one.hear(stimulus));

  /* A question: where it is asked, if there is anything to ask, and with what; how its
     answer is read and shown, and what is said of one that went wrong; isHeld() tells
     whether nothing may be shown just now. */
  const follow = ({ address, more, read, show, say, isHeld }) => {
    let state = begins("question");
    let losses = 0;
    let asked = null;
    let askedAt = 0;
    let owingSince = 0;
    let timer = 0;
    const isOwing = () => !/^(shown|hidden)/.test(state);

    const effects = {
      ask: async () => {
        const where = address();
        if (!where) {
          hear("brought");
          return;
        }
        const control = new AbortController();
        asked = control;
        askedAt = now();
        const told = await once(where, read, { ...more, losses, control });
        if (asked !== control) return; // It was given up meanwhile.
        asked = null;
        losses = told.outcome === "answered" ? 0 : losses + 1;
        hear(told.outcome, { ...told, address: where });
      },
      drop: () => {
        asked?.abort();
        asked = null;
      },
      show: (told) => {
        try {
          show(told);
        } catch (fault) { // What could not be put on the page is not shown.
          setTimeout(() => { throw fault; });
          losses += 1;
          effects.drop();
          hear("cut");
        }
      },
      say: (told) => say?.(told),
      wait: () => {
        timer = setTimeout(() => hear("due"), Math.max(0, askedAt + waitMs(losses) - now()));
      },
    };

    const hear = (stimulus, told) => {
      const wasOwing = isOwing();
      const [next, does] = step("question", state, stimulus);
      if (next !== state) clearTimeout(timer);
      state = next;
      if (isOwing() && !wasOwing) owingSince = now();
      if (stimulus === "woke" && isHeld?.()) hear("sent");
      for (const effect of does) effects[effect](told);
      mark();
    };

    const question = {
      hear,
      get isOwing() { return isOwing(); },
      get isLate() { return isOwing() && now() - owingSince > LATE_MS; },
      get isAsked() { return asked !== null; },
    };
    questions.push(question);
    return question;
  };

  // The live stream: one while the page is visible, none while it is hidden.

  const stream = { address: "", state: begins("stream"), source: null, losses: 0, timer: 0, silence: 0 };

  const feel = (stimulus) => {
    const [next, does] = step("stream", stream.state, stimulus);
    stream.state = next;
    for (const effect of does) streamEffects[effect]();
    mark();
  };

  const hush = () => {
    stream.source?.close();
    stream.source = null;
    clearTimeout(stream.timer);
    clearTimeout(stream.silence);
  };

  const hearken = () => {
    clearTimeout(stream.silence);
    stream.silence = setTimeout(() => feel("silence"), SILENCE_MS);
  };

  const heard = (kind, { data }) => {
    lastHeard = now();
    stream.losses = 0;
    hearken();
    feel("opened");
    if (kind === "vault") tellOthers(kind, JSON.parse(data));
    else if (kind !== "here") tellOthers(kind, data);
  };

  const streamEffects = {
    open: () => {
      hush();
      const source = new EventSource(stream.address);
      stream.source = source;
      for (const kind of ["game", "phones", "vault", "here"]) source.addEventListener(kind, (event) => heard(kind, event));
      source.addEventListener("error", () => {
        stream.losses += 1;
        feel("broken");
      });
      hearken();
    },
    close: hush,
    trust: () => toAll("open again"),
    look: () => toAll("poll"),
    wait: () => {
      stream.timer = setTimeout(() => feel("due"), waitMs(stream.losses));
    },
  };

  const isUnheard = () => ["opening", "lost"].includes(stream.state);

  const listen = (address, pollMs) => {
    stream.address = address;
    setInterval(() => isUnheard() && toAll("poll"), pollMs);
    if (!document.hidden) feel("woke");
  };

  // What the page says of itself.

  let leaving = 0; // The timer of a page that is being left, or 0.
  const mark = () => {
    const isAsking = underWay > 0 || leaving !== 0 || stream.state === "opening";
    root.toggleAttribute("data-asking", isAsking || questions.some((one) => one.isOwing));
    const isOffline = !document.hidden && stream.state !== "live" && now() - lastHeard > QUIET_MS;
    const touch = isOffline ? "offline" : questions.some((one) => one.isLate) ? "late" : "fine";
    if (!stream.address || root.dataset.touch === touch) return; // Without a stream it promises nothing.
    root.dataset.touch = touch;
    const words = document.getElementById("offline");
    words.hidden = touch === "fine";
    for (const one of words.querySelectorAll("[data-when]")) one.hidden = one.dataset.when !== touch;
  };

  // Sleep and waking, leaving and staying after all.

  const wake = () => {
    clearTimeout(leaving);
    leaving = 0;
    toAll("hidden");
    if (document.hidden) {
      feel("hidden");
      return;
    }
    toAll("woke");
    if (stream.address) feel("woke");
  };

  /* Go to another page; only once, as a second navigation would cancel the first. */
  const leave = (address) => {
    if (leaving) return;
    leaving = setTimeout(wake, LEFT_MS);
    toAll("hidden");
    feel("hidden");
    if (address) location.assign(address);
    else location.reload();
  };

  const comeBack = () => {
    if (!document.hidden) {
      lastHeard = now(); // A network needs a moment after a sleep.
      tellOthers("back");
    }
    wake();
  };

  document.addEventListener("visibilitychange", comeBack);
  addEventListener("pageshow", (event) => { if (event.persisted) comeBack(); });
  addEventListener("pagehide", () => feel("hidden"));
  addEventListener("online", () => { if (!document.hidden) wake(); });
  document.getElementById("try-again").addEventListener("click", () => {
    tellOthers("back");
    wake();
  });
  setInterval(mark, 1000);

  return {
    follow,
    leave,
    listen,
    once,
    get isLeaving() { return leaving !== 0; },
    get isLive() { return stream.state === "live"; },
  };
})();
