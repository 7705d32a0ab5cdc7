// The drawn wheel with its six detents: it follows the finger, clings to its detents,
// spins on a little when flung, and always comes to rest on a detent.
"use strict";

// element: what the finger holds. number: the number at the pointer at first.
// turned(steps): called when the wheel has passed detents, clockwise positive.
window.vaultWheel = (element, number, turned) => {
  const turning = element.querySelector(".v-turning");
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
  const FLING_MS = 170; // A fling goes as far as its speed would in this time,
  const FLING_MAX = 4; // but no further than this many detents.
  const STILL_MS = 80; // Held still for this long before letting go, it is not flung.
  const PIXELS = 60; // Scrolled pixels of a mouse wheel for one detent.
  const KEYS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
  const NUMBERS = { Home: 1, End: 6 };

  // Places count detents, clockwise up; at place 0, number 1 is at the pointer.
  let place = number - 1; // Where the finger has turned the wheel.
  let detent = place; // Where the wheel would come to rest.
  let hold = null; // The pointer (finger or mouse) that holds the wheel.
  let flight = 0; // The animation frame of a fling under way.

  const nearest = (steps) => ((((steps + 3) % 6) + 6) % 6) - 3; // The short way round.

  function draw() {
    const off = place - detent;
    const felt = detent + (Math.sign(off) * Math.abs(2 * off) ** 1.7) / 2;
    turning.style.setProperty("--turn", `${felt * 60}deg`);
  }

  function move(to) {
    place = to;
    const before = detent;
    if (Math.abs(place - detent) > 0.56) detent = Math.round(place); // More than 0.5, so that it does not flip back and forth.
    draw();
    if (detent === before) return;
    if (hold?.type === "touch") switches.buzz(8);
    turned(detent - before);
  }

  function rest() {
    cancelAnimationFrame(flight);
    flight = 0;
    hold = null;
    element.classList.remove("is-held", "is-free");
    move(detent);
  }

  function nudge(steps) {
    rest();
    move(detent + steps);
  }

  function fling(speed) { // *speed* is in detents per millisecond.
    const run = Math.max(-FLING_MAX, Math.min(FLING_MAX, speed * FLING_MS));
    const from = place;
    const to = Math.round(isCalm.matches ? place : place + run);
    const lengthMs = 150 + 110 * Math.abs(to - from);
    if (isCalm.matches) {
      move(to);
      rest();
      return;
    }
    element.classList.replace("is-held", "is-free");
    let began = null;
    flight = requestAnimationFrame(function frame(now) {
      began ??= now;
      const part = Math.min(1, (now - began) / lengthMs);
      move(from + (to - from) * (1 - (1 - part) ** 3));
      if (part < 1) flight = requestAnimationFrame(frame);
      else rest();
    });
  }

  function angleAt(event) { // In sixths of a turn; null at the hub. The element's box is that of the tilted wheel.
    const box = element.getBoundingClientRect();
    const x = (event.clientX - box.x) / box.width - 0.5;
    const y = (event.clientY - box.y) / box.height - 0.5;
    return Math.hypot(x, y) < 0.07 ? null : (Math.atan2(y, x) * 3) / Math.PI;
  }

  function grasp(event) {
    if (hold || event.button !== 0) return;
    rest();
    element.setPointerCapture(event.pointerId);
    hold = { id: event.pointerId, type: event.pointerType, angle: angleAt(event), at: event.timeStamp, speed: 0 };
    element.classList.add("is-held");
  }

  function drag(event) {
    if (event.pointerId !== hold?.id) return;
    const angle = angleAt(event);
    if (angle !== null && hold.angle !== null) {
      const by = nearest(angle - hold.angle);
      const ms = Math.max(1, event.timeStamp - hold.at);
      hold.speed = 0.7 * (by / ms) + 0.3 * hold.speed;
      move(place + by);
    }
    Object.assign(hold, { angle, at: event.timeStamp });
  }

  function release(event) {
    if (event.pointerId !== hold?.id) return;
    const { speed, at } = hold;
    hold = null;
    fling(event.timeStamp - at > STILL_MS ? 0 : speed);
  }

  let scrolled = 0;
  function scroll(event) {
    event.preventDefault();
    scrolled += event.deltaMode ? event.deltaY * 30 : event.deltaY;
    const steps = Math.trunc(scrolled / PIXELS);
    scrolled -= steps * PIXELS;
    if (steps) nudge(Math.max(-3, Math.min(3, steps)));
  }

  function key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const wanted = NUMBERS[event.key] ?? (/^[1-6]$/.test(event.key) ? Number(event.key) : 0);
    const steps = wanted ? nearest(wanted - 1 - detent) : KEYS[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    if (steps) nudge(steps);
  }

  draw();
  return {
    nudge,
    rest,
    get isBusy() { return Boolean(hold || flight); },
    // Draw the wheel at the number where the lock has it, without reporting a turn.
    stand(at) {
      const off = nearest(at - 1 - detent);
      place = detent += off;
      if (off) draw();
      return off;
    },
    // Let people on this page turn the wheel.
    hand() {
      element.addEventListener("pointerdown", grasp);
      element.addEventListener("pointermove", drag);
      element.addEventListener("pointerup", release);
      element.addEventListener("pointercancel", release);
      element.addEventListener("wheel", scroll, { passive: false });
      element.addEventListener("keydown", key);
      const traits = { role: "slider", tabindex: 0, "aria-valuemin": 1, "aria-valuemax": 6 };
      for (const [name, value] of Object.entries(traits)) element.setAttribute(name, value);
    },
  };
};
