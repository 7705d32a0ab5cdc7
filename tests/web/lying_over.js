() => {
  // Says which lines of text lie over another or are cut lengthwise, and which boxes are covered in part.
  const found = new Set(), range = document.createRange();
  const told = (x) => x && `${x.localName}${x.id && `#${x.id}`}.${[...x.classList].join(".")}`;
  const clip = (words) => words.trim().replace(/\s+/g, " ").slice(0, 40);
  const isIn = (box, x, y) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
  const shared = (a, b) => [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
  // Whether something that can be seen lies there, up to what holds both.
  const hides = (top, from) => {
    if (top.closest("img, svg, video")) return !top.contains(from);
    for (let x = top; x && !x.contains(from); x = x.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(x);
      if (backgroundImage !== "none" || !/^rgba\(.*, 0\)$|transparent/.test(backgroundColor)) return true;
    }
    return false;
  };
  // How many of nine points of a box are its own to the eye.
  const own = (from, box, inset) => {
    const [dx, dy] = [box.width * inset, box.height * inset];
    const xs = [box.left + dx, (box.left + box.right) / 2, box.right - dx];
    const ys = [box.top + dy, (box.top + box.bottom) / 2, box.bottom - dy];
    const points = xs.flatMap((x) => ys.map((y) => [x, y])).filter(([x, y]) => x > 0 && y > 0 && x < innerWidth && y < innerHeight);
    const covers = points.map(([x, y]) => document.elementFromPoint(x, y)).filter((top) => top && !from.contains(top) && hides(top, from));
    return { share: points.length ? 1 - covers.length / points.length : 0, by: covers[0] };
  };
  const isPart = ({ share }) => share > 0 && share < 1;
  // A magnifying glass goes over what lies on the table.
  const isSeen = (x) => x.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !x.closest(".lies, .hush, .skip, script, template, noscript") && getComputedStyle(x).clipPath === "none";
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, from = text.parentElement;
    if (!text.data.trim() || !isSeen(from)) continue;
    const isDrawn = Boolean(from.closest("svg"));
    range.selectNodeContents(text);
    for (const rect of range.getClientRects()) {
      if (rect.width < 2 || rect.height < 2) continue;
      // Letters reach over the line that they stand in; most of them have this height.
      const spare = rect.height * 0.18;
      const box = { left: rect.left, right: rect.right, top: rect.top + spare, bottom: rect.bottom - spare, width: rect.width, height: rect.height - 2 * spare };
      let [top, bottom] = [box.top, box.bottom];
      for (let x = isDrawn ? null : from; x && x !== document.body; x = x.parentElement) {
        if (getComputedStyle(x).overflowY === "visible") continue;
        const edge = x.getBoundingClientRect();
        [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
        if (edge.left >= box.right || edge.right <= box.left) bottom = top;
      }
      const whole = Math.max(0, bottom - top) / box.height;
      if (whole === 0) continue; // Left out as a line.
      if (whole < 0.85) found.add(`cut at half a line: ${clip(text.data)} [${told(from)}]`);
      lines.push({ from, box, text: text.data, isDrawn, seen: isDrawn ? { share: 1 } : own(from, box, 0.06) });
    }
  }
  for (const { from, seen, text } of lines) if (isPart(seen)) found.add(`covered in part: ${clip(text)} [${told(from)}] by ${told(seen.by)}`);
  const whole = lines.filter(({ seen }) => seen.share === 1);
  whole.forEach((a, at) => whole.slice(at + 1).forEach((b) => {
    if (a.isDrawn && b.isDrawn) return; // The board's own drawing has tests of its own.
    const [across, down] = shared(a.box, b.box);
    if (across > 2 && down > 2) found.add(`over another: ${clip(a.text)} and ${clip(b.text)} [${told(a.from)}, ${told(b.from)}]`);
  }));
  for (const box of document.querySelectorAll(".purses li, .bidders li, .podium li, .board li, .tower, .card-read, .deed, img.join, .sitting li, .moments li")) {
    if (!isSeen(box)) continue;
    const seen = own(box, box.getBoundingClientRect(), 0.04);
    if (isPart(seen)) found.add(`covered in part: ${clip(box.textContent)} [${told(box)}] by ${told(seen.by)}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) found.add("wider than the screen");
  return [...found];
}
