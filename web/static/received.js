"use strict";
/* What just came since the page was last drawn, over it for three seconds and gone at a
   tap: money that came in, with a coin that flies into the purse, or went out; a guess at the vault,
   which fills the phone; on the table's screen a peak of the evening, whose taps go to what
   lies below it, and which makes room for the next. Each has its buzz and its sound. It
   moves nothing and is not read aloud, as panel.js says what happened. */

(() => {
  const SHOWN_MS = 3000;
  const KINDS = {
    coins: { look: "receipt", buzz: [30, 50, 30], sound: "coins" },
    paid: { look: "receipt is-paid", buzz: [], sound: "" },
    wrong: { look: "flash is-wrong", buzz: [220, 80, 220], sound: "wrong" },
    open: { look: "flash is-open", buzz: [40, 60, 40, 60, 240], sound: "right" },
    caught: { look: "flash is-caught peak", buzz: [], sound: "alarm" },
    sold: { look: "flash is-sold peak", buzz: [], sound: "" }, // The entry itself sounds of the gavel.
    bankrupt: { look: "flash is-bankrupt peak", buzz: [], sound: "ruin" },
    whole: { look: "flash is-whole peak", buzz: [], sound: "won" },
  };
  const find = (selector) => document.querySelector(selector);
  const revision = () => Number(find("#live").dataset.revision);
  const waiting = [];
  let seen = revision();
  let card = null;
  let going = 0;

  const next = () => {
    clearTimeout(going);
    card?.remove();
    card = waiting.shift() ?? null;
    if (!card) return;
    const { buzz, sound } = KINDS[card.dataset.kind];
    document.body.append(card);
    if (buzz.length) switches.buzz(buzz);
    window.tableSound?.play(sound);
    if (sound === "coins") window.celebrate.toss("coin", card.querySelector(".disc"), find(".purse .figure"));
    going = setTimeout(next, SHOWN_MS);
  };

  addEventListener("companion:shown", () => {
    for (const row of document.querySelectorAll("#received li")) {
      if (Number(row.dataset.revision) <= seen) continue;
      const one = document.createElement("div");
      one.className = `${KINDS[row.dataset.kind].look} ${row.className}`;
      one.dataset.kind = row.dataset.kind;
      one.ariaHidden = "true";
      one.innerHTML = row.innerHTML;
      one.addEventListener("click", next);
      waiting.push(one);
    }
    seen = revision();
    const peak = waiting.filter((one) => one.matches(".peak")).pop();
    if (peak) waiting.splice(0, waiting.length, peak);
    if (!card || peak) next();
  });
  addEventListener("pointerdown", () => { if (card?.matches(".peak")) next(); });
})();
