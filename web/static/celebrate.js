"use strict";
/* Confetti for a winner, coins and notes for money that changes hands, drawn over the page
   for a few seconds and then gone. Nothing flies under reduced motion. A page says with
   data-confetti in which seats' colours it falls, and it falls once for each game. */

window.celebrate = (() => {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
  const PIECES = 120;
  const FALL_MS = 3200;
  const between = (low, high) => low + (high - low) * Math.random();

  const put = (kind, colour = "") => {
    const piece = document.createElement("i");
    piece.className = `flying ${kind}`;
    piece.ariaHidden = "true";
    if (colour) piece.style.background = colour;
    document.body.append(piece);
    return piece;
  };

  const fly = (piece, frames, timing) =>
    piece.animate(frames, { fill: "both", ...timing }).finished.finally(() => piece.remove());

  /* Confetti in these colours falls over the whole page. */
  const confetti = (colours) => {
    if (isCalm.matches) return;
    for (let at = 0; at < PIECES; at++) {
      const piece = put("paper", colours[at % colours.length]);
      const x = between(-2, 100);
      const drift = between(-12, 12);
      const turns = between(2, 6) * (at % 2 ? 360 : -360);
      fly(piece, [
        { transform: `translate(${x}vw, -6vh) rotate(0)`, opacity: 1 },
        { transform: `translate(${x + drift}vw, 80vh) rotate3d(1, 0.6, 0.3, ${turns * 0.8}deg)`, opacity: 1, offset: 0.8 },
        { transform: `translate(${x + drift}vw, 105vh) rotate3d(1, 0.6, 0.3, ${turns}deg)`, opacity: 0 },
      ], { duration: FALL_MS * between(0.7, 1.3), delay: between(0, 1400), easing: "cubic-bezier(0.2, 0.3, 0.6, 1)" });
    }
  };

  /* A coin or a note flies from a point of one element, in parts of it, to another. */
  const toss = (kind, from, to, { across = 0.5, down = 0.5, delay = 0 } = {}) => {
    if (isCalm.matches || !from || !to) return;
    const [a, b] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
    const [x, y] = [a.x + a.width * across, a.y + a.height * down];
    const [toX, toY] = [b.x + b.width / 2, b.y + b.height / 2];
    fly(put(kind), [
      { transform: `translate(${x}px, ${y}px) scale(0.6)`, opacity: 0 },
      { transform: `translate(${(x + toX) / 2}px, ${Math.min(y, toY) - 40}px) rotateY(540deg)`, opacity: 1, offset: 0.5 },
      { transform: `translate(${toX}px, ${toY}px) rotateY(1080deg) scale(0.6)`, opacity: 0.2 },
    ], { duration: 900, delay, easing: "cubic-bezier(0.4, 0, 0.4, 1)" });
  };

  const root = document.documentElement;
  const colourOf = (name) => getComputedStyle(root).getPropertyValue(name);

  const crown = () => {
    const seats = document.querySelector("[data-confetti]")?.dataset.confetti;
    const key = `confetti ${document.body.dataset.place || location.pathname}`;
    let has = "";
    try { has = sessionStorage.getItem(key); } catch { /* Private mode. */ }
    if (!seats || has === seats) return;
    try { sessionStorage.setItem(key, seats); } catch { /* It falls again then. */ }
    const theirs = seats.split(" ").map((seat) => colourOf(`--seat-${seat}`));
    confetti([...theirs, colourOf("--brass"), ...theirs, "#faf4e3"]);
  };
  addEventListener("companion:shown", crown);
  crown();

  return { toss };
})();
