"use strict";
/* Keeps a page up to date: it sends forms, has asking.js ask for the page again when
   something has changed, and morphs the regions into it, so that focus, what is half
   typed, what is chosen and what is open stay as they are. Without this script every page
   still works, but does not refresh itself. */

addEventListener("companion:ready", () => {
  const body = document.body;
  const { stream: streamAddress, language } = body.dataset;
  // The answer to a form has an address that only takes forms; use that of the page before.
  if (!body.dataset.again && document.referrer) history.replaceState(null, "", document.referrer);
  const COUNT_MS = 250;
  const CLICK_MS = 300;
  const PRESS_MS = 10000; // A press that lasts longer was let go unnoticed.
  const TELL_MS = 60;
  const SETTLE_MS = 800;
  const CHANGE_MS = 400;
  const DONE_MS = 8000;
  const SAID_MS = 8000;
  const LETTER_MS = 60; // For each letter of a refusal, so that slow readers have time.
  const BUZZ_MS = [80, 60, 80, 60, 160];
  const { FIELDS, REGIONS, isChanged, keepFocus, morph, unheard, whatIs } = window.morphing;
  const { follow, leave, listen, once } = window.asking;
  const { isNews, isOlder } = window.following;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const find = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const tellOthers = (kind, detail) => dispatchEvent(new CustomEvent(`companion:${kind}`, { detail }));
  const isOutdated = (page) => isOlder(page.body.dataset.told, body.dataset.told);

  // Amounts count up or down to their new value instead of jumping.

  const amounts = () => new Map(all(".figure[data-key]").map((x) => [x.dataset.key, Number(x.dataset.amount)]));
  const written = (amount) => (amount < 0 ? "\u2212" : "") + body.dataset.money.replace("0", Math.abs(amount).toLocaleString(language));
  let shown = amounts();

  const count = (figure, from, to, lastsMs = COUNT_MS) => {
    const began = performance.now();
    void figure.offsetWidth; // Lets the glow begin again.
    figure.classList.add("rose");
    const step = (now) => {
      if (Number(figure.dataset.amount) !== to) return; // It has changed again.
      const part = still.matches ? 1 : Math.min(1, (now - began) / lastsMs);
      figure.textContent = written(Math.round(from + (to - from) * part));
      if (part < 1 && figure.isConnected) requestAnimationFrame(step);
    };
    step(began);
  };

  addEventListener("companion:poured", ({ detail: [figure, ms] }) => count(figure, 0, Number(figure.dataset.amount), ms));

  const countAll = () => {
    for (const figure of all(".figure[data-key]")) {
      const [from, to] = [shown.get(figure.dataset.key), Number(figure.dataset.amount)];
      if (from !== undefined && from !== to) count(figure, from, to);
    }
    shown = new Map([...shown, ...amounts()]);
  };

  // What happened is said once, and after it is on the page.

  const wordsOf = (selector) => find(selector)?.textContent ?? "";
  const newest = () => ({ ...find("#live").dataset, reply: wordsOf(".asked .what"), arrived: wordsOf(".arrived .what") });
  let heard = newest();
  const sayNews = () => {
    const now = newest();
    const news = ["arrived", "reply", "latest", "balance"].filter((one) => now[one] !== heard[one] && now[one]);
    const words = news.filter((one) => one !== "latest" || news[0] === "latest").map((one) => now[one]);
    if (words.length) find("#said").textContent = words.join(" ");
    heard = now;
  };

  /* A page that is kept still while others act is brought up to date with isOwn: when the
     player does something here, or comes back. */
  const put = (page, isOwn) => {
    if (looksOf(page) !== looksOf(document)) {
      leave();
      return;
    }
    if (isOutdated(page)) return; // A later answer has already been shown.
    body.dataset.told = page.body.dataset.told;
    const used = document.activeElement; // It stays where it is on the screen.
    const top = used.getBoundingClientRect().top;
    const lay = isOwn ? [] : lying();
    keepFocus(() => {
      for (const name of REGIONS) if (find(name, page)) morph(find(name), find(name, page), isOwn);
      const [sheet, fresh] = [find("#sheet"), find("#sheet", page)];
      worked = null;
      if (!fresh) putConfirm(page, null); // The sheet was sent.
      else if (sheet && filled(sheet) === filled(fresh)) putConfirm(page, filled(fresh));
    });
    if (page.title) document.title = page.title;
    check();
    settle(isOwn);
    showDone(isOwn);
    countAll();
    sayNews();
    tellOthers("shown");
    if (used.isConnected && used.closest("#live, #act, #more")) scrollBy(0, used.getBoundingClientRect().top - top);
    if (!isOwn) giveWay(lay);
  };

  /* A finger that is about to come down means what lay there: where others have put
     something else, that takes no tap for a moment. */
  const lying = () => all("a[href], button").flatMap((x) => {
    const box = x.getBoundingClientRect();
    if (!box.width || box.bottom < 0 || box.top > innerHeight) return [];
    const what = [x.form ? whatIs(x.form) : "", whatIs(x)].join(" ");
    return [{ x, box, what, middle: [box.left + box.width / 2, box.top + box.height / 2] }];
  });
  const isIn = ([x, y], { left, right, top, bottom }) => x > left && x < right && y > top && y < bottom;
  const giveWay = (lay) => {
    for (const { x, box, what } of lying()) {
      const before = lay.filter((one) => one.what === what);
      const isNew = ({ middle }) => isIn(middle, box) && !before.some((one) => isIn(middle, one.box));
      if (!lay.some(isNew)) continue;
      x.classList.add("settling");
      setTimeout(() => x.classList.remove("settling"), CHANGE_MS);
    }
  };

  /* What has just come, or means something else by now, takes no answer for a moment: a tap
     there was meant for what lay there before. Neither does what a banner lay over. */
  const settling = new Map(); // By card on the page: until when it takes no answer.
  const settle = (isOwn, isFirst = false) => {
    const cards = all("[data-settles]");
    const names = new Set(cards.map((card) => card.dataset.settles));
    const gone = [...settling.keys()].filter((name) => !names.has(name));
    if (!isOwn && !find(".arrived") && gone.some((name) => name.startsWith("arrived"))) uncover();
    for (const name of gone) settling.delete(name);
    for (const card of cards) {
      const name = card.dataset.settles;
      const readyMs = Number(card.dataset.readyMs); // The table itself takes no answer before that.
      const ms = readyMs || (card.matches(".arrived, .asked, #just-done") ? SETTLE_MS : CHANGE_MS);
      if (!settling.has(name)) {
        settling.set(name, isOwn && ms === CHANGE_MS ? 0 : performance.now() + ms);
        setTimeout(() => settle(false), ms);
        if (!isFirst && "buzz" in card.dataset) switches.buzz(BUZZ_MS);
        if (readyMs && !still.matches) fillUp(find("button", card), ms);
      }
      const isSettling = performance.now() < settling.get(name);
      card.classList.toggle("settling", isSettling);
      for (const button of card.matches("button") ? [card] : all("button", card)) shut(button, isSettling);
    }
  };

  /* What was just done lies over the page for a while, with its undo. Each page that comes
     has it hidden. */
  let done = find("#just-done")?.dataset.done ?? "";
  let isDoneShown = false, fading = 0;
  const showDone = (isOwn) => {
    const card = find("#just-done");
    if (card && card.dataset.done !== done) {
      done = card.dataset.done;
      isDoneShown = isOwn || !("own" in card.dataset);
      clearTimeout(fading);
      fading = setTimeout(() => {
        isDoneShown = false;
        showDone(false);
      }, DONE_MS);
    }
    if (card) card.hidden = !isDoneShown;
  };
  document.addEventListener("click", ({ target }) => {
    if (target.closest("#just-done button")) return;
    isDoneShown = false; // Whoever taps elsewhere goes on.
    showDone(false);
  });

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

  /* What was refused goes by itself, once there was time to read it, or at the next tap
     elsewhere; a question, and what somebody reads on in, stays. */
  let saying = 0;
  const isAsked = () => find("#message form");
  const sayFor = () => {
    const message = find("#message");
    clearTimeout(saying);
    saying = setTimeout(() => {
      if (isAsked()) return;
      if (message.matches(":hover, :focus-within") || find("details[open]", message)) sayFor();
      else putAway();
    }, SAID_MS + LETTER_MS * message.textContent.trim().length);
  };
  document.addEventListener("click", (event) => {
    const message = event.target.closest("#message"), link = event.target.closest("a");
    const isHere = link?.pathname === location.pathname && link.search === location.search;
    // A link to this very page would drop what is half filled in.
    if (isHere && link.matches("#message a, [data-newer]")) event.preventDefault();
    if (isHere && link.matches("[data-newer]")) {
      isNextOwn = true;
      turn.hear("told");
    }
    if (message ? isHere || !event.target.closest("a, button, details") : !isAsked()) putAway();
  });
  document.addEventListener("keydown", ({ key }) => { if (key === "Escape") putAway(); });

  // One drawer opens, another one above it closes: keep what was tapped in sight.
  document.addEventListener("toggle", ({ target }) => {
    if (target.open && target.name) target.scrollIntoView({ block: "nearest" });
  }, true);

  // A page of another kind, or of another game, is opened as a whole: its regions would
  // lack its style and its stream, and revisions of two games cannot be compared.

  const looksOf = (page) => {
    const { language, kind, place, stream, money } = page.body.dataset;
    const files = all("link[href*='/static/'], script[src*='/static/']", page).map((x) => x.media + (x.getAttribute("href") ?? x.getAttribute("src")));
    return [language, kind, place, stream, money, ...files].join(" ");
  };

  // Asking for pages.

  const more = { headers: { "X-Requested-With": "script", Accept: "text/html" } };

  /* Reads a page or a message, which must be whole; or the address of another page. */
  const read = (text, { headers }) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    const onward = headers.get("Location");
    if (!onward && !find("#whole", page)) throw new Error("cut off, or not from the table");
    return { page, onward };
  };

  let isNextOwn = false; // The next page answers an act of this player, or a return to the page.
  let isPressing = false;
  const posting = new Set(); // Forms that are under way.

  /* While a finger presses, and until the server has answered a form, no region changes:
     the answer brings the whole page, and regions that came before it would show an
     earlier state than the rest. */
  const isHeld = () => isPressing || posting.size > 0;
  const hold = (stimulus) => [turn, effect].forEach((one) => one.hear(stimulus));
  const letGo = () => { if (!isHeld()) hold("free"); };

  let isComplaining = false; // The message is settled by the next good page.
  const turn = follow({
    address: () => (streamAddress || body.dataset.failed) && location.pathname + location.search,
    more,
    read,
    isHeld,
    show: ({ found: { page, onward } }) => {
      if (onward) {
        leave(onward);
        return;
      }
      if (isComplaining) putAway();
      isComplaining = false;
      put(page, isNextOwn);
      isNextOwn = false;
    },
    say: ({ found: { page } }) => {
      if (body.dataset.failed || find("#message").textContent.trim()) return; // Something is said already.
      putMessage(page);
      isComplaining = true;
    },
  });

  // Sending a form. After a refusal its next press is a new command; after any other
  // failure it is the same command again, so that it counts only once.

  let losses = 0; // Forms in a row that were not answered.
  const send = async (form, button) => {
    if (posting.has(form)) return;
    posting.add(form);
    form.classList.add("sending");
    hold("sent"); // A page asked for before will be out of date.
    putAway();
    isComplaining = false;
    const fields = new URLSearchParams(new FormData(form));
    const sheetThen = find("#sheet") && filled(find("#sheet"));
    if (button?.name) fields.append(button.name, button.value);
    const answer = await once(form.getAttribute("action"), read, { ...more, losses, method: "POST", body: fields });
    posting.delete(form);
    losses = answer.found ? 0 : losses + 1;
    try {
      if (answer.found) hear(answer, form, sheetThen);
      else {
        unheard.add(form);
        find("#message").replaceChildren(find("#unheard").content.cloneNode(true));
        turn.hear("told");
      }
    } finally { // Whatever could not be shown, the page goes on.
      form.classList.remove("sending");
      letGo();
    }
  };

  const hear = ({ found: { page, onward }, answer }, form, sheetThen) => {
    const { ok: isGood, status } = answer;
    const isHere = new URL(answer.url).pathname === location.pathname && find("#live", page) && looksOf(page) === looksOf(document);
    if (isGood || status === 409) unheard.delete(form);
    else unheard.add(form);
    // What arrives is answered on any page, and that page stays, unless the button leads on.
    const stays = form.closest("#banner, .asked") && !("leads" in form.dataset);
    if (!stays && (onward || (isGood && !isHere))) leave(onward ?? answer.url);
    if (window.asking.isLeaving()) return;
    if (find("#message", page)?.textContent.trim()) {
      putMessage(page);
      sayFor();
    }
    isComplaining = false;
    if (isGood) {
      form.reset();
      if (form.closest("#confirm") && filled(find("#sheet")) === sheetThen) find("#sheet").reset();
      // Its address would bring back the finished sheet, empty.
      if (isHere && form.closest("#confirm") && !find("#sheet", page)) history.replaceState(null, "", answer.url);
    } else if (status === 409) for (const x of all("[name=command_id]")) if (!unheard.has(x.form)) x.value = newId();
    const isNewest = isGood && isHere && !isHeld() && !isOutdated(page) && !isNews(toldLast, page.body.dataset.told);
    if (isHere && isHeld()) isNextOwn = true; // The page comes later, but answers this player's act.
    else if (isHere) put(page, true);
    find("[aria-invalid]")?.focus();
    turn.hear(isNewest ? "brought" : "told");
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

  // What is shown is what will be sent: after each change of a sheet its buttons are off until
  // the server has said what it would do. So is the button of a bid that is too low by now.

  let worked = null; // The sheet as it was when #confirm was worked out.
  let telling = 0;
  const filled = (sheet) => new URLSearchParams(new FormData(sheet)).toString();
  const isShut = (button) => button?.getAttribute("aria-disabled") === "true";
  const shut = (button, isSo) => (isSo ? button.setAttribute("aria-disabled", "true") : button.removeAttribute("aria-disabled"));

  const putConfirm = (page, words) => {
    if (find("#confirm") && find("#confirm", page)) morph(find("#confirm"), find("#confirm", page), false);
    worked = words;
  };

  const check = () => {
    const [sheet, confirm] = [find("#sheet"), find("#confirm")];
    if (sheet && confirm) {
      const isStale = filled(sheet) !== worked;
      confirm.dataset.wait = body.dataset.wait;
      confirm.classList.toggle("stale", isStale);
      for (const button of all("button", confirm)) shut(button, isStale);
      clearTimeout(telling);
      if (isStale) telling = setTimeout(() => effect.hear("told"), TELL_MS);
    }
    for (const field of all("[data-least]")) {
      const isBid = field.value === "" || amountIn(field) > 0; // Else it is no amount, or a sign of money alone.
      const isTooLow = isBid && field.value !== "" && amountIn(field) < Number(field.dataset.least);
      shut(find("button", field.form), isTooLow || !isBid);
      find(".too-low", field.form.parentElement).hidden = !isTooLow;
      find(".no-amount", field.form.parentElement).hidden = isBid;
    }
  };

  const addressOf = (sheet) => `${sheet.getAttribute("action")}?${filled(sheet)}`;
  const effect = follow({
    address: () => {
      const sheet = find("#sheet");
      return sheet && filled(sheet) !== worked && addressOf(sheet);
    },
    more,
    read,
    isHeld,
    show: ({ found: { page, onward }, address }) => {
      const sheet = find("#sheet");
      if (onward || !find("#confirm", page)) { // The page is another by now.
        turn.hear("told");
        return;
      }
      if (sheet && addressOf(sheet) === address && !isOutdated(page)) keepFocus(() => putConfirm(page, filled(sheet)));
      check();
      countAll();
    },
  });

  /* A sheet that is filled in puts the message away, which would lie over the next tap. */
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

  /* What was typed as an amount, by the form that the table reads it by (words/money.py);
     NaN if it is none. The ten digits of a script are neighbours. */
  const AMOUNT = new RegExp(`^(?:${body.dataset.amount})$`, "u");
  const isDigit = (code) => /\p{Nd}/u.test(String.fromCodePoint(code));
  const digit = (letter, value = 0) => (isDigit(letter.codePointAt(0) - value - 1) ? digit(letter, value + 1) : value % 10);
  const amountIn = (field) => {
    const text = field.value.replace(/\p{Cf}/gu, "").replace(/\p{Zs}/gu, " ").replace(/\p{Nd}/gu, (x) => digit(x));
    const found = AMOUNT.exec(text);
    const amount = found ? Number((found[1] ?? "0").replace(/\D/g, "")) : NaN;
    return amount <= body.dataset.most ? amount : NaN;
  };
  document.addEventListener("click", (event) => {
    const pressed = event.target.closest("button, a.brass, a.quiet");
    if (pressed) switches.buzz(10);
    if (pressed?.matches("#sheet .step")) stepTo(event, pressed);
    if (!pressed?.matches("#sheet [name^=add]")) return;
    event.preventDefault();
    const field = pressed.form.elements[pressed.name === "add" ? "amount" : `${pressed.name.slice(4)}-cash`];
    const sum = amountIn(field) + Number(pressed.value);
    if (sum) field.value = String(sum); // What is no amount stays, and the table says so.
    fill();
  });
  document.addEventListener("input", ({ target }) => (target.form?.id === "sheet" ? fill() : check()));
  document.addEventListener("reset", () => setTimeout(check));

  /* A tap is a press, a release and a click on the same element, so nothing may change in
     between. A busy phone clicks late; after a long press, no click comes. */
  let releasing = 0;
  const release = (afterMs) => {
    clearTimeout(releasing);
    releasing = setTimeout(() => {
      isPressing = false;
      letGo();
    }, afterMs);
  };
  document.addEventListener("pointerdown", () => {
    isPressing = true;
    hold("thumb");
    release(PRESS_MS);
  });
  document.addEventListener("pointerup", () => release(CLICK_MS));
  document.addEventListener("pointercancel", () => release(0));
  document.addEventListener("click", () => release(0));

  // What the live stream tells.

  let toldLast = body.dataset.told;
  addEventListener("companion:game", ({ detail: told }) => {
    toldLast = told;
    if (isNews(told, body.dataset.told)) turn.hear("told");
  });
  addEventListener("companion:phones", () => turn.hear("told"));
  addEventListener("companion:back", () => { isNextOwn = true; });
  let lock = null; // As last told; a page drawn before that may arrive after it.
  const sayLock = () => {
    if (!lock || !isOlder(body.dataset.told, lock.told)) return;
    for (const words of all("#vault-words, .vault-words")) words.textContent = lock.sentence || words.textContent;
  };
  addEventListener("companion:shown", sayLock);
  addEventListener("companion:vault", ({ detail }) => {
    lock = detail;
    sayLock();
  });
  addEventListener("companion:page", ({ detail }) => put(new DOMParser().parseFromString(detail, "text/html"), false));
  const sheet = find("#sheet");
  if (sheet && !all(FIELDS, sheet).some(isChanged)) worked = filled(sheet); // Else the browser kept what was typed.
  check();
  settle(true, true);
  if (streamAddress) listen(streamAddress, Number(body.dataset.poll));
  if (body.dataset.failed) turn.hear("told"); // Until the page that was wanted comes.
});
