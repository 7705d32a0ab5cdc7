/* Every order of so many stimuli, and from each state that it ends in the way back. */
([kind, length]) => {
  const { begins, step } = window.following;
  const { stimuli } = JSON.parse(document.getElementById("following").textContent)[kind];
  const OUTCOMES = ["answered", "refused", "error", "late", "cut"];
  const wrong = new Set(), ends = new Map();
  let orders = 0;

  /* What asking.js does for an effect: a question is in the air, or a timer runs. */
  const take = (one, stimulus) => {
    const [state, does] = step(kind, one.state, stimulus);
    const next = { state, inAir: one.inAir, isTimed: one.isTimed && state === one.state, isFelt: one.isFelt && state === one.state };
    if (OUTCOMES.includes(stimulus)) next.inAir = 0;
    for (const effect of does) {
      if (effect === "ask" || effect === "open") next.inAir = effect === "open" ? 1 : next.inAir + 1;
      if (effect === "drop" || effect === "close") next.inAir = 0;
      if (effect === "wait") next.isTimed = true;
      if (effect === "feel") next.isFelt = state === "owed"; // It ends with "open again".
    }
    const where = `${one.state} | ${stimulus} -> ${state}`;
    if (next.inAir > 1) wrong.add(`${where}: two questions in the air`);
    if (next.inAir !== Number(/^(asked|opening|live)/.test(state))) wrong.add(`${where}: in the air: ${next.inAir}`);
    if ((next.isTimed || next.isFelt) !== /^(owed|lost)$/.test(state)) wrong.add(`${where}: waits: ${next.isTimed}`);
    return next;
  };
  const canHear = (one, stimulus) => {
    if (stimulus === "due") return one.isTimed;
    if (stimulus === "opened" || stimulus === "broken" || stimulus === "silence") return one.inAir > 0;
    return !OUTCOMES.includes(stimulus) || one.inAir > 0;
  };

  const go = (one, left) => {
    if (left === 0) {
      orders += 1;
      ends.set(JSON.stringify(one), one);
      return;
    }
    for (const stimulus of Object.keys(stimuli)) if (canHear(one, stimulus)) go(take(one, stimulus), left - 1);
  };
  go({ state: begins(kind), inAir: 0, isTimed: false, isFelt: false }, length);

  /* Somebody looks, the thumb lets go, the wait ends and the table answers: nothing else. */
  const LUCK = { question: ["woke", "free", "due", "open again", "answered"], stream: ["woke", "due", "opened"] };
  const GOAL = { question: "shown", stream: "live" };
  for (let one of ends.values()) {
    const from = one.state;
    for (let at = 0; at < 8 && one.state !== GOAL[kind]; at++) {
      const isSure = (stimulus) => canHear(one, stimulus) && (stimulus !== "open again" || one.isFelt);
      const luck = LUCK[kind].find((stimulus) => isSure(stimulus) && step(kind, one.state, stimulus)[0] !== one.state);
      if (!luck) break;
      one = take(one, luck);
    }
    if (one.state !== GOAL[kind]) wrong.add(`${from}: no way back to ${GOAL[kind]}`);
  }
  return { orders, wrong: [...wrong], states: [...new Set([...ends.values()].map((one) => one.state))] };
}
