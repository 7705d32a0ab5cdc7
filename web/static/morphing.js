"use strict";
/* Changes a part of a page into what is new, only where it differs, so that what has the
   focus, what is half typed or chosen, and what is open stay as they are. For panel.js. */

window.morphing = (() => {
  const find = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const REGIONS = [".top", "#banner", "#live", "#act", "#more"];
  const { language } = document.body.dataset;
  let isForOwn = false;

  /* The table writes times by its own zone; here they become those of this phone, in the
     same form. */
  const DAY = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, { dateStyle: "long" });
  const two = (number) => String(number).padStart(2, "0");
  const tellTimes = (page) => {
    for (const x of all("time", page)) {
      const at = new Date(x.dateTime);
      x.textContent = x.matches("[data-day]") ? DAY.format(at) : `${two(at.getHours())}:${two(at.getMinutes())}`;
    }
  };

  /* An element with the same id in the new page stays the same element. One without an id
     that can hold a focus, a text or a choice, or be open, gets an id made of what it is;
     one that is kept still, a copy of its words. All before a translator changes words. */
  const HOLDS = "form, input:not([type=hidden]), select, textarea, button, details, a[href]";
  const identify = (page) => {
    tellTimes(page);
    for (const x of all("[data-still]", page)) x.dataset.words = x.textContent;
    for (const region of REGIONS.map((name) => find(name, page)).filter(Boolean)) {
      const times = new Map();
      for (const x of all(HOLDS, region).filter((one) => !one.getAttribute("id"))) {
        const key = `${region.id}:${whatIs(x)}`;
        times.set(key, (times.get(key) ?? 0) + 1);
        x.setAttribute("id", `${key}~${times.get(key)}`);
      }
    }
  };
  const TAP = ["command_id", "by"]; // What a tap is known by when it comes again.
  const PASSING = [...TAP, "expected_revision"];
  const whatIs = (x) => {
    if (x.matches("details")) return find("summary", x).textContent.trim();
    if (x.matches("a")) return x.getAttribute("href");
    if (x.matches("form")) {
      const buttons = all("button", x);
      const meant = [...all("input[type=hidden]", x), ...(buttons.length === 1 ? buttons : [])];
      const words = meant.filter((one) => one.name && !PASSING.includes(one.name)).map((one) => `${one.name}=${one.value}`);
      return [x.getAttribute("action"), ...words].join(" ");
    }
    const value = x.matches("button, [type=radio], [type=checkbox]") ? x.value : "";
    return [x.form?.getAttribute("id"), x.name || (x.form ? "" : x.className), value].join(" ");
  };

  /* Whether the player has changed a field and not sent it. */
  const isChanged = (field) => {
    if (field.matches("select")) return [...field.options].some((o) => o.selected !== o.defaultSelected && o.index > 0);
    if (!field.matches("[type=radio], [type=checkbox]")) return field.value !== field.defaultValue;
    return alike(field).some((x) => x.checked !== x.defaultChecked);
  };
  const alike = (field) => {
    const fields = field.form ? [...field.form.elements] : [field]; // A field may lie outside its form.
    return fields.filter((x) => x.type === field.type && x.name === field.name);
  };
  const FIELDS = "input:not([type=hidden], [type=file]), select, textarea";
  const unheard = new Set(); // Forms that may have arrived: they stay the same tap.

  /* isOwn: whether it is for what this player did, or has come back for. */
  const morph = (old, fresh, isOwn) => {
    isForOwn = isOwn;
    identify(fresh.ownerDocument);
    const next = (x) => x && find(`#${CSS.escape(x.id)}`, fresh);
    const isSame = ({ form }) => !next(form) || next(form).getAttribute("action") === form.getAttribute("action");
    const canBe = (x) => (x.type === "radio" ? alike(x) : [x]).every((one) => !one.checked || !next(one)?.disabled);
    const changed = all(FIELDS, old).filter((x) => isChanged(x) && isSame(x) && canBe(x));
    const kept = new Map(changed.map((x) => [x, { value: x.value, checked: x.checked }]));
    const focused = document.activeElement;
    Idiomorph.morph(old, fresh, {
      callbacks: {
        beforeNodeMorphed: (x, next) => (x.id !== "confirm" || x === old) && !isKept(x, next),
        beforeAttributeUpdated: (name, x, kind) => {
          if (name === "open" || (name === "tabindex" && x === focused)) return false;
          if (name === "aria-invalid" && kind === "remove" && x === focused) return false; // Until it is left.
          if (TAP.includes(x.name) && name === "value") return !unheard.has(x.form);
          return !(kept.has(x) && (name === "value" || name === "checked"));
        },
      },
    });
    for (const [x, { value, checked }] of kept) {
      if (x.matches("select")) x.value = value;
      else if (x.matches("[type=radio], [type=checkbox]")) x.checked = checked;
      if (x.matches("select") && x.selectedIndex < 0) x.selectedIndex = 0;
    }
  };

  /* The focused element keeps the focus. If it is gone, people who use keys go on with the
     present question, or else with what comes first around it, if that has words. */
  const keepFocus = (change) => {
    const used = document.activeElement;
    const isByKeys = used.matches(":focus-visible");
    const around = [];
    for (let x = used.parentElement; x && x !== document.body; x = x.parentElement) around.push(x);
    change();
    if (document.activeElement === used) return;
    if (used.isConnected) used.focus({ preventScroll: true });
    else if (isByKeys) goOn(around.filter((x) => x.isConnected));
  };
  const NAMED = ":is(h1, h2, h3, a[href], button, summary, select, input:not([type=hidden]))";
  const goOn = (around) => {
    const firstOf = (x) => all(NAMED, x).find((one) => one.getClientRects().length);
    const next = find("#asked, #awaited") ?? around.map(firstOf).find(Boolean) ?? find("h1");
    if (next?.matches("h1, h2, h3")) next.tabIndex = -1;
    next?.focus();
  };

  /* What somebody reads changes only by the player's own act, or when it is asked to. If it
     names the list being read, its ticks still come and go while that list is the same. */
  const isKept = (x, next) => {
    if (!x.matches?.("[data-still]") || !next.matches?.("[data-still]") || isForOwn) return false;
    if (x.dataset.still && x.dataset.still === next.dataset.still) return false;
    if (x.dataset.words !== next.dataset.words) find("[data-newer]").hidden = false;
    return true;
  };

  identify(document);
  return { FIELDS, REGIONS, isChanged, keepFocus, morph, unheard, whatIs };
})();
