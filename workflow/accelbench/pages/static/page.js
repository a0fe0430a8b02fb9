"use strict";
// This script adds the theme switch, sorting, filtering, copying and highlighting. It also fills tables of cases.
const root = document.documentElement;
const stored = { get: () => { try { return localStorage.getItem("accelbench-theme"); } catch { return null; } },
                 set: (value) => { try { localStorage.setItem("accelbench-theme", value); } catch { /* private window */ } } };
const systemDark = matchMedia("(prefers-color-scheme: dark)");
const button = document.getElementById("theme");
const isDark = () => (root.dataset.theme || (systemDark.matches ? "dark" : "light")) === "dark";
const nameTheme = () => { button.textContent = isDark() ? "Light" : "Dark"; };
if (["light", "dark"].includes(stored.get())) root.dataset.theme = stored.get();
button.hidden = false;
nameTheme();
systemDark.addEventListener("change", nameTheme);
button.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  stored.set(root.dataset.theme);
  nameTheme();
});

const valueOf = (cell) => {
  const text = cell?.dataset.v ?? cell?.textContent.trim() ?? "";
  const number = Number(text);
  return text === "" || text === "–" ? null : Number.isNaN(number) ? text : number;
};
const compare = (a, b) => {
  if (a === null || b === null) return (a === null) - (b === null);
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
};
// Put a button into each column heading of a table. The button calls sort(column, down).
const sortable = (table, sort) => {
  const headers = [...table.tHead.rows[0].cells];
  headers.forEach((header, column) => {
    const sorter = document.createElement("button");
    sorter.type = "button";
    sorter.textContent = header.textContent;
    header.replaceChildren(sorter);
    header.dataset.head = sorter.textContent; // print shows this text instead of the button
    sorter.addEventListener("click", () => {
      const down = header.getAttribute("aria-sort") === "ascending";
      headers.forEach((other) => other.removeAttribute("aria-sort"));
      header.setAttribute("aria-sort", down ? "descending" : "ascending");
      sort(column, down);
    });
  });
};
const inOrder = (pairs, down) =>
  pairs.sort(([a], [b]) => (a === null || b === null ? compare(a, b) : down ? compare(b, a) : compare(a, b))).map(([, what]) => what);
for (const table of document.querySelectorAll("table.sortable")) {
  sortable(table, (column, down) => {
    table.tBodies[0].append(...inOrder([...table.tBodies[0].rows].map((row) => [valueOf(row.cells[column]), row]), down));
  });
}

// The table of a kernel's cases. Its rows are made from the data that follow the table.
const MOST_ROWS = 400;
const significant = (value, digits = 3) => {
  if (value === 0) return "0";
  const [mantissa, power] = value.toExponential(60).split("e"), [kept, further] = [mantissa.slice(0, digits + 1), mantissa.slice(digits + 1)];
  const even = /^50*$/.test(further) && "02468".includes(kept.at(-1)); // round halves to even, as Python does
  const rounded = even ? Number(`${kept}e${power}`) : Number(value.toExponential(digits - 1));
  const places = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(rounded))));
  const [whole, rest] = rounded.toFixed(places).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  return rest ? `${grouped}.${rest}` : grouped;
};
const scaled = (value, unit) => {
  const [factor, prefix] = [[1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]].find(([f]) => value >= f * 0.9995) ?? [1e-9, "n"];
  return `${significant(value / factor)}\u00a0${prefix}${unit}`;
};
const size = (value) => {
  const digits = String(value), power = "10" + String(digits.length - 1).replace(/\d/g, (d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]);
  if (/^10{3,}$/.test(digits)) return power;
  if (/^[2-9]0{5,}$/.test(digits)) return `${digits[0]}·${power}`;
  return digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
};
const seconds = (value) => scaled(value, "s"), ratio = (value) => `${significant(value)}×`;
const VAST = 100, interval = ([low, high], show) => (high <= VAST * Math.abs(low) ? `${show(low)} – ${show(high)}` : `wider than a factor of ${VAST}`);
const shown = {
  size, seconds, ratio, number: significant,
  joules: (value) => scaled(value, "J"),
  bytes: (value) => `${significant(value / 1e6)}\u00a0MB`,
  percent: (value) => `${Math.round(value * 100)}\u00a0%`,
  scientific: (value) => (value === 0 ? "0" : value.toExponential(1).replace(/e([+-])(\d)$/, "e$10$2")),
  block: ([text]) => text,
  seconds_interval: (ends) => interval(ends, seconds),
  ratio_interval: (ends) => interval(ends, ratio),
};
const FLAGS = ["noisy", "in cache", "implausible", "launch-bound", "calls wait", "commands unseen", "more cores than threads", "inputs replaced", "works in convert", "faster in later repetitions", "drifts"], WORDS = ["name", "text", "device", "outcome"];
class Cases {
  constructor(table, data) {
    this.table = table;
    this.columns = data.columns;
    this.backends = data.backends;
    this.strings = data.strings;
    this.rows = data.rows.map((cells) => ({ cells, text: null }));
    this.size = this.columns.findIndex(([kind]) => kind === "size");
    sortable(table, (column, down) => {
      this.rows = inOrder(this.rows.map((row) => [this.value(row, column), row]), down);
      this.apply();
    });
    this.filters();
  }
  word(place) { return this.strings[place]; }
  value({ cells }, column) {
    const kind = this.columns[column][0], cell = cells[column];
    if (cell === null) return null;
    return WORDS.includes(kind) ? this.word(cell) || null : kind === "block" ? cell[1] : Array.isArray(cell) ? cell[0] : cell;
  }
  show({ cells }, column) {
    const kind = this.columns[column][0], cell = cells[column];
    if (WORDS.includes(kind)) return this.word(cell);
    if (cell === null) return kind.endsWith("interval") ? "" : "–";
    return shown[kind] ? shown[kind](cell) : String(cell);
  }
  outcome({ cells }) {
    const outcome = this.show({ cells }, this.columns.length - 1).replaceAll("_", " ");
    const flags = FLAGS.filter((_, bit) => cells.at(-3) & (1 << bit));
    return [outcome, ...flags].join(", ");
  }
  text(row) {
    row.text ??= [...this.columns.keys()].map((column) => this.show(row, column)).concat(this.outcome(row), this.word(row.cells.at(-1) ?? -1) ?? "").join(" ").toLowerCase();
    return row.text;
  }
  element(row) {
    const made = document.createElement("tr"), reason = row.cells.at(-1), last = this.columns.length - 1;
    if (row.cells.at(-2)) made.className = "paper";
    const first = this.columns.findIndex(([kind]) => kind === "seconds");
    const device = this.columns.findIndex(([kind]) => kind === "device");
    const hidden = this.every.checked ? 0 : this.columns.slice(first, device).filter(([, marks]) => marks & 2).length;
    this.columns.forEach(([kind, marks], column) => {
      if (reason !== null && column >= first && column < device) {
        if (column > first) return;
        const cell = made.insertCell(), why = document.createElement("div");
        cell.colSpan = device - first - hidden;
        cell.className = "reason";
        why.className = "why";
        why.textContent = this.word(reason);
        cell.append(why);
        return;
      }
      const cell = document.createElement(kind === "name" ? "th" : "td");
      cell.className = kind + ["", " screen", " more", " screen more"][marks];
      cell.textContent = column === last ? this.outcome(row) : this.show(row, column);
      if (kind === "name") {
        cell.scope = "row";
        cell.style.setProperty("--c", this.backends[cell.textContent]);
      }
      if (column === last && (reason !== null || row.cells.at(-3) & 4)) cell.classList.add("bad");
      made.append(cell);
    });
    return made;
  }
  filters() {
    const filters = document.querySelector(`[aria-controls="${this.table.id}"]`).closest(".filters");
    [this.search, this.select, this.every, this.told, this.all] = ["input", "select", "[type=checkbox]", "output", ".all"].map((what) => filters.querySelector(what));
    filters.hidden = false;
    this.search.addEventListener("input", () => this.apply());
    this.select.addEventListener("change", () => this.apply());
    this.every.addEventListener("change", () => this.apply());
    this.all.addEventListener("click", () => this.apply(Infinity));
    this.apply();
  }
  apply(most = MOST_ROWS) {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.rows.filter((row) => (this.select.value === "" || String(row.cells[this.size]) === this.select.value) && words.every((word) => this.text(row).includes(word)));
    this.table.tBodies[0].replaceChildren(...found.slice(0, most).map((row) => this.element(row)));
    this.table.classList.toggle("every", this.every.checked);
    this.all.hidden = found.length <= most;
    this.told.textContent = found.length > most ? `${most} of ${found.length} found, ${this.rows.length} in all` : `${found.length} of ${this.rows.length}`;
  }
}
for (const data of document.querySelectorAll('.cases + script[type="application/json"]')) {
  new Cases(data.previousElementSibling, JSON.parse(data.textContent));
}

const copying = (button, text) => {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const before = button.textContent;
    await navigator.clipboard.writeText(text());
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = before; }, 1500);
  });
};
// Formats of a figure's numbers, for spreadsheets and for Markdown.
const FORMS = {
  TSV: (rows) => rows.map((cells) => cells.join("\t")),
  Markdown: ([head, ...rows]) => [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`),
};
// Return a drawing as the text of an SVG file, with the style sheet's rules inline, in the light theme's colours.
const LOOKS = ["fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "font-family", "font-size", "font-style", "font-weight", "text-anchor"];
const alone = (svg) => {
  const { theme } = root.dataset, copy = svg.cloneNode(true), { width, height } = svg.viewBox.baseVal;
  const copies = [copy, ...copy.querySelectorAll("*")];
  root.dataset.theme = "light";
  [svg, ...svg.querySelectorAll("*")].forEach((part, n) => {
    const own = getComputedStyle(part), above = part === svg ? null : getComputedStyle(part.parentNode), made = copies[n];
    if (own.display === "none") return made.remove();
    for (const name of ["style", "class", "tabindex", ...LOOKS, ...Object.keys(part.dataset).map((key) => `data-${key}`)]) made.removeAttribute(name);
    for (const look of LOOKS) if (own[look] !== above?.[look]) made.setAttribute(look, own[look]);
    if (own.opacity !== "1") made.setAttribute("opacity", own.opacity);
  });
  if (theme) root.dataset.theme = theme; else delete root.dataset.theme;
  Object.entries({ width, height }).forEach((pair) => copy.setAttribute(...pair));
  const text = new XMLSerializer().serializeToString(copy).replace(/ (?=href=)/g, " xlink:"); // for old SVG readers
  return `${text.replace(" ", ' xmlns:xlink="http://www.w3.org/1999/xlink" ')}\n`;
};
if (navigator.clipboard) {
  for (const figure of document.querySelectorAll(".plot")) {
    const svg = figure.querySelector(".drawing svg"), place = figure.querySelector(".numbers p") ?? figure;
    if (!svg) continue;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: "Copy SVG" });
    copying(button, () => alone(svg));
    place.append(" ", button);
  }
  for (const copy of document.querySelectorAll(".command > .copy")) copying(copy, () => copy.previousElementSibling.textContent);
  for (const numbers of document.querySelectorAll(".numbers")) {
    const rows = () => [...numbers.querySelectorAll("tr")].map((row) => [...row.cells].map((cell) => cell.textContent.trim()));
    for (const [name, lines] of Object.entries(FORMS)) {
      const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: `Copy ${name}` });
      copying(button, () => `${lines(rows()).join("\n")}\n`);
      numbers.querySelector("p").append(" ", button);
    }
  }
}

const here = document.querySelector(".top .links [aria-current]");
if (here) here.parentElement.scrollLeft = here.offsetLeft - here.parentElement.offsetLeft - 40;

for (const figure of document.querySelectorAll(".plot")) {
  const svg = figure.querySelector(".drawing svg");
  const pick = (event) => {
    const line = event.target.closest("[data-line]")?.dataset.line;
    svg.classList.toggle("picked", line !== undefined);
    for (const part of svg.querySelectorAll("[data-line]")) part.classList.toggle("on", part.dataset.line === line);
  };
  for (const place of [svg, figure.querySelector(".key")]) {
    place?.addEventListener("pointerover", pick);
    place?.addEventListener("pointerleave", pick);
  }
}

// A link to the source of an implementation selects this source.
const selectSource = () => {
  const tab = document.getElementById(location.hash.slice(1));
  if (tab?.type === "radio") tab.checked = true;
};
addEventListener("hashchange", selectSource);
selectSource();

let closed = [];
addEventListener("beforeprint", () => { closed = [...document.querySelectorAll(".fold.print:not([open])")]; closed.forEach((d) => { d.open = true; }); });
addEventListener("afterprint", () => closed.forEach((d) => { d.open = false; }));
