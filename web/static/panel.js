"use strict";
/* Keeps a page up to date: it sends forms, listens for "something changed", asks for the
   page again and morphs the regions into it, so that focus, what is half typed, what is
   chosen and what is open stay as they are. Without this script every page still works,
   but does not refresh itself. */

(() => {
  const body = document.body;
  const streamAddress = body.dataset.stream;
  const POLL_MS = Number(body.dataset.poll) || 3000;
  const STREAM_AGAIN_MS = 15000;
  const ANSWER_MS = 8000;
  const OFFLINE_AFTER_MS = 5000;
  const COUNT_MS = 250;
  const CLICK_MS = 300;
  const TELL_MS = 60;
  const SETTLE_MS = 800;
  const CHANGE_MS = 400;
  const { FIELDS, REGIONS, isChanged, morph, unheard } = window.morphing;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const find = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const tellOthers = (kind, detail) => dispatchEvent(new CustomEvent(`companion:${kind}`, { detail }));
  const revisionOf = (page) => Number(find("#live", page).dataset.revision);

  document.documentElement.classList.add("has-script");

  // Amounts count up or down to their new value instead of jumping.

  const amounts = () => new Map(all(".figure[data-key]").map((x) => [x.dataset.key, Number(x.dataset.amount)]));
  const written = (amount) => (amount < 0 ? "\u2212" : "") + body.dataset.money.replace("0", Math.abs(amount).toLocaleString(document.documentElement.lang));
  let shown = amounts();

  const count = (figure, from, to) => {
    const began = performance.now();
    void figure.offsetWidth; // Lets the glow begin again.
    figure.classList.add("rose");
    const step = (now) => {
      if (Number(figure.dataset.amount) !== to) return; // It has changed again.
      const part = still.matches ? 1 : Math.min(1, (now - began) / COUNT_MS);
      figure.firstChild.nodeValue = written(Math.round(from + (to - from) * part));
      if (part < 1 && figure.isConnected) requestAnimationFrame(step);
    };
    step(began);
  };

  const countAll = () => {
    for (const figure of all(".figure[data-key]")) {
      const [from, to] = [shown.get(figure.dataset.key), Number(figure.dataset.amount)];
      if (from !== undefined && from !== to) count(figure, from, to);
    }
    shown = new Map([...shown, ...amounts()]);
  };

  // What happened is said once, and after it is on the page.

  const newest = () => ({ ...find("#live").dataset, arrived: find(".arrived .what")?.textContent ?? "" });
  let heard = newest();
  const sayNews = () => {
    const now = newest();
    const news = ["arrived", "latest", "balance"].filter((one) => now[one] !== heard[one] && now[one]);
    const words = news.filter((one) => one !== "latest" || news[0] !== "arrived").map((one) => now[one]);
    if (words.length) find("#said").textContent = words.join(" ");
    heard = now;
  };

  /* A page that is kept still while others act is brought up to date by what the player
     does here, and for whoever comes back to it. */
  const putFor = (page, isOwn) => {
    window.morphing.state.isOwn = isOwn;
    put(page);
    window.morphing.state.isOwn = false;
  };

  const put = (page) => {
    if (looksOf(page) !== looksOf(document)) {
      leave();
      return;
    }
    if (revisionOf(page) < revisionOf(document)) return; // A later answer has already been shown.
    const used = document.activeElement; // It stays where it is on the screen.
    const top = used.getBoundingClientRect().top;
    for (const name of REGIONS) if (find(name, page)) morph(find(name), find(name, page));
    const [sheet, fresh] = [find("#sheet"), find("#sheet", page)];
    if (page.title) document.title = page.title;
    told = null;
    if (!fresh) putConfirm(page, null); // What was sent from here needs no sheet any more.
    else if (sheet && filled(sheet) === filled(fresh)) putConfirm(page, filled(fresh));
    check();
    settle();
    countAll();
    sayNews();
    tellOthers("shown");
    if (used.isConnected && used.closest("#live, #act, #more")) scrollBy(0, used.getBoundingClientRect().top - top);
  };

  /* What has just come, or means something else by now, takes no answer for a moment: who
     taps there meant what lay there before. Neither does what a banner lay over. */
  const settling = new Map(); // What is on the page, and until when it takes no answer.
  const settle = (isOwn = window.morphing.state.isOwn) => {
    const cards = all("[data-settles]");
    const names = new Set(cards.map((card) => card.dataset.settles));
    const gone = [...settling.keys()].filter((name) => !names.has(name));
    if (!isOwn && !find(".arrived") && gone.some((name) => name.startsWith("arrived"))) uncover();
    for (const name of gone) settling.delete(name);
    for (const card of cards) {
      const name = card.dataset.settles;
      const readyMs = Number(card.dataset.readyMs); // The table itself takes no answer before that.
      const ms = readyMs || (card.matches(".arrived") ? SETTLE_MS : CHANGE_MS);
      if (!settling.has(name)) {
        settling.set(name, isOwn && ms === CHANGE_MS ? 0 : performance.now() + ms);
        setTimeout(settle, ms);
        if (readyMs && !still.matches) fillUp(find("button", card), ms);
      }
      const isSettling = performance.now() < settling.get(name);
      card.classList.toggle("settling", isSettling);
      for (const button of card.matches("button") ? [card] : all("button", card)) shut(button, isSettling);
    }
  };

  const fillUp = (button, duration) => {
    const frames = [{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }];
    button?.animate(frames, { duration, pseudoElement: "::after" });
  };

  let uncovering = 0;
  const uncover = () => {
    body.classList.add("uncovered");
    clearTimeout(uncovering);
    uncovering = setTimeout(() => body.classList.remove("uncovered"), CHANGE_MS);
  };

  const putMessage = (page) => find("#message").replaceChildren(...(find("#message", page)?.childNodes ?? []));

  const putAway = () => find("#message").replaceChildren();
  document.addEventListener("click", (event) => {
    const message = event.target.closest("#message"), link = event.target.closest("a");
    const isHere = link?.pathname === location.pathname && link.search === location.search;
    // To this very page, with all that is half done on it.
    if (isHere && link.matches("#message a, [data-newer]")) event.preventDefault();
    if (isHere && link.matches("[data-newer]")) {
      isNextOwn = true;
      refresh();
    }
    if (message && (isHere || !event.target.closest("a, button, details"))) putAway();
  });
  document.addEventListener("keydown", ({ key }) => { if (key === "Escape") putAway(); });

  // A page of another kind, or of another game, is opened as a whole: its regions would
  // lack its style and its stream, and revisions of two games cannot be compared.

  const looksOf = (page) => {
    const { kind, place, stream, money } = page.body.dataset;
    const styles = all("link[rel=stylesheet]", page).map((x) => x.getAttribute("href"));
    return [page.documentElement.lang, kind, place, stream, money, ...styles].join(" ");
  };

  /* Leave the page only once: a second navigation would cancel the first. */
  let leaving = false;
  const leave = (address) => {
    if (leaving) return;
    leaving = true;
    current.abort();
    if (address) location.assign(address);
    else location.reload();
  };

  // Asking for pages.

  const ask = async (address, control, more) => {
    const giveUp = setTimeout(() => control.abort(), ANSWER_MS);
    try {
      const headers = { "X-Requested-With": "script", Accept: "text/html" };
      const answer = await fetch(address, { headers, signal: control.signal, ...more });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      lastGood = performance.now();
      return { page, isGood: answer.ok, status: answer.status, address: answer.url, onward: answer.headers.get("Location") };
    } finally {
      clearTimeout(giveUp);
    }
  };

  let asking = false;
  let askAgain = false;
  let isNextOwn = false; // The next page is for an act of this player, or for who comes back.
  let pressing = false;
  let lastGood = performance.now();
  let current = new AbortController();
  const posting = new Set(); // Forms that are under way.

  /* While a finger presses, and until the server has answered a form, no region changes:
     the answer brings the whole page, and regions that came before it would show an
     earlier state than the rest. */
  const isHeld = () => pressing || posting.size > 0 || leaving;

  const refresh = async () => {
    askAgain = asking || isHeld();
    if (askAgain) return;
    asking = true;
    current = new AbortController();
    try {
      const { page, isGood, onward } = await ask(location.pathname + location.search, current);
      if (onward) leave(onward);
      else if (isHeld()) askAgain = true;
      else if (isGood) {
        putFor(page, isNextOwn);
        isNextOwn = false;
      } else putMessage(page);
    } catch {
      // The stream, the poll or waking up will ask again.
    } finally {
      asking = false;
      showOffline();
    }
    goOn();
  };

  const goOn = () => {
    if (askAgain && !isHeld()) refresh();
  };

  // Sending a form. After a refusal its next press is a new command; after any other
  // failure it is the same command again, so that it counts only once.

  const send = async (form, button) => {
    if (posting.has(form)) return;
    posting.add(form);
    form.classList.add("sending");
    current.abort(); // The page asked for before will be out of date: ask again afterwards.
    askAgain ||= asking;
    putAway();
    const fields = new URLSearchParams(new FormData(form));
    const sheetThen = find("#sheet") && filled(find("#sheet"));
    if (button?.name) fields.append(button.name, button.value);
    try {
      const answer = await ask(form.getAttribute("action"), new AbortController(), { method: "POST", body: fields });
      posting.delete(form);
      hear(answer, form, sheetThen);
    } catch {
      posting.delete(form);
      unheard.add(form);
      find("#message").replaceChildren(find("#unheard").content.cloneNode(true));
      askAgain = true;
    }
    form.classList.remove("sending");
    goOn();
  };

  const hear = ({ page, isGood, status, address, onward }, form, sheetThen) => {
    const isHere = new URL(address).pathname === location.pathname && find("#live", page) && looksOf(page) === looksOf(document);
    if (isGood || status === 409) unheard.delete(form);
    else unheard.add(form);
    const stays = form.closest("#banner"); // It is answered on whatever page it lies over.
    if (!stays && (onward || (isGood && !isHere))) leave(onward ?? address);
    if (leaving) return;
    if (find("#message", page)?.textContent.trim()) putMessage(page);
    if (isGood) {
      form.reset();
      if (form.closest("#confirm") && filled(find("#sheet")) === sheetThen) find("#sheet").reset();
    } else if (status === 409) for (const x of all("[name=command_id]")) if (!unheard.has(x.form)) x.value = newId();
    askAgain ||= !isGood || !isHere || isHeld() || revisionOf(page) < revisionOf(document);
    if (isHere && isHeld()) isNextOwn = true; // It comes later, and is this player's act all the same.
    else if (isHere) putFor(page, true);
  };

  const newId = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (x) => x.toString(16).padStart(2, "0")).join("");

  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || !streamAddress) return;
    if (form.method === "post" ? form.enctype.startsWith("multipart") : form.id !== "sheet") return;
    event.preventDefault();
    if (form.id === "sheet") check();
    else if (submitter?.formMethod !== "dialog" && !isShut(submitter ?? find("button", form))) send(form, submitter);
  });

  // What is shown is what will be sent: from each change of a sheet until the server has
  // said what it would do, its buttons are shut; so is a bid that is too low by now.

  let told = null; // The sheet as it was when #confirm was worked out.
  let telling = 0;
  const filled = (sheet) => new URLSearchParams(new FormData(sheet)).toString();
  const isShut = (button) => button?.getAttribute("aria-disabled") === "true";
  const shut = (button, isSo) => (isSo ? button.setAttribute("aria-disabled", "true") : button.removeAttribute("aria-disabled"));

  const putConfirm = (page, words) => {
    if (find("#confirm") && find("#confirm", page)) morph(find("#confirm"), find("#confirm", page));
    told = words;
  };

  const check = () => {
    const [sheet, confirm] = [find("#sheet"), find("#confirm")];
    if (sheet && confirm) {
      const isStale = filled(sheet) !== told;
      confirm.dataset.wait = body.dataset.wait;
      confirm.classList.toggle("stale", isStale);
      for (const button of all("button", confirm)) shut(button, isStale);
      clearTimeout(telling);
      if (isStale) telling = setTimeout(tell, TELL_MS);
    }
    for (const field of all("[data-least]")) {
      const isTooLow = field.value !== "" && plain(field) < Number(field.dataset.least);
      shut(find("button", field.form), isTooLow);
      find(".too-low", field.form.parentElement).hidden = !isTooLow;
    }
  };

  const tell = async () => {
    const sheet = find("#sheet");
    if (!sheet) return;
    if (isHeld()) {
      telling = setTimeout(tell, TELL_MS);
      return;
    }
    const words = filled(sheet);
    try {
      const { page, isGood } = await ask(`${sheet.getAttribute("action")}?${words}`, new AbortController());
      const isNow = !isHeld() && filled(sheet) === words && revisionOf(page) >= revisionOf(document);
      if (isGood && isNow) putConfirm(page, words);
      check();
      countAll();
    } catch {
      telling = setTimeout(tell, POLL_MS);
    }
  };

  /* Whoever goes on with a sheet has done with what was said before: it would lie over
     what is tapped next. */
  const fill = () => {
    putAway();
    check();
  };

  /* One more or one less of what is chosen in a list; without script the table does it. */
  const stepTo = (event, pressed) => {
    event.preventDefault();
    const list = find("select", pressed.parentElement);
    const to = list.selectedIndex + (pressed.name === "up" ? 1 : -1);
    list.selectedIndex = Math.min(Math.max(to, 0), list.options.length - 1);
    fill();
  };

  const plain = (field) => Number(field.value.replace(/[ ,$£€]/g, "")) || 0;
  document.addEventListener("click", (event) => {
    const pressed = event.target.closest("button, a.brass, a.quiet");
    if (pressed) navigator.vibrate?.(10);
    if (pressed?.matches("#sheet .step")) stepTo(event, pressed);
    if (!pressed?.matches("#sheet [name^=add]")) return;
    event.preventDefault();
    const field = pressed.form.elements[pressed.name === "add" ? "amount" : `${pressed.name.slice(4)}-cash`];
    field.value = String(plain(field) + Number(pressed.value));
    fill();
  });
  document.addEventListener("input", ({ target }) => (target.form?.id === "sheet" ? fill() : check()));
  document.addEventListener("reset", () => setTimeout(check));

  /* A tap is a press, a release and a click on the same element, so nothing may change in
     between. A busy phone clicks late; after a long press, no click comes. */
  let lettingGo = 0;
  const letGo = (afterMs) => {
    clearTimeout(lettingGo);
    lettingGo = setTimeout(() => {
      pressing = false;
      goOn();
    }, afterMs);
  };
  document.addEventListener("pointerdown", () => {
    clearTimeout(lettingGo);
    pressing = true;
  });
  document.addEventListener("pointerup", () => letGo(CLICK_MS));
  document.addEventListener("pointercancel", () => letGo(0));
  document.addEventListener("click", () => letGo(0));

  // The live stream: one while the page is visible, none while it is hidden.

  let stream = null;
  let poll = 0;
  let again = 0;
  let lastTold = "";

  const listen = () => {
    hush();
    if (!streamAddress || document.hidden) return;
    let isFirst = true;
    stream = new EventSource(streamAddress);
    stream.addEventListener("open", () => {
      if (!isFirst) refresh();
      isFirst = false;
      showOffline();
    });
    stream.addEventListener("game", (event) => {
      const { revision, told_count: toldCount } = JSON.parse(event.data);
      const isMissed = !lastTold && toldCount !== Number(body.dataset.toldCount); // Before the stream was open.
      if (isMissed || revision !== revisionOf(document) || event.lastEventId === lastTold) refresh();
      lastTold = event.lastEventId;
    });
    stream.addEventListener("vault", (event) => tellOthers("vault", JSON.parse(event.data)));
    stream.addEventListener("error", () => {
      if (stream?.readyState !== EventSource.CLOSED) return; // The browser reconnects by itself.
      hush();
      poll = setInterval(refresh, POLL_MS);
      again = setTimeout(listen, STREAM_AGAIN_MS);
    });
  };

  const hush = () => {
    stream?.close();
    stream = null;
    clearInterval(poll);
    clearTimeout(again);
  };

  const showOffline = () => {
    const isUp = stream?.readyState === EventSource.OPEN;
    if (isUp) lastGood = performance.now();
    find("#offline").hidden = !streamAddress || isUp || performance.now() - lastGood <= OFFLINE_AFTER_MS;
  };

  const wake = () => {
    if (document.hidden) {
      hush();
      return;
    }
    isNextOwn = true;
    connect();
  };

  const connect = () => {
    lastGood = performance.now();
    leaving = false; // The page is shown again, so it was not left.
    current.abort(); // A request from before the sleep may never be answered.
    if (streamAddress) refresh();
    listen();
  };

  addEventListener("companion:vault", ({ detail }) => {
    const words = find("#vault-words");
    if (words && detail.sentence) words.textContent = detail.sentence;
  });
  addEventListener("companion:page", ({ detail }) => put(new DOMParser().parseFromString(detail, "text/html")));
  document.addEventListener("visibilitychange", wake);
  addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
  addEventListener("online", () => { if (!document.hidden) connect(); });
  find("#try-again").addEventListener("click", wake);
  addEventListener("pagehide", hush);
  setInterval(showOffline, 1000);
  const sheet = find("#sheet");
  if (sheet && !all(FIELDS, sheet).some(isChanged)) told = filled(sheet); // Else the browser kept what was typed.
  check();
  settle(true);
  listen();
})();
