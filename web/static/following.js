"use strict";
/* Decides what a page does about what it knows of the table, by the two tables in
   following.json, and does nothing else: asking.js asks, listens and waits. */

window.following = (() => {
  const tables = JSON.parse(document.getElementById("following").textContent);
  const among = (list, losses) => list[Math.min(losses, list.length - 1)];
  const stepsOf = ({ rows }) => new Map(rows.map(([state, stimulus, ...does]) => [`${state} | ${stimulus}`, does]));
  const steps = { question: stepsOf(tables.question), stream: stepsOf(tables.stream) };

  const countOf = (told) => Number(told.split("-")[1]);
  const isSameStart = (one, other) => one.split("-")[0] === other.split("-")[0];

  return {
    LATE_MS: tables.late_ms,
    SILENCE_MS: tables.silence_ms,
    begins: (kind) => tables[kind].begins,

    /* The next state and the effects; what no row names changes nothing. */
    step: (kind, state, stimulus) => steps[kind].get(`${state} | ${stimulus}`) ?? [state, []],

    /* From a question or a stream until the next, after so many losses in a row. */
    waitMs: (losses) => (losses ? among(tables.waits_ms, losses - 1) : 0),
    patienceMs: (losses) => among(tables.patience_ms, losses),

    /* News are numbered: by the start of the table, and by a count since then. */
    isSameStart,
    isNews: (told, shown) => !isSameStart(told, shown) || countOf(told) > countOf(shown),
    isOlder: (told, shown) => isSameStart(told, shown) && countOf(told) < countOf(shown),
  };
})();
