/* What a finger finds on a page, and what a page owes it; for test_fingers_browser.py. */
(() => {
  const TAPS = "a[href], button, summary, select, label, input:not([type=hidden], [type=file])";
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const words = (x) => (x.getAttribute("aria-label") ?? x.textContent).replace(/\s+/g, " ").trim();
  const isShut = (x) => x.disabled || x.getAttribute("aria-disabled") === "true" || Boolean(x.closest(".settling, .stale"));
  const under = ([x, y]) => document.elementFromPoint(x, y)?.closest(TAPS) ?? null;
  const middle = (x) => {
    const { left, top, width, height } = x.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  /* What a tap on it does, by what it sends or where it leads. */
  const does = (x) => {
    if (!x || isShut(x) || x.matches("[data-newer]")) return ""; // That shows what is new, and no more.
    if (x.matches("a")) return `goes to ${x.getAttribute("href")}`;
    const form = x.matches("button") && x.form;
    if (!form) return "";
    const sent = all("input[type=hidden]", form).filter(({ name }) => !["command_id", "by", "expected_revision"].includes(name));
    return `sends ${form.getAttribute("action")} ${[...sent, x].map((one) => `${one.name}=${one.value}`).join(" ")}`;
  };

  /* Comes true once the page is whole and shows all that it has asked for. */
  const PATIENCE_MS = 60_000;
  const isAsking = () => document.documentElement?.hasAttribute("data-asking");
  const isSettled = () => document.readyState === "complete" && !isAsking();
  window.fingerSettled = () => new Promise((settled, fail) => {
    const late = setTimeout(() => fail(Error("the page asks and asks")), PATIENCE_MS);
    const look = () => {
      if (!isSettled()) return;
      news.disconnect();
      clearTimeout(late);
      settled();
    };
    const news = new MutationObserver(look);
    news.observe(document, { subtree: true, attributeFilter: ["data-asking"] });
    document.addEventListener("readystatechange", look);
    look();
  });

  window.fingerTargets = () => {
    const isDue = (x) => x.querySelector(".dot"); // It is this seat's turn, on another page.
    const where = (x) => isDue(x) ? "act" : ["banner", "act", "live", "more", "message"].find((id) => x.closest(`#${id}`)) ?? (x.closest(".top") ? "top" : "");
    const found = all(TAPS).map((x) => [x, middle(x)]).filter(([x, at]) => !isShut(x) && under(at) === x);
    return found.map(([x, at]) => ({
      at,
      where: where(x),
      words: words(x).slice(0, 60),
      does: does(x),
      kind: x.matches("select") ? "select" : x.matches("input:not([type=radio], [type=checkbox])") ? "field" : "tap",
    }));
  };

  const owes = () => {
    const owed = [];
    const isSeen = (x) => x.getClientRects().length > 0;
    const ids = new Map();
    for (const { id } of all("[id]")) ids.set(id, (ids.get(id) ?? 0) + 1);
    for (const [id, count] of ids) if (id && count > 1) owed.push(`${count} things are called ${id}`);
    if (document.documentElement.scrollWidth > innerWidth) owed.push("the page is wider than the phone");
    if (!all("h1").some((x) => x.textContent.trim())) owed.push("the page has no heading");
    const main = document.querySelector("main");
    const offers = main ? all(`:is(${TAPS}):not(.skip)`, main).filter(isSeen) : [];
    const waits = all("#awaited, [role=status], main .soft, main .note").some((x) => isSeen(x) && x.textContent.trim());
    if (!offers.length && !waits) owed.push("nothing to do here, and nobody to wait for");
    const away = all("a[href]:not(.skip), button").filter((x) => isSeen(x) && !isShut(x));
    if (!away.length) owed.push("no way on from here");
    return owed;
  };

  /* A finger that is about to come down: what others do puts nothing else there. */
  let aimed = null;
  let slips = [];
  window.fingerAims = (share) => {
    const targets = window.fingerTargets();
    aimed = targets[Math.floor(share * targets.length)] ?? null;
  };
  addEventListener("pointerdown", () => { aimed = null; }, true);
  const compare = () => { // Once the page has done all that it does.
    if (!aimed?.does) return;
    const now = does(under(aimed.at));
    if (now && now !== aimed.does) slips.push(`under a finger: ${aimed.does}, and then ${now}`);
    aimed = null;
  };
  addEventListener("companion:shown", () => queueMicrotask(compare));

  window.fingerLooks = () => {
    const owed = [...owes(), ...slips];
    slips = [];
    return { owed, isAsked: Boolean(document.querySelector(".hand, .dot, .arrived")) };
  };
})();
