"use strict";
/* For guided play: dice that tumble after a new throw, a notice when it is one's turn,
   the seconds since a landing whose rent can be asked for, where two dice lead before the
   third is typed, a search through a deck, the fields that an unlisted card needs, and
   the dial that turns along with the vault's wheel. Without it the page still does
   all it must. */

(() => {
  const find = (selector) => document.querySelector(selector);
  const plain = (text) => text.replaceAll("\u00ad", "").toLowerCase().normalize("NFKD"); // Without soft hyphens.
  const TUMBLE_MS = 700;
  const hidesFields = CSS.supports("selector(:has(*))");
  let tumbling = 0;
  let dice = find(".thrown")?.dataset.dice ?? "";
  let revision = find("#live").dataset.revision;
  let wasMine = find(".now")?.dataset.mine === "yes";

  /* The server says how old a landing is; from there on this page counts by itself. For
     people who prefer reduced motion, the number changes every ten seconds. */
  const SECOND_MS = 1000;
  const CALM_STEP_S = 10;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const begun = new WeakMap();

  const count = () => {
    for (const line of document.querySelectorAll(".since")) {
      const { since, now, words, fresh } = line.dataset;
      const isNew = begun.get(line)?.now !== now;
      if (isNew) begun.set(line, { now, at: performance.now() });
      const shown = begun.get(line);
      const passed = now - since + performance.now() - shown.at;
      const seconds = Math.max(0, Math.floor(passed / SECOND_MS));
      if (line.firstChild.data === shown.text && calm.matches && seconds % CALM_STEP_S) continue;
      const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      /* Change the text node's data, which observers of the page do not see as a change. */
      line.firstChild.data = shown.text = seconds < CALM_STEP_S ? fresh : words.replace("{time}", time);
    }
  };

  /* Mark the body, since regions of the page may be replaced while the dice tumble. */
  const tumble = () => {
    document.body.classList.add("tumble");
    clearTimeout(tumbling);
    tumbling = setTimeout(() => document.body.classList.remove("tumble"), TUMBLE_MS);
    switches.buzz(15);
  };

  const look = () => {
    const thrown = find(".thrown");
    const latest = find("#live").dataset.revision;
    if (thrown && latest !== revision && thrown.dataset.dice !== dice) {
      tumble();
    }
    dice = thrown?.dataset.dice ?? "";
    revision = latest;
    const now = find(".now");
    const isMine = now?.dataset.mine === "yes";
    if (isMine && !wasMine) {
      find("#said").textContent += ` ${now.querySelector("h2").textContent}`; // After what panel.js said.
      switches.buzz(60);
      tableSound.play("turn");
    }
    wasMine = isMine;
    watchDial();
    showSearch();
    showPaths();
    count();
  };

  /* With a third die: where the two white ones that are tapped lead, on each of its faces. */
  const showPaths = () => {
    for (const form of document.querySelectorAll(".faces")) {
      const [first, second] = [...form.querySelectorAll("[type=radio]:checked")].map((x) => Number(x.value));
      const pips = first === second ? first : 0;
      for (const path of form.querySelectorAll(".path")) {
        const { total, pips: doubles } = path.dataset;
        path.classList.toggle("is-chosen", Number(total) === first + second && Number(doubles) === pips);
      }
      for (const way of form.querySelectorAll(".way")) {
        const found = form.querySelector(`.path.is-chosen [data-face="${way.dataset.face}"] > span`);
        way.textContent = found?.textContent ?? way.dataset.else;
      }
    }
  };

  const showSearch = () => {
    const field = find(".search");
    if (!field) return;
    field.hidden = false;
    const wanted = plain(field.value.trim());
    for (const row of document.querySelectorAll(".cards li")) {
      row.hidden = !plain(row.textContent).includes(wanted);
    }
  };

  document.addEventListener("input", (event) => {
    if (event.target.matches(".search")) showSearch();
  });

  /* The form for an unlisted card: only fields that are visible are required. */
  const askFor = (form) => {
    const prices = form.querySelectorAll(".of-prices input");
    const alone = prices.length === 1 ? prices : []; // A single price is required; of several, one is enough.
    const numbers = form.querySelectorAll(".of-amount input, .of-steps input");
    for (const field of [...numbers, ...alone]) {
      field.required = hidesFields && field.offsetParent !== null;
    }
  };

  document.addEventListener("change", (event) => {
    const form = event.target.closest(".another");
    if (form) askFor(form);
    if (event.target.closest(".faces")) showPaths();
  });

  /* The dial turns along with the wheel of the vault. For a moment after that a tap does
     nothing: another number may have come under the thumb. */
  const TURNED_MS = 500;
  let number, turning = 0;
  let lock = null; // As last told.
  const watchDial = () => {
    const [dial, dots] = [find(".dial"), find(".yellow-dots")];
    const isOld = lock && window.following.isOlder(document.body.dataset.told, lock.told);
    if (dial && isOld) dial.dataset.number = lock.number;
    if (dots && isOld) dots.dataset.yellow = lock.yellow_count;
    if (dial && number && dial.dataset.number !== number) {
      clearTimeout(turning);
      turning = setTimeout(() => {
        turning = 0;
        watchDial();
      }, TURNED_MS);
    }
    number = dial?.dataset.number;
    dial?.classList.toggle("is-turning", turning > 0);
  };
  addEventListener("companion:vault", ({ detail }) => {
    lock = detail;
    watchDial();
  });

  addEventListener("companion:shown", look);
  setInterval(count, SECOND_MS);
  watchDial();
  showSearch();
  showPaths();
  count();
})();
