// Chart of lines of code against time. A line joins the Pareto front. The selected row has a ring and a name.
function effort(found) {
  const { front } = found, [W, H, L, T, B, LINE, LETTER] = [560, 250, 64, 12, 42, 16, 8.5], choices = found.ranking.filter(({ candidate }) => candidate.lines);
  $("effort").hidden = !front.length;
  if (!front.length) return;
  const right = Math.floor(W - Math.max(165, 27 + LETTER * Math.max(...front.map(({ name }) => name.length))) + 0.5), most = Math.max(...choices.map(({ candidate }) => candidate.lines)), parts = [];
  const times = choices.map(({ seconds }) => Math.log10(seconds)), [low, high] = [Math.min(...times), Math.max(...times)];
  const whole = (value) => Math.floor(value + 0.5), x = (lines) => whole(L + ((right - L) * lines) / most), up = (s) => H - B - ((H - T - B) * (Math.log10(s) - low)) / (high - low || 1);
  const y = (s) => whole(up(s)), spot = ({ candidate, seconds }) => `${x(candidate.lines)},${y(seconds)}`;
  const tip = (c) => el("svg:title", {}, `${c.name}: ${plural(c.candidate.lines, "line")}, ${seconds(c.seconds)}`), middle = { "text-anchor": "middle" };
  for (const s of ticksOf({ low, high })) parts.push(el("svg:line", { class: "grid", x1: L, x2: right, y1: y(s), y2: y(s) }), el("svg:text", { x: L - 6, y: y(s) + 5, "text-anchor": "end" }, short(s)));
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((each) => most / each <= 5) ?? 1000;
  for (let lines = 0, last = -W; lines <= most; lines += step) {
    const half = (LETTER * String(lines).length) / 2;
    if (x(lines) - half < last + BETWEEN) continue;
    parts.push(el("svg:text", { x: x(lines), y: H - 22, ...middle }, String(lines)));
    last = x(lines) + half;
  }
  parts.push(el("svg:text", { x: Math.floor((L + right) / 2), y: H - 4, ...middle }, "lines of code"));
  for (const c of choices) if (!front.includes(c)) parts.push(el("svg:path", { class: "dots", stroke: colour(c.candidate.backend), d: `M${spot(c)}h0` }, tip(c)));
  parts.push(el("svg:polyline", { class: "front", points: front.map(spot).join(" ") }));
  const ends = apart(front.map((c) => [c.name, up(c.seconds)]), T, H - B + 6, LINE);
  parts.push(el("svg:path", { class: "lead", d: front.map((c) => `M${spot(c)}L${right + 20},${whole(ends.get(c.name))}`).join("") }));
  for (const c of front) {
    parts.push(el("svg:path", { d: `M${spot(c)}m0-6l6,6l-6,6l-6-6z`, fill: colour(c.candidate.backend) }, tip(c)), el("svg:text", { class: "end", x: right + 24, y: whole(ends.get(c.name)) + 5 }, c.name));
  }
  if (state.row && choices.includes(current)) {
    const [cx, cy] = spot(current).split(","), turned = cx > right / 2;
    parts.push(el("svg:circle", { class: "front", cx, cy, r: 9 }));
    if (!front.includes(current)) parts.push(el("svg:text", { class: "named", x: Number(cx) + (turned ? -13 : 13), y: Number(cy) + 5, "text-anchor": turned ? "end" : null }, current.name));
  }
  $("effort-words").textContent = `No implementation has both less code and less time than one of these: ${front.map((c) => `${c.name} (${plural(c.candidate.lines, "line")}, ${seconds(c.seconds)})`).join("; ")}.`;
  $("effort-chart").replaceChildren(el("svg:svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-labelledby": "effort-words" }, parts));
}
// Return {name: place} of labels, moved down, then up from the last label, until the labels do not touch.
function apart(places, top, most, line) {
  const ends = places.map(([name, place]) => ({ name, place })).sort((a, b) => a.place - b.place);
  ends.forEach((end, n) => { end.place = Math.max(end.place, n ? ends[n - 1].place + line : top + 4); });
  for (let n = ends.length - 1; n >= 0; n -= 1, most -= line) ends[n].place = Math.min(ends[n].place, most);
  return new Map(ends.map(({ name, place }) => [name, place]));
}
