"use strict";
// The page is complete without this: it adds the theme switch, sorting, filtering, copying and highlighting.
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
for (const table of document.querySelectorAll("table.sortable")) {
  const headers = [...table.tHead.rows[0].cells];
  headers.forEach((header, column) => {
    const sorter = document.createElement("button");
    sorter.type = "button";
    sorter.textContent = header.textContent;
    header.replaceChildren(sorter);
    sorter.addEventListener("click", () => {
      const down = header.getAttribute("aria-sort") === "ascending";
      headers.forEach((other) => other.removeAttribute("aria-sort"));
      header.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...table.tBodies[0].rows].map((row) => [cellAt(row, column), row]);
      rows.sort(([a], [b]) => (a === null || b === null ? compare(a, b) : down ? compare(b, a) : compare(a, b)));
      table.tBodies[0].append(...rows.map(([, row]) => row));
    });
  });
}
function cellAt(row, column) {
  let at = 0;
  for (const cell of row.cells) {
    if (at === column) return cell.colSpan > 1 ? null : valueOf(cell);
    at += cell.colSpan;
    if (at > column) return null;
  }
  return null;
}

for (const filters of document.querySelectorAll(".filters")) {
  const search = filters.querySelector("input"), size = filters.querySelector("select"), told = filters.querySelector("output");
  const rows = [...document.getElementById(search.getAttribute("aria-controls")).tBodies[0].rows];
  const texts = rows.map((row) => [...row.cells].map((cell) => cell.textContent).join(" ").toLowerCase());
  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, i) => {
      row.hidden = (size.value !== "" && row.dataset.size !== size.value) || !words.every((word) => texts[i].includes(word));
      shown += !row.hidden;
    });
    told.textContent = `${shown} of ${rows.length}`;
  };
  filters.hidden = false;
  search.addEventListener("input", apply);
  size.addEventListener("change", apply);
  apply();
}

if (navigator.clipboard) {
  for (const copy of document.querySelectorAll(".copy")) {
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(copy.previousElementSibling.textContent);
      copy.textContent = "Copied";
      setTimeout(() => { copy.textContent = "Copy"; }, 1500);
    });
  }
}

for (const svg of document.querySelectorAll(".drawing svg")) {
  const pick = (event) => {
    const line = event.target.closest("[data-line]")?.dataset.line;
    svg.classList.toggle("picked", line !== undefined);
    for (const part of svg.querySelectorAll("[data-line]")) part.classList.toggle("on", part.dataset.line === line);
  };
  svg.addEventListener("pointerover", pick);
  svg.addEventListener("pointerleave", pick);
}

let closed = [];
addEventListener("beforeprint", () => { closed = [...document.querySelectorAll("#overview .fold:not([open])")]; closed.forEach((d) => { d.open = true; }); });
addEventListener("afterprint", () => closed.forEach((d) => { d.open = false; }));
