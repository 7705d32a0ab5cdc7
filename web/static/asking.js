"use strict";
/* Asks the table, listens to it and waits, as following.js decides; no other script asks
   for what a page shows. On <html> it says whether the page asks (data-asking) and how it
   is in touch with the table (data-touch: fine, late or offline). */

window.asking = (() => {
  const { LATE_MS, SILENCE_MS, begins, patienceMs, step, waitMs } = window.following;
  const QUIET_MS = 5000; // After this long without stream or answer, a page is offline.
  const LEFT_MS = 20000; // A page that is still here by then was not left; the next wait is longer.
  const FEEL_MS = 2000;
  const FEEL_TRIES = 3;
  const FEEL_COUNT = 5; // Browsers keep six connections at most.
  const root = document.documentElement;
  const SMALL = document.querySelector("link[rel=manifest]").href;
  const now = () => performance.now();
  const tellOthers = (kind, detail) => dispatchEvent(new CustomEvent(`companion:${kind}`, { detail }));
  let lastHeard = now();
  let underWay = 0; // Questions and forms that wait for their answers.
  let leaving = 0; // The timer of a page that is being left, or 0.
  let leftCount = 0;

  /* Whether it is worth asking again; a page in place of another always is. */
  const isPassing = ({ status }) => status >= 500 || status === 408 || status === 429 || Boolean(document.body.dataset.failed);

  /* Ask once. The outcome is "answered", "refused", "error", "late" or "cut"; read() throws if
     the answer is not whole. With isAside, the page does not show that it waits. */
  const once = async (address, read, { losses = 0, control = new AbortController(), isAside = false, ...more } = {}) => {
    let outcome = "cut";
    const giveUp = setTimeout(() => {
      outcome = "late";
      control.abort();
    }, patienceMs(losses));
    underWay += isAside ? 0 : 1;
    mark();
    try {
      const answer = await fetch(address, { ...more, signal: control.signal });
      const found = read(await answer.text(), answer);
      lastHeard = now();
      return { outcome: answer.ok ? "answered" : isPassing(answer) ? "error" : "refused", found, answer };
    } catch {
      return { outcome };
    } finally {
      clearTimeout(giveUp);
      underWay -= isAside ? 0 : 1;
      mark();
    }
  };

  /* Runs one of the two tables: keeps its state, the losses in a row, and when it last began
     to ask or to listen. */
  const run = (kind, effects) => {
    const one = { state: begins(kind), losses: 0, beganAt: 0 };
    let timer = 0;
    const wait = () => {
      timer = setTimeout(() => one.hear("due"), Math.max(0, one.beganAt + waitMs(one.losses) - now()));
    };
    const does = { ...effects, feel, wait };
    one.hear = (stimulus, told) => {
      const [next, names] = step(kind, one.state, stimulus);
      if (next !== one.state) clearTimeout(timer);
      one.state = next;
      one.heard?.(stimulus);
      for (const name of names) does[name](told);
      mark();
    };
    return one;
  };

  /* A browser does not notice that connections have died, and would try them one after the
     other. So try all at once: the first that answers is alive. Then all waiting questions
     are asked anew. */
  let isFeeling = false;
  const feel = async () => {
    if (isFeeling) return;
    isFeeling = true;
    for (let tries = 0, isAlive = false; tries < FEEL_TRIES && !isAlive && !document.hidden; tries++) {
      const control = new AbortController();
      const rest = new Promise((done) => setTimeout(done, FEEL_MS));
      const all = Array.from({ length: FEEL_COUNT }, () => fetch(SMALL, { method: "HEAD", cache: "no-store", signal: control.signal }));
      const first = Promise.any(all).then(() => true, () => rest.then(() => false));
      isAlive = await Promise.race([first, rest.then(() => false)]);
      control.abort(); // With the question, its connection ends.
    }
    isFeeling = false;
    toAll("open again");
  };

  // Questions: each is asked until the page shows what the table told of it.

  const questions = [];
  const toAll = (stimulus) => questions.forEach((one) => one.hear(stimulus));

  /* A question: where it is asked, if there is anything to ask, and with what; how its
     answer is read and shown, and what is said of one that went wrong; isHeld() tells
     whether nothing may be shown just now. */
  const follow = ({ address, more, read, show, say, isHeld }) => {
    const drop = () => {
      question.asked?.abort();
      question.asked = null;
    };
    const ask = async () => {
      const where = address();
      if (!where) return question.hear("brought");
      const control = new AbortController();
      question.asked = control;
      question.beganAt = now();
      const told = await once(where, read, { ...more, losses: question.losses, control });
      if (question.asked !== control) return; // It was given up meanwhile.
      question.asked = null;
      if (told.outcome !== "answered") question.losses += 1;
      question.hear(told.outcome, { ...told, address: where });
    };
    const put = (told) => {
      try {
        show(told);
        question.losses = 0;
      } catch (fault) { // The answer could not be put on the page.
        setTimeout(() => { throw fault; });
        question.losses += 1;
        drop();
        question.hear("cut");
      }
    };
    const hold = () => isHeld?.() && question.hear("sent");
    const question = run("question", { ask, drop, show: put, say: (told) => say?.(told), hold });
    question.isOwing = false;
    question.heard = (stimulus) => {
      const wasOwing = question.isOwing;
      question.isOwing = !/^(shown|hidden)/.test(question.state);
      if (!wasOwing || stimulus === "answered") question.owingSince = now();
    };
    questions.push(question);
    return question;
  };

  // The live stream: one while the page is visible, none while it is hidden.

  let address = "";
  let source = null;
  let silence = 0;

  const heard = (kind, data) => {
    lastHeard = now();
    clearTimeout(silence);
    silence = setTimeout(() => stream.hear("silence"), SILENCE_MS);
    if (now() - stream.beganAt > SILENCE_MS) stream.losses = 0; // A stream that ends at once counts as lost.
    stream.hear("opened");
    if (kind !== "here") tellOthers(kind, kind === "vault" ? JSON.parse(data) : data);
  };

  const close = () => {
    source?.close();
    clearTimeout(silence);
  };

  const open = () => {
    close();
    source = new EventSource(address);
    for (const kind of ["game", "phones", "vault", "here"]) source.addEventListener(kind, ({ data }) => heard(kind, data));
    source.addEventListener("error", () => {
      stream.losses += 1;
      stream.hear("broken");
    });
    stream.beganAt = now();
    silence = setTimeout(() => stream.hear("silence"), SILENCE_MS);
  };

  const stream = run("stream", { open, close, trust: () => toAll("open again"), look: () => toAll("poll") });
  const isUnheard = () => ["opening", "lost"].includes(stream.state);

  const listen = (where, pollMs) => {
    address = where;
    setInterval(() => isUnheard() && toAll("poll"), pollMs);
    if (!document.hidden) stream.hear("woke");
  };

  // How the page says what it waits for.

  const mark = () => {
    const isAsking = underWay > 0 || leaving !== 0 || stream.state === "opening";
    root.toggleAttribute("data-asking", isAsking || questions.some((one) => one.isOwing));
    const isOffline = !document.hidden && stream.state !== "live" && now() - lastHeard > QUIET_MS;
    const isLate = questions.some((one) => one.isOwing && now() - one.owingSince > LATE_MS);
    const touch = isOffline ? "offline" : isLate ? "late" : "fine";
    if (!address || root.dataset.touch === touch) return; // A page without a stream shows nothing of it.
    root.dataset.touch = touch;
    const words = document.getElementById("offline");
    words.hidden = touch === "fine";
    for (const one of words.querySelectorAll("[data-when]")) one.hidden = one.dataset.when !== touch;
  };

  // Sleep and waking, leaving and staying after all.

  const wake = () => {
    clearTimeout(leaving);
    leaving = 0;
    for (const one of [...questions, stream]) one.hear("hidden");
    if (document.hidden) return;
    toAll("woke");
    if (address) stream.hear("woke");
  };

  /* Go to another page; only once, as a second navigation would cancel the first. */
  const leave = (where) => {
    if (leaving) return;
    leftCount += 1;
    leaving = setTimeout(wake, LEFT_MS * leftCount);
    for (const one of [...questions, stream]) one.hear("hidden");
    if (where) location.assign(where);
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
  addEventListener("pagehide", () => stream.hear("hidden"));
  addEventListener("online", () => { if (!document.hidden) wake(); });
  document.getElementById("try-again").addEventListener("click", () => {
    tellOthers("back");
    wake();
  });
  setInterval(mark, 1000);

  return { follow, leave, listen, once, isLeaving: () => leaving !== 0, isLive: () => stream.state === "live" };
})();
