() => {
  // Says which words of the page somebody cannot read whole, each with the reason.
  const UNSEEN = "script, template, .hush, .skip, .default-press, .flying, option";
  const LONGEST = 20; // A name may be longer, and then it may be broken.
  const found = new Set(), range = document.createRange();
  const styles = new Map();
  const style = x => {
    if (!styles.has(x)) styles.set(x, getComputedStyle(x));
    return styles.get(x);
  };
  const told = x => {
    const id = x.id ? `#${x.id}` : "";
    const names = x.getAttribute("class")?.trim().replaceAll(/\s+/g, ".") ?? "";
    return x.localName + id + (names && `.${names}`);
  };
  const say = (why, words, box) => found.add(`${why}: ${words} [${told(box)}]`);
  const isPlaced = x => style(x).position !== "static" || style(x).transform !== "none"
    || style(x).containerType !== "normal";
  // What a box is cut by: the boxes around it, but not those that it is placed outside of.
  const around = function* (from) {
    let isFree = style(from).position === "absolute";
    if (style(from).position === "fixed") return;
    for (let x = from.parentElement; x && x !== document.body; x = x.parentElement) {
      if (isFree && !isPlaced(x)) continue;
      yield x;
      isFree = style(x).position === "absolute";
      if (style(x).position === "fixed") return;
    }
  };
  const isSolid = x => {
    const { backgroundColor, backgroundImage, borderTopWidth, borderBottomWidth } = style(x);
    return !/^rgba\(.*, 0\)$|transparent/.test(backgroundColor) || backgroundImage !== "none"
      || (parseFloat(borderTopWidth) && parseFloat(borderBottomWidth));
  };
  // Said to those who listen only.
  const isHush = from => [from, ...around(from)].some(x => x.clientWidth === 1);
  const isHiding = how => how === "hidden" || how === "clip";
  const isRolling = how => how === "auto" || how === "scroll";
  const cut = (place, words, from) => {
    let { left, right, top, bottom } = place;
    let [across, down] = [true, true];
    const blocks = [];
    for (const box of [from, ...around(from)]) {
      const { overflowX, overflowY, display } = style(box);
      if (display === "inline" || display === "contents" || box.closest("svg")) continue;
      const edge = box.getBoundingClientRect();
      if (across && isRolling(overflowX)) across = false;
      if (down && isRolling(overflowY)) down = false;
      const isLeftOut = isHiding(overflowY) && blocks.some(x => {
        const it = x.getBoundingClientRect();
        return it.left >= edge.right || it.top >= edge.bottom;
      });
      if (isLeftOut) return; // As a whole, like the entries that a screen has no room for.
      const isOut = (across && (left < edge.left - 1.5 || right > edge.right + 1.5))
        || (down && (top < edge.top - 2 || bottom > edge.bottom + 2));
      if (isOut && (isHiding(overflowX) || isHiding(overflowY) || isSolid(box)))
        return say(isHiding(overflowX) ? "cut" : "out", words, box);
      blocks.push(box);
    }
    if (across && (left < -1 || right > innerWidth + 2)) say("off", words, from);
  };
  const lines = (text, from, to) => {
    range.setStart(text, from);
    range.setEnd(text, to);
    return [...range.getClientRects()].filter(x => x.width > 0.5 && x.height > 0.5);
  };
  // Letters reach over the line that they stand in; what counts is the line.
  const inLine = (box, height) => {
    const spare = Math.max(0, (box.height - height) / 2);
    const { left, right, top, bottom } = box;
    return { left, right, top: top + spare, bottom: bottom - spare };
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, from = text.parentElement;
    if (!text.data.trim() || from.closest(UNSEEN)) continue;
    if (!from.checkVisibility({ visibilityProperty: true })) continue;
    if (isHush(from)) continue;
    const height = parseFloat(style(from).lineHeight) || Infinity;
    for (const { 0: word, index } of text.data.matchAll(/[^\s\u00ad\-–—\/]+/gu)) {
      let places = lines(text, index, index + word.length);
      if (text.data[index - 1] === "\u00ad") places = places.slice(-1); // No hyphen's.
      const tops = places.map(x => x.top);
      const isBroken = Math.max(...tops) - Math.min(...tops) > 2;
      if (isBroken && word.length <= LONGEST) say("broken", word, from);
      for (const place of places) cut(inLine(place, height), word, from);
    }
  }
  for (const field of document.querySelectorAll("input, select")) {
    if (!field.checkVisibility() || field.clientWidth < 2) continue;
    if (/checkbox|radio|hidden|file/.test(field.type)) continue;
    const words = field.localName === "select"
      ? field.selectedOptions[0]?.text : field.value || field.placeholder;
    if (!words || style(field).opacity === "0") continue;
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = style(field).font;
    const room = field.clientWidth - parseFloat(style(field).paddingLeft)
      - (field.localName === "select" ? 20 : parseFloat(style(field).paddingRight));
    if (pen.measureText(words).width > room + 1) say("field", words, field);
  }
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) {
    const isWide = x => x.getBoundingClientRect().right > innerWidth + 1
      && ![...around(x)].some(y => style(y).overflowX !== "visible");
    const box = [...document.body.querySelectorAll("*")].find(isWide);
    say("page", `${wide} px wide`, box ?? document.body);
  }
  return [...found];
}
