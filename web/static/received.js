"use strict";
/* Money that came in since the page was last drawn: who paid and how much, over the page
   for three seconds, with a coin that flies into the purse and a buzz. It moves nothing,
   catches no tap, and is not read aloud, as panel.js says what happened. */

(() => {
  const SHOWN_MS = 3000;
  const find = (selector) => document.querySelector(selector);
  const revision = () => Number(find("#live").dataset.revision);
  const waiting = [];
  let seen = revision();
  let card = null;

  const next = () => {
    card?.remove();
    card = waiting.shift() ?? null;
    if (!card) return;
    document.body.append(card);
    switches.buzz([30, 50, 30]);
    window.tableSound?.play("coins");
    window.celebrate.toss("coin", card.querySelector(".disc"), find(".purse .figure"));
    setTimeout(next, SHOWN_MS);
  };

  addEventListener("companion:shown", () => {
    for (const row of document.querySelectorAll("#received li")) {
      if (Number(row.dataset.revision) <= seen) continue;
      const one = document.createElement("div");
      one.className = `receipt ${row.className}`;
      one.ariaHidden = "true";
      one.innerHTML = row.innerHTML;
      waiting.push(one);
    }
    seen = revision();
    if (!card) next();
  });
})();
