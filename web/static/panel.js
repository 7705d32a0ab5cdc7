"use strict";
/* Keeps a page up to date: it listens for "something changed", asks for the page again
   and puts the new regions in, but leaves alone what somebody is typing. Without this
   script every page still works, but does not refresh itself. */

(() => {
  const body = document.body;
  const streamAddress = body.dataset.stream;
  const POLL_MS = Number(body.dataset.poll) || 3000;
  const STREAM_AGAIN_MS = 15000;
  const FETCH_MS = 5000;
  const OFFLINE_AFTER_MS = 5000;
  const COUNT_MS = 250;
  const CLICK_MS = 300;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const find = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];

  document.documentElement.classList.add("has-script");

  // What is on the page.

  const revision = () => Number(find("#live").dataset.revision);

  /* What somebody is filling in or has filled in: forms, and fields outside forms. */
  const used = (region) => {
    const found = all("form", region).filter((form) => [...form.elements].some(isChanged));
    const focused = document.activeElement;
    if (region.contains(focused) && focused.matches("input, select")) found.push(focused.form ?? focused);
    return found;
  };

  const inUse = (region) => region !== null && used(region).length > 0;

  /* Whether the new page still has each form in use. It has not if, say, somebody else
     has thrown the dice meanwhile, or the auction is over. */
  const isStillAsked = (region, news) =>
    used(region).every((x) => {
      const address = x.getAttribute("action");
      return address === null || all("form", news).some((form) => form.getAttribute("action") === address);
    });

  const isChanged = (field) => {
    if (field.type === "hidden" || field.name === "reason") return false;
    if (field.type === "radio" || field.type === "checkbox") {
      return field.checked !== field.defaultChecked;
    }
    if (field.tagName === "SELECT") {
      return [...field.options].some((o) => o.selected !== o.defaultSelected && o.index > 0);
    }
    return field.tagName === "INPUT" && field.value !== field.defaultValue;
  };

  // Amounts count up or down to their new value instead of jumping.

  const shown = new Map(all(".figure[data-key]").map((x) => [x.dataset.key, Number(x.dataset.amount)]));
  const written = (amount) => (amount < 0 ? "\u2212" : "") + body.dataset.currency + Math.abs(amount).toLocaleString(document.documentElement.lang);

  const count = (figure, from, to) => {
    const text = figure.firstChild;
    const began = performance.now();
    figure.classList.add("rose");
    const step = (now) => {
      const part = still.matches ? 1 : Math.min(1, (now - began) / COUNT_MS);
      text.nodeValue = written(Math.round(from + (to - from) * part));
      if (part < 1 && figure.isConnected) requestAnimationFrame(step);
    };
    step(began);
  };

  const settle = () => {
    const news = new Map();
    for (const figure of all(".figure[data-key]")) {
      const key = figure.dataset.key;
      const amount = Number(figure.dataset.amount);
      if (shown.has(key) && shown.get(key) !== amount) count(figure, shown.get(key), amount);
      news.set(key, amount);
    }
    const mine = find(".purse .balance .figure");
    const key = mine?.dataset.key;
    if (key && shown.has(key) && shown.get(key) !== news.get(key)) {
      const latest = find(".events .words")?.textContent.trim() ?? "";
      find("#said").textContent = body.dataset.said.replace("{latest}", latest).replace("{amount}", written(news.get(key)));
    }
    for (const [name, amount] of news) shown.set(name, amount);
  };

  // A page of another kind, or of another game, is opened as a whole: its regions would
  // lack its style and its stream, and revisions of two games cannot be compared.

  const looksOf = (page) => {
    const { kind, place, stream, currency } = page.body.dataset;
    const styles = all("link[rel=stylesheet]", page).map((x) => x.getAttribute("href"));
    return [kind, place, stream, currency, ...styles].join(" ");
  };

  const isElsewhere = (answer) => {
    if (new URL(answer.responseURL).pathname !== location.pathname) return true;
    const news = new DOMParser().parseFromString(answer.responseText, "text/html");
    return looksOf(news) !== looksOf(document);
  };

  // Asking for the page again.

  let asking = false;
  let askAgain = false;
  let pressing = false;
  let posting = 0;
  let leaving = false;
  let lastGood = performance.now();
  let current = new AbortController();

  /* While a finger presses, and until the server has answered a form, no region is
     replaced: the answer brings the whole page, and regions replaced before it would
     show an earlier state than the rest. */
  const isHeld = () => pressing || posting > 0 || leaving;

  /* Leave the page only once: a second navigation would cancel the first. */
  const leave = (go) => {
    if (leaving) return;
    leaving = true;
    current.abort();
    go();
  };

  const refresh = async () => {
    if (asking || isHeld()) {
      askAgain = true;
      return;
    }
    asking = true;
    askAgain = false;
    current = new AbortController();
    const giveUp = setTimeout(() => current.abort(), FETCH_MS);
    try {
      const answer = await fetch(location.pathname + location.search, {
        headers: { "HX-Request": "true", Accept: "text/html" },
        signal: current.signal,
      });
      lastGood = performance.now();
      const onward = answer.headers.get("HX-Redirect");
      if (onward) leave(() => location.assign(onward));
      else {
        const html = await answer.text();
        if (isHeld()) askAgain = true;
        else take(html, answer.ok);
      }
    } catch {
      // The stream, the poll or waking up will ask again.
    } finally {
      clearTimeout(giveUp);
      asking = false;
      showOffline();
    }
    goOn();
  };

  const goOn = () => {
    if (isHeld()) return;
    putIn();
    if (askAgain) refresh();
  };

  /* `late` is the answer to a form that came while a finger pressed the next button, or
     while the next form was under way. It waits until that one is answered too. If the
     next form fails, it shows why and keeps what was typed; the page is asked for again,
     and the form already answered is emptied, so that it is not sent twice. */
  let late = "";
  let lateForm = null;
  let failures = 0;
  const fail = (form) => {
    if (late && lateForm !== form) lateForm.reset();
    late = "";
    failures += 1;
    askAgain = true;
  };
  const putIn = () => {
    const html = late;
    late = "";
    if (!html) return;
    const news = new DOMParser().parseFromString(html, "text/html");
    if (Number(find("#live", news).dataset.revision) < revision()) askAgain = true;
    else swap(html, ["#message", "#live", "#act", "#more"]);
  };

  const take = (html, isPage) => {
    if (!isPage) {
      swap(html, ["#message"]);
      return;
    }
    const news = new DOMParser().parseFromString(html, "text/html");
    if (looksOf(news) !== looksOf(document)) {
      leave(() => location.reload());
      return;
    }
    const isNewer = Number(find("#live", news).dataset.revision) >= revision();
    if (!isNewer) return; // A later answer has already been shown.
    const kept = ["#act", "#more"].filter((name) => inUse(find(name)) && isStillAsked(find(name), find(name, news)));
    kept.forEach((name) => update(find(name), find(name, news)));
    swap(html, ["#live", "#act", "#more"].filter((name) => !kept.includes(name)));
    const nav = find(".top", news);
    if (nav && find(".top").innerHTML !== nav.innerHTML) find(".top").innerHTML = nav.innerHTML;
    if (kept.includes("#act")) tellSheet();
  };

  const swap = (html, regions) => {
    const open = all("details[open] > summary").map((x) => x.textContent);
    htmx.swap("#live", html, { swapStyle: "none", swapDelay: 0, settleDelay: 0 }, { selectOOB: regions.join(",") });
    for (const summary of all("details > summary")) {
      if (open.includes(summary.textContent)) summary.parentElement.open = true;
    }
    settle();
  };

  /* A region in use keeps its fields, but gets new amounts and a new revision. */
  const update = (old, news) => {
    const figures = new Map(all(".figure[data-key]", news).map((x) => [x.dataset.key, x.dataset.amount]));
    for (const figure of all(".figure[data-key]", old)) {
      if (figures.has(figure.dataset.key)) figure.dataset.amount = figures.get(figure.dataset.key);
    }
    const fresh = find("[name=expected_revision]", news);
    if (fresh) all("[name=expected_revision]", old).forEach((x) => { x.value = fresh.value; });
  };

  /* A refused form keeps what was typed, and the page is asked for again, as what it
     offered may be over. After a refusal its next press is a new command; after any
     other failure it is the same command again, so that it counts only once. */
  const refuse = (html, status, form) => {
    fail(form);
    const news = new DOMParser().parseFromString(html, "text/html");
    swap(html, find("#live", news) ? ["#message", "#live"] : ["#message"]);
    for (const name of ["#act", "#more"]) {
      if (find(name, news)) update(find(name), find(name, news));
    }
    if (status === 409) all("[name=command_id]").forEach((x) => { x.value = newId(); });
    tellSheet();
  };

  const newId = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (x) => x.toString(16).padStart(2, "0")).join("");

  // The live stream: one while the page is visible, none while it is hidden.

  let stream = null;
  let poll = 0;
  let again = 0;

  const listen = () => {
    hush();
    if (!streamAddress || document.hidden) return;
    let isFirst = true;
    stream = new EventSource(streamAddress);
    stream.addEventListener("open", () => {
      // What this page waits for may have come before the stream was open.
      if (!isFirst || find("[data-waits]")) refresh();
      isFirst = false;
      lastGood = performance.now();
      showOffline();
    });
    stream.addEventListener("game", (event) => {
      const told = Number(JSON.parse(event.data).revision);
      if (told !== revision() || event.lastEventId === lastTold) refresh();
      lastTold = event.lastEventId;
    });
    stream.addEventListener("vault", (event) => {
      dispatchEvent(new CustomEvent("companion:vault", { detail: JSON.parse(event.data) }));
    });
    stream.addEventListener("error", () => {
      if (stream?.readyState !== EventSource.CLOSED) return; // The browser reconnects by itself.
      hush();
      poll = setInterval(refresh, POLL_MS);
      again = setTimeout(listen, STREAM_AGAIN_MS);
    });
  };
  let lastTold = "";

  const hush = () => {
    stream?.close();
    stream = null;
    clearInterval(poll);
    clearTimeout(again);
  };

  const showOffline = () => {
    const isUp = stream?.readyState === EventSource.OPEN;
    if (isUp) lastGood = performance.now();
    const isLost = !isUp && performance.now() - lastGood > OFFLINE_AFTER_MS;
    find("#offline").hidden = !streamAddress || !isLost;
  };

  const wake = () => {
    if (document.hidden) {
      hush();
      return;
    }
    lastGood = performance.now();
    leaving = false; // The page is shown again, so it was not left.
    current.abort(); // A request from before the sleep may never be answered.
    if (streamAddress) refresh();
    listen();
  };

  // The pay sheet: every change asks the server what the payment would do.

  let telling = 0;
  const tellSheet = () => {
    clearTimeout(telling);
    telling = setTimeout(() => {
      const sheet = find("#sheet");
      if (isHeld()) tellSheet();
      else if (sheet) htmx.trigger(sheet, "sheet-changed");
    }, 60);
  };

  const addNote = (bill) => {
    const field = find("[name=amount]", bill.form);
    const had = Number(field.value.replace(/[ ,$]/g, "")) || 0;
    field.value = String(had + Number(bill.value));
  };

  document.addEventListener("input", (event) => {
    if (event.target.form?.id === "sheet") tellSheet();
  });
  document.addEventListener("reset", tellSheet);
  document.addEventListener("click", (event) => {
    const pressed = event.target.closest("button, a.brass, a.quiet");
    if (pressed) navigator.vibrate?.(10);
    if (!pressed?.matches(".bill")) return;
    event.preventDefault();
    addNote(pressed);
    tellSheet();
  });

  /* A tap is a press, a release and a click on the same element, so the element must not
     be replaced in between. A busy phone clicks late; after a long press, no click comes. */
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

  const failuresBefore = new WeakMap(); // By request: how many failures there were when it was sent.

  /* `loadend` comes exactly once for every request, even if its form is gone by then. */
  document.addEventListener("htmx:beforeSend", (event) => {
    const { xhr, requestConfig } = event.detail;
    if (requestConfig.verb !== "post") return;
    posting += 1;
    failuresBefore.set(xhr, failures);
    current.abort(); // The page asked for before will be out of date: ask again afterwards.
    const sheet = find("#sheet");
    if (sheet) htmx.trigger(sheet, "htmx:abort");
    askAgain ||= asking;
    xhr.addEventListener("loadend", () => {
      posting -= 1;
      if (inUse(find("#act"))) tellSheet();
      goOn();
    });
  });

  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const onward = event.detail.xhr.getResponseHeader("HX-Redirect");
    if (!onward) return;
    event.preventDefault();
    leave(() => location.assign(onward));
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, requestConfig } = event.detail;
    if (requestConfig.verb === "get" && isHeld()) {
      event.detail.shouldSwap = false;
      tellSheet();
    }
    if (requestConfig.verb !== "post") return;
    if (xhr.status < 400 && isElsewhere(xhr)) {
      event.detail.shouldSwap = false;
      leave(() => location.assign(xhr.responseURL));
      return;
    }
    if (xhr.status < 400 && failuresBefore.get(xhr) !== failures) {
      event.detail.shouldSwap = false;
      requestConfig.elt.reset();
      askAgain = true;
      return;
    }
    if (xhr.status < 400) {
      const isEarly = pressing || posting > 1;
      late = isEarly ? xhr.responseText : "";
      lateForm = requestConfig.elt;
      if (isEarly) event.detail.shouldSwap = false;
      return;
    }
    event.detail.shouldSwap = false;
    refuse(xhr.responseText, xhr.status, requestConfig.elt);
  });
  document.addEventListener("htmx:afterRequest", settle);
  document.addEventListener("htmx:oobAfterSwap", settle);
  for (const kind of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(kind, (event) => {
      if (event.detail.requestConfig?.verb !== "post") return;
      fail(event.detail.requestConfig.elt);
      find("#message").innerHTML = '<div class="card note"><p><strong>The table did not answer.</strong> Press again: it counts once.</p></div>';
    });
  }
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.requestConfig.verb === "post") find("#message").textContent = "";
  });
  addEventListener("companion:vault", (event) => {
    const words = find("#vault-words");
    if (words && event.detail.sentence) words.textContent = event.detail.sentence;
  });
  document.addEventListener("visibilitychange", wake);
  addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
  addEventListener("online", wake);
  addEventListener("pagehide", hush);
  setInterval(showOffline, 1000);
  listen();
  if (inUse(find("#act"))) tellSheet(); // The browser kept what was typed before.
})();
