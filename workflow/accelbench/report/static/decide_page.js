// The decide page. The form sets the state, and all other parts show the answer for this state.
const el = (tag, attributes = {}, ...children) => {
  const made = tag.startsWith("svg:") ? document.createElementNS("http://www.w3.org/2000/svg", tag.slice(4)) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "css") Object.entries(value).forEach((pair) => made.style.setProperty(...pair));
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
};
const $ = (id) => document.getElementById(id);
const colour = (backend) => DATA.colours[backend];
const MOST_LINES = 12, KINDS_OF_ROWS = ["numpy", "backends", "all"];
let state = null, current = null;

// -- the state, and the link that contains it
const readAsked = () => new URLSearchParams(location.hash.slice(1));
// The measured family (kernel, dtype and options) and size that are nearest to the requested ones.
const nearestFamily = (asked) => {
  const wanted = asked.get("kernel") ?? DATA.families[0].kernel, families = DATA.families.filter(({ kernel }) => kernel === wanted);
  const own = families.length ? families : DATA.families, dtype = asked.get("dtype") ?? own[0].dtype;
  const fits = [(f) => f.dtype === dtype, (f) => f.options === (asked.get("options") ?? "")];
  return own.find((f) => fits.every((fit) => fit(f))) ?? own.find(fits[0]) ?? own.find(fits[1]) ?? own[0];
};
const nearestSize = (family, asked) => {
  const exact = family.problems.find(({ size }) => String(size) === asked.get("size")), far = ({ size }) => Math.abs(Math.log(Math.max(1, size) / Math.min(Number(asked.get("size")), Number.MAX_VALUE)));
  if (exact || !(Number(asked.get("size")) > 0) || family.kernel !== asked.get("kernel")) return exact ?? usual(family);
  return least(family.problems.filter(({ ways }) => ways.length), far);
};
const usual = (family) => family.problems.find(({ size }) => size === family.usual);
// The available number of calls that is nearest to the requested one; the usual one without a request.
const callsOf = (text) => (Number(text) >= 1 ? least(DATA.calls, (calls) => Math.abs(Math.log(calls / Math.min(Number(text), Number.MAX_VALUE)))) : 1000);
// The requested row if the kernel has it. The row may have no time in this state, such as after a change of size.
const nameOf = (kernel, row) => (DATA.families.some((family) => family.kernel === kernel && family.problems.some(({ ways }) => ways.some((way) => named(wayOf(way)) === row))) ? row : "");
const readState = () => {
  const asked = readAsked(), family = nearestFamily(asked), problem = nearestSize(family, asked);
  const place = PLACES.includes(asked.get("place")) ? asked.get("place") : PLACES[0], ranking = DATA.base && asked.get("ranking") === "base" ? "base" : "";
  const calls = callsOf(ranking ? null : asked.get("calls"));
  const rows = KINDS_OF_ROWS.includes(asked.get("rows")) ? asked.get("rows") : "backends";
  return { kernel: family.kernel, dtype: family.dtype, options: family.options, size: problem.size, place, calls, ranking, rows, row: nameOf(family.kernel, asked.get("row")) };
};
const linkOf = (which) => {
  const told = new URLSearchParams();
  for (const [name, value] of Object.entries(which)) if (String(value)) told.set(name, value);
  return `#${told}`;
};
// Requested values that were not measured here, such as those in another machine's link, and what is shown instead.
const ELSEWHERE = new Map([["pinned", "page-locked host memory"], ["kept", "data kept on a device"]]);
const nearestWords = () => {
  const asked = readAsked(), family = familyOf(state), wanted = (name) => asked.get(name) ?? "", lacks = [];
  const lack = (name, was, now) => { if (wanted(name) && wanted(name) !== String(state[name])) lacks.push([was, now]); };
  const dtype = wanted("dtype") || state.dtype, options = asked.has("options") || asked.has("dtype") ? wanted("options") : state.options;
  if (dtype !== state.dtype || options !== state.options) lacks.push([`${dtype} ${wanted("options")}`.trim(), family.title]);
  lack("size", Number(wanted("size")) > 0 ? `size ${size(wanted("size"))}` : "that size", `size ${size(state.size)}`);
  lack("place", ELSEWHERE.get(wanted("place")) ?? "that place of the data", `data ${DATA.places[state.place]}`);
  const told = (n) => lacks.map((lack) => lack[n]).join("; "), notes = [];
  if (lacks.length) notes.push(`Not measured on ${DATA.machine}: ${told(0)}. The nearest is shown: ${told(1)}.`);
  if (wanted("machine") && wanted("machine") !== DATA.machine) notes.push(`This is ${DATA.machine}, not ${wanted("machine")}.`);
  if (current && wanted("row") && wanted("row") !== current.name) notes.push(`${wanted("row")} has no time here: ${current.name} is chosen.`);
  if (wanted("calls") && Number(wanted("calls")) !== state.calls) notes.push(`${state.calls} calls, not ${wanted("calls")}.`);
  return notes.join(" ");
};
const set = (change) => {
  const next = { ...state, ...change };
  $("nearest").textContent = "";
  $("answer").hidden = false;
  history.replaceState(null, "", linkOf(next));
  show(next);
};

// -- small pictures: the position of a time between the least and the largest time in the table
// Intervals are cut off at a factor of REACH beyond all times, as in accelbench.figures.lines.within_reach.
const REACH = 2;
const scaleOf = (times, ends) => {
  const [least, most] = [Math.min(...times) / REACH, Math.max(...times) * REACH], within = (value) => Math.min(Math.max(value, least), most);
  const values = [...times, ...ends.map(within)].map(Math.log10), [low, high] = [Math.min(...values), Math.max(...values)], span = high - low || 1;
  return { at: (value) => 4 + (92 * (Math.log10(within(value)) - low)) / span, low, high };
};
const percentage = (value) => `${value.toFixed(2)}%`;
const ticksOf = ({ low, high }) => {
  const found = [];
  const span = high - low, steps = span > 1.5 ? [1] : span > 0.7 ? [1, 3] : span > 0.4 ? [1, 2, 5] : [1, 2, 3, 4, 5, 6, 7, 8, 9];
  for (let power = Math.floor(low); power <= Math.ceil(high); power += 1) {
    for (const step of steps) {
      const value = step * 10 ** power;
      if (Math.log10(value) >= low - 1e-9 && Math.log10(value) <= high + 1e-9) found.push(value);
    }
  }
  return found.length > 6 ? found.filter((_, n) => n % Math.ceil(found.length / 6) === 0) : found;
};
const short = (value) => { const [factor, prefix] = [[1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]].find(([f]) => value >= f * 0.9995) ?? [1e-9, "n"]; return `${Number((value / factor).toPrecision(2))}${NBSP}${prefix}s`; };
const OTHER = { pinned: "pageable", pageable: "pinned" };
// The time with ordinary host memory if the state has page-locked memory, and vice versa.
function otherTime({ candidate, way }) {
  const other = candidate.gpu && OTHER[state.place], problem = problemOf(state);
  return other in DATA.places ? inSeconds(rowsOf(problem.times[stateOf(problem, { ...state, place: other })[0]]).find(([own]) => own === way)?.[1] ?? null) : null;
}
function bar(choice, scale, numpy) {
  const { candidate, low, high } = choice, x = (value) => percentage(scale.at(value)), other = otherTime(choice), fill = colour(candidate.backend);
  return el("svg:svg", { class: "bar", "aria-hidden": "true" },
    numpy ? el("svg:line", { x1: x(numpy), x2: x(numpy), y2: 22, class: "numpy-line" }) : null,
    other ? [el("svg:line", { x1: x(choice.seconds), x2: x(other), y1: 11, y2: 11, stroke: fill, "stroke-width": 1.5 }), el("svg:circle", { cx: x(other), cy: 11, r: 4, fill: "var(--page)", stroke: fill, "stroke-width": 1.5 })] : null,
    low !== null ? el("svg:line", { x1: x(low), x2: x(high), y1: 11, y2: 11, stroke: fill, class: "interval" }) : null,
    el("svg:circle", { cx: x(choice.seconds), cy: 11, r: 5, fill }));
}
// Axis values whose labels do not touch, chosen from the last to the first, as in accelbench.figures.canvas.legible.
const LETTER = 6.7, BOLD = 7.4, BETWEEN = 4, wide = (label) => LETTER * label.length;
const legible = (values, at, label) => {
  const kept = [];
  for (const value of [...values].reverse()) if (kept.every((other) => Math.abs(at(value) - at(other)) >= (wide(label(value)) + wide(label(other))) / 2 + BETWEEN)) kept.push(value);
  return kept;
};
function axis(scale) {
  const width = $("axis").parentElement.clientWidth, within = (value) => { const half = wide(short(value)) / 2 + BETWEEN; return Math.min(width - half, Math.max(half, (width * scale.at(value)) / 100)); };
  $("axis").replaceChildren(el("svg:svg", { class: "bar", width: "100%", height: 16, "aria-hidden": "true" }, legible(ticksOf(scale), within, short).map((value) => el("svg:text", { x: within(value).toFixed(1), y: 12, "text-anchor": "middle" }, short(value)))));
}
// -- the parts of the page
const chosenRows = ({ ranking, leaders, numpy }, kind) => {
  if (kind === "all") return ranking;
  const backends = new Set();
  return ranking.filter((c) => {
    const first = !backends.has(c.candidate.backend);
    backends.add(c.candidate.backend);
    return c === numpy || c.name === state.row || (kind === "backends" ? first : leaders.slice(0, 3).includes(c));
  });
};
function table(found) {
  const rows = chosenRows(found, state.rows), numpy = found.numpy?.seconds ?? null;
  const times = rows.flatMap((c) => [c.seconds, otherTime(c)]).concat(numpy).filter(Boolean), ends = rows.flatMap((c) => [c.low, c.high]).filter(Boolean);
  const scale = scaleOf(times, ends);
  $("rows").replaceChildren(...rows.map((choice) => {
    const { candidate, leads, standing } = choice, picked = choice === current;
    return el("tr", { class: [leads && "leads", picked && "picked"].filter(Boolean).join(" ") || null, onclick: () => set({ row: choice.name }) },
      el("th", { scope: "row" }, el("button", { type: "button", class: "chip pick", "aria-pressed": picked ? "true" : "false", css: { "--c": colour(candidate.backend) }, "data-row": choice.name }, choice.name), choice.manner ? el("small", {}, choice.manner) : null),
      el("td", { class: "wide" }, bar(choice, scale, numpy)),
      el("td", {}, seconds(choice.seconds), standing ? el("small", {}, ` ${standing}`) : null),
      el("td", {}, choice.speedup ? ratio(choice.speedup) : "–"),
      el("td", {}, String(candidate.lines ?? "–")),
      el("td", {}, choice.startup === null ? "–" : seconds(choice.startup)),
      el("td", {}, choice.all === null ? "–" : seconds(choice.all)),
      el("td", {}, choice.ofPeak !== null ? percentOf(choice.ofPeak) : choice.conditions.includes("in cache") ? "in cache" : "–"),
      el("td", {}, el("button", { type: "button", class: "copy", "aria-label": `The case of ${choice.name}`, onclick: (event) => { event.stopPropagation(); openCase(choice); } }, "Case")));
  }), ...found.hollow.map((candidate) => el("tr", { class: "hollow" }, el("th", { scope: "row" }, el("span", { class: "chip", css: { "--c": colour(candidate.backend) } }, candidate.backend)), el("td", { colspan: 8 }, "no version in base"))));
  $("table").classList.toggle("no-peak", rows.every(({ ofPeak }) => ofPeak === null));
  axis(scale);
  onresize = () => { axis(scale); pictures(found); };
  $("count").textContent = `all ${found.ranking.length}`;
  for (const input of document.querySelectorAll("[name=rows]")) input.checked = input.value === state.rows;
}
const linesOf = (found) => {
  const family = familyOf(state), each = family.problems.map((problem) => [problem.size, rankingOf(problem, state)]);
  const ends = chosenRows(found, "backends"), wanted = [current, found.numpy, ...found.leaders.slice(0, 2), ...ends].filter(Boolean).map(({ name }) => name);
  const names = [...new Set(wanted)].slice(0, MOST_LINES);
  return { each: each.filter(([, ranking]) => ranking.length), names };
};
// Neighbouring lines also differ in markers and dashes, so that readers need no colours.
const SIGNS = "●■▲◆", SHAPES = ["m-3,0a3,3 0 1,0 6,0a3,3 0 1,0-6,0z", "m-3-3h6v6h-6z", "m-3.5,3h7l-3.5-6.5z", "m0-4l4,4l-4,4l-4-4z"], DASHES = [null, "6 3", "2 3"];
const mark = (n, at, place, ...told) => el("svg:path", { d: `M${at.toFixed(1)},${place.toFixed(1)}${SHAPES[n % 4]}` }, told);
function pictures(found) {
  const { each, names } = linesOf(found), alone = each.length < 2;
  $("one-size").hidden = !alone;
  for (const name of ["chart", "key", "copy-chart"]) $(name).hidden = alone;
  if (!alone) chart(found, each, names);
  $("brackets").replaceChildren(...found.brackets.filter(({ words, command }) => command || !found.sentences.includes(words)).map(({ words, command }) => el("p", {}, words, command ? commandOf(command) : null)));
}
function chart(found, each, names) {
  const believed = (c) => c.standing !== "implausible";
  const all = each.flatMap(([, ranking]) => ranking.filter((c) => names.includes(c.name) || c === ranking.find(believed)).map((c) => c.seconds));
  const sizes = each.map(([at]) => at), [H, L, R, T, B] = [300, 58, Math.max(220, 27 + BOLD * Math.max(...names.map((name) => name.length))), 12, 34], log = Math.log10;
  // On a phone the names beside the chart are cut off.
  const W = Math.min(670, $("chart").clientWidth + R - 30);
  const [x0, x1, y0, y1] = [log(Math.max(1, sizes[0])), log(Math.max(1, sizes.at(-1))), log(Math.min(...all)), log(Math.max(...all))];
  const x = (at) => L + ((log(Math.max(1, at)) - x0) / (x1 - x0 || 1)) * (W - L - R), y = (s) => T + (1 - (log(s) - y0) / (y1 - y0 || 1)) * (H - T - B);
  const points = (list) => list.map(([at, s]) => `${x(at).toFixed(1)},${y(s).toFixed(1)}`).join(" "), parts = [];
  for (const [n, { words, below, at }] of found.brackets.filter(({ at }) => at !== null).entries()) {
    const who = words.startsWith("A GPU") ? "GPU pays" : "NumPy beaten";
    parts.push(el("svg:rect", { class: "bracket", x: x(below), y: T, width: x(at) - x(below), height: H - T - B }, el("svg:title", {}, `${who} from here on`)), el("svg:text", { x: (x(below) + x(at)) / 2, y: T + 10 + 13 * n, "text-anchor": "middle" }, `${who} ⟶`));
  }
  for (const at of ticksOf({ low: y0, high: y1 })) parts.push(el("svg:line", { class: "grid", x1: L, x2: W - R, y1: y(at), y2: y(at) }), el("svg:text", { x: L - 6, y: y(at) + 4, "text-anchor": "end" }, short(at)));
  for (const at of legible(sizes, x, size)) parts.push(el("svg:text", { x: x(at), y: H - 16, "text-anchor": "middle" }, size(at)));
  parts.push(el("svg:text", { x: (L + W - R) / 2, y: H - 2, "text-anchor": "middle" }, DATA.kernels[state.kernel].size), el("svg:line", { class: "grid", x1: x(state.size), x2: x(state.size), y1: T, y2: H - B, "stroke-dasharray": "2 3" }));
  parts.push(el("svg:polyline", { class: "envelope", points: points(each.map(([at, ranking]) => [at, ranking.find(believed)?.seconds]).filter(([, s]) => s)) }, el("svg:title", {}, "the best of all")));
  const curves = names.map((name) => [name, each.map(([at, ranking]) => [at, ranking.find((c) => c.name === name)]).filter(([, c]) => c)]).filter(([, curve]) => curve.length);
  const ends = apart(curves.map(([name, curve]) => [name, y(curve.at(-1)[1].seconds)]), T, H - B + 6, 13);
  for (const [n, [name, curve]] of curves.entries()) {
    const fill = colour(curve[0][1].candidate.backend), [at, last] = curve.at(-1), place = ends.get(name);
    parts.push(el("svg:g", { "data-line": name, class: current?.name === name ? "chosen" : null, stroke: fill, fill },
      el("svg:polyline", { points: points(curve.map(([where, c]) => [where, c.seconds])), fill: "none", "stroke-dasharray": DASHES[n % 3] }),
      curve.map(([where, c]) => mark(n, x(where), y(c.seconds), el("svg:title", {}, `${name}, ${size(where)}: ${seconds(c.seconds)}`))),
      el("svg:line", { x1: x(at), y1: y(last.seconds), x2: W - R + 14, y2: place, opacity: 0.4, "stroke-dasharray": "1 3" }), el("svg:g", { class: "end" }, mark(n, W - R + 20, place)), el("svg:text", { class: "end", x: W - R + 27, y: place + 4, stroke: "none" }, name)));
  }
  const words = `Time of a call against size, both logarithmic, ${plural(curves.length, "line")}; bold: the best of all.`;
  $("chart").replaceChildren(el("svg:svg", { css: W < 670 ? { width: `${W}px` } : {}, viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": words }, parts));
  $("key").replaceChildren(...curves.map(([name, curve], n) => el("li", { css: { "--c": colour(curve[0][1].candidate.backend) }, "data-sign": SIGNS[n % 4] }, name)));
}
const WORDS_OF_CODE = /("""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\b(def|return|for|in|if|else|elif|while|import|from|as|with|class|lambda|yield|not|and|or|is|None|True|False|cdef|cimport|nogil|static|const|void|int|double|float|unsigned|size_t|struct|__global__|__kernel|__shared__|restrict|extern)\b/;
const wordsAfter = (comment) => new RegExp(`(${comment})|${WORDS_OF_CODE.source}`, "g");
const IN_PYTHON = wordsAfter(/#[^\n]*/.source), NATIVE = wordsAfter(/(?<![\w#])#(?!#)[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\//.source);
const highlight = (text, file) => {
  const parts = []; let last = 0;
  for (const found of text.matchAll(/\.(py|pyx|pxd)$/.test(file) ? IN_PYTHON : NATIVE)) {
    const native = found[0].startsWith("#") && /^#(include|pragma|define|if|endif|else)/.test(found[0]);
    parts.push(text.slice(last, found.index), el("span", { class: native ? "cp" : found[1] ? "c1" : found[2] ? "s2" : "k" }, found[0]));
    last = found.index + found[0].length;
  }
  return [...parts, text.slice(last)];
};
function code(found) {
  const { candidate } = current, known = sourceOf(state.kernel, candidate.name);
  const best = familyOf(state).problems.filter((problem) => rankingOf(problem, state).some((c) => c.leads && c.name === current.name)).map((problem) => size(problem.size));
  const lost = current.seconds - (found.best ?? current).seconds;
  const cost = lost > 0 ? `${seconds(lost)} a call slower than the first of the ranking, which takes ${percentOf(lost / current.seconds)} less` : current.name === found.best?.name ? "the first of the ranking" : "no slower than the first of the ranking";
  $("code").replaceChildren(el("h2", {}, el("span", { class: "chip", css: { "--c": colour(candidate.backend) } }, candidate.name), known ? el("small", {}, ` ${word(known[0])}`) : ""),
    el("p", { class: "note" }, `${cost}; ${best.length ? `among the best at ${best.join(", ")}` : "at no size among the best"}.`),
    ...(known?.[1] ?? []).map(([file, text]) => el("div", { class: "file" }, el("div", { class: "file-name" }, word(file)), el("pre", { class: "code", tabindex: 0 }, el("code", {}, highlight(word(text), word(file)))))),
    el("p", {}, el("a", { href: sourceLink(candidate) }, "All of its source, with its build")));
}
const sourceLink = ({ name }) => `kernels/${state.kernel}.html#source-${slug(state.kernel)}-${slug(name)}`;
const slug = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, " ").trim().replaceAll(" ", "-");
const commandOf = (text) => el("span", { class: "command" }, el("code", {}, text), navigator.clipboard ? el("button", { type: "button", class: "copy", onclick: ({ target }) => copied(target, text) }, "Copy") : null);
const copied = async (target, text) => {
  const before = target.textContent;
  await navigator.clipboard.writeText(text);
  target.textContent = "Copied";
  setTimeout(() => { target.textContent = before; }, 1500);
};
// Commands, as accelbench.report.commands writes them.
const again = (what, ...words) => ["python -m accelbench", what, DATA.kernels[state.kernel].option, ...words].filter(Boolean).join(" ");
const intervalOf = ({ low, high }, before = ", ", after = "") => (low === null || high === null ? "" : `${before}95${NBSP}% interval ${interval([low, high], seconds)}${after}`);
const caseOf = ({ candidate, parameters }) => [state.kernel, candidate.name, state.dtype, state.size, ...(state.options ? state.options.split(" ") : []), candidate.place, ...(parameters === "-" ? [] : [parameters])].join("/");
function strip(text) {
  const [first, middle, shade, each] = DATA.tones, repetitions = Array.from({ length: text.length / each }, (_, n) => text.slice(n * each, (n + 1) * each)), width = 100 / repetitions.length;
  const values = repetitions.map((own) => [...own].map((tone) => (tone.charCodeAt(0) - first.charCodeAt(0) - middle) * shade)), most = Math.max(0.01, ...values.flat().map(Math.abs));
  return el("svg:svg", { class: "bar strip", width: "100%", height: 70, role: "img", "aria-label": `Samples of ${plural(repetitions.length, "repetition")}, within ${percentOf(Math.exp(most) - 1)} of their median` },
    el("svg:line", { x1: 0, x2: "100%", y1: 35, y2: 35, class: "numpy-line" }), ["+", "−"].map((sign, n) => el("svg:text", { x: 0, y: 10 + 58 * n }, `${sign}${percentOf(Math.exp(most) - 1)}`)), values.flatMap((own, n) => own.map((value, m) => el("svg:circle", { cx: percentage(n * width + (width * (m + 1)) / (own.length + 1)), cy: 35 - (30 * value) / most, r: 2, class: n % 2 ? "odd" : null }))));
}
function openCase(choice) {
  const { candidate } = choice, id = caseOf(choice), [, , compiler, page] = sourceOf(state.kernel, candidate.name) ?? [], made = word(compiler);
  const readable = (made && candidate.backend !== "pyopencl") || candidate.backend.startsWith("numba"), facts = [
    ["Case", el("code", {}, id)], ["Repeat it", commandOf(again(`case '${id}'`))],
    ["Time", `${seconds(choice.seconds)}${intervalOf(choice)}, data ${DATA.places[state.place]}`],
    ["Written as", choice.manner], ["Timed in", choice.conditions], ["Samples around their median, repetitions in two alternating colours", strip(choice.strip)], ["Clocks, energy", choice.clocks || "not recorded"], ["Memory", choice.memory === undefined ? "not recorded" : `${choice.memory} MB in addition to its arrays`], ["Compiled by", made],
    ["Generated C", page && el("a", { href: `build/${state.kernel}/${page}` }, "Annotated by Cython")], ["Assembly, PTX", readable && commandOf(again(`case --code '${id}'`))],
    ["Source", el("a", { href: sourceLink(candidate) }, `kernels/${state.kernel}/${candidate.name}`)], ["All its cases", el("a", { href: `kernels/${state.kernel}.html#cases-${slug(state.kernel)}` }, state.kernel)], ["Cite", el("pre", { class: "code", tabindex: 0 }, DATA.citation)]];
  $("case").replaceChildren(el("form", { method: "dialog" }, el("h2", {}, choice.name), el("button", { class: "copy" }, "Close")), el("dl", { class: "facts-list" }, facts.filter(([, what]) => what).map(([name, what]) => el("div", {}, el("dt", {}, name), el("dd", {}, what)))));
  $("case").showModal();
}
const learning = (found) => $("portfolio").replaceChildren(...found.learning.map(([backends, share, more]) => el("li", {}, `${backends} `, el("b", {}, share), el("small", {}, ` ${more}`))));
function missing(found) {
  const cases = found.missing.reduce((sum, [, count]) => sum + count, 0);
  $("missing").hidden = !cases;
  $("missing").querySelector("summary").textContent = `${plural(new Set(found.missing.flatMap(([who]) => who)).size, "implementation")} not measured at this size: reasons and remedies`;
  $("missing").querySelector("ul").replaceChildren(...found.missing.map(([who, count, outcome, reason, remedy]) => el("li", {}, `${who.slice(0, 4).join(", ")}${who.length > 4 ? ` and ${who.length - 4} more` : ""}: `, el("b", { class: "bad" }, outcome.replaceAll("_", " ")), `, ${reason}. `, el("span", { class: "remedy" }, `Remedy: ${remedy}.`))));
}
const csv = (found) => ["implementation,device,seconds,low_s,high_s,speedup,lines,startup_s,case", ...found.ranking.map((c) => [c.candidate.name, c.candidate.device || "cpu", c.seconds, c.low, c.high, c.speedup, c.candidate.lines, c.startup, caseOf(c)].map((value) => (value === null ? "" : `"${String(value).replaceAll('"', '""')}"`)).join(","))].join("\n");
const wholeSentence = (found) => {
  const interval = found.best ? intervalOf(found.best, " (", ")") : "";
  return `${state.kernel}, ${size(state.size)}, ${familyOf(state).title}, data ${DATA.places[state.place]}, ${DATA.machine}: ${found.sentences.join(" ")}${interval} ${location.href}`;
};

// -- the whole page
function options(select, values, chosen) {
  select.replaceChildren(...values.map(([value, words]) => el("option", { value, selected: value === chosen }, words)));
  select.value = chosen;
}
function form() {
  const own = DATA.families.filter(({ kernel }) => kernel === state.kernel);
  options($("ask-kernel"), KERNELS.map((kernel) => [kernel, kernel]), state.kernel);
  options($("ask-size"), familyOf(state).problems.map((problem) => [String(problem.size), size(problem.size)]), String(state.size));
  $("ask-what").textContent = `${DATA.kernels[state.kernel].title}; size: ${DATA.kernels[state.kernel].size}`;
  options($("ask-family"), own.map((family, n) => [String(n), family.title]), String(own.indexOf(familyOf(state))));
  $("ask-family").parentElement.hidden = own.length < 2;
  options($("ask-place"), Object.entries(DATA.places), state.place);
  options($("ask-calls"), DATA.calls.map((calls) => [String(calls), size(calls)]), String(state.calls));
  $("ask-calls").disabled = Boolean(state.ranking);
  for (const input of document.querySelectorAll("[name=ranking]")) input.checked = input.value === state.ranking;
}
// A link to data kept on the device, if the best time with such data is lower than the best time at the current place.
const keeping = ({ best }) => {
  const kept = "kept" in DATA.places && state.place !== "kept" ? rankingOf(problemOf(state), { ...state, place: "kept" }).find(({ leads }) => leads) : null;
  return kept && kept.seconds < best.seconds ? [" ", el("a", { href: linkOf({ ...state, place: "kept" }) }, "Keep the data there")] : null;
};
function show(next) {
  const focus = document.activeElement?.dataset?.row;
  state = next;
  const found = answer(state);
  current = found.ranking.find(({ name }) => name === state.row) ?? found.best ?? found.ranking[0] ?? null;
  form();
  $("sentence").textContent = found.sentences[0];
  $("more").replaceChildren(...found.sentences.slice(1).map((sentence) => el("li", {}, sentence, /^Data [a-z ]*kept/.test(sentence) ? keeping(found) : null)));
  $("interval").textContent = found.best ? intervalOf(found.best, "") : "";
  $("decides").replaceChildren(...(found.decides ? [commandOf(found.decides)] : []));
  for (const [id, draw] of [["table", table], ["pictures", pictures], ["effort", effort], ["code", code]]) {
    $(id).hidden = !current;
    if (current) draw(found);
  }
  learning(found);
  missing(found);
  $("permalink").href = linkOf(state);
  $("csv").href = `data:text/csv;charset=utf-8,${encodeURIComponent(csv(found))}`;
  $("csv").download = `${DATA.machine}-${state.kernel}-${state.size}-${state.place}.csv`;
  $("copy-sentence").onclick = ({ target }) => copied(target, wholeSentence(found));
  for (const name of ["chart", "effort"]) $(`copy-${name}`).onclick = ({ target }) => copied(target, alone($("pictures").querySelector(`#${name} svg`)));
  if (focus) [...document.querySelectorAll("[data-row]")].find((button) => button.dataset.row === focus)?.focus();
}
for (const [id, change] of [
  ["ask-kernel", ({ value }) => usualState(value)], ["ask-size", ({ value }) => ({ size: Number(value) })], ["ask-place", ({ value }) => ({ place: value })],
  ["ask-family", ({ value }) => { const own = DATA.families.filter(({ kernel }) => kernel === state.kernel)[Number(value)]; return { dtype: own.dtype, options: own.options, size: own.problems.some((problem) => problem.size === state.size) ? state.size : usual(own).size }; }],
  ["ask-calls", ({ value }) => ({ calls: Number(value) })]]) {
  $(id).addEventListener("input", ({ target }) => set(change(target)));
}
function usualState(kernel) {
  const family = DATA.families.find((each) => each.kernel === kernel);
  return { kernel, dtype: family.dtype, options: family.options, size: usual(family).size, row: "" };
}
for (const input of document.querySelectorAll("[name=rows]")) input.addEventListener("change", () => set({ rows: input.value }));
for (const input of document.querySelectorAll("[name=ranking]")) input.addEventListener("change", () => set({ ranking: input.value, calls: callsOf(null) }));
$("rows").addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], buttons = [...document.querySelectorAll("[data-row]")], at = buttons.indexOf(event.target);
  if (at < 0) return;
  if (step) {
    event.preventDefault();
    const next = buttons[Math.min(buttons.length - 1, Math.max(0, at + step))];
    next.focus();
    set({ row: next.dataset.row });
  } else if (event.key === "Enter" && event.target.dataset.row === current?.name) {
    event.preventDefault();
    openCase(current);
  }
});
// Open the report of another machine with the same state. Its list of machines gets the focus, for selection by keys.
$("ask-machine")?.addEventListener("input", ({ target }) => {
  const other = target.value;
  target.value = DATA.machine; // for the browser's back button
  if (other !== DATA.machine) location.href = `../${other}/index.html${linkOf({ ...state, from: DATA.machine })}`;
});
// If a kernel was not measured here, show a link to the machine that the user left, and no numbers of other kernels.
function lacking(kernel, from) {
  const link = from && el("a", { href: `../${from}/index.html${location.hash}` }, `${from} has it.`);
  $("answer").hidden = true;
  $("ask-kernel").value = "";
  $("nearest").replaceChildren(`${kernel} was not measured on ${DATA.machine}. `, link ?? "Choose another kernel or machine.");
}
function arrive() {
  const asked = readAsked(), [kernel, from] = ["kernel", "from"].map((name) => asked.get(name));
  $("answer").hidden = false;
  show(readState());
  if (kernel && !KERNELS.includes(kernel)) return lacking(kernel, /^[\w.-]+$/.test(from ?? "") ? from : null);
  $("nearest").textContent = nearestWords();
  if (!from) return;
  history.replaceState(null, "", linkOf(state));
  $("ask-machine")?.focus();
}
addEventListener("hashchange", () => {
  if (location.hash.length < 2 || location.hash.includes("=")) arrive();
});
document.getElementById("ask").addEventListener("submit", (event) => event.preventDefault());
if (DATA.families.length) {
  root.classList.add("js");
  $("ask").hidden = false;
  arrive();
}
