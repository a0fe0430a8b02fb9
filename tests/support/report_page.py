"""Functions that read a report's pages: tables, the numbers under figures, and the cases in a page's script."""

import json
from html.parser import HTMLParser
from pathlib import Path

VOID = {"meta", "link", "input", "br", "img", "hr", "use", "path"}


def pages(index):
    """Return the pages of a report, index.html first."""
    folder = Path(index).parent
    return [Path(index), folder / "machine.html", folder / "outcomes.html", *sorted(folder.glob("kernels/*.html"))]


def read_pages(index):
    """Return the joined text of all pages of a report."""
    return "\n".join(path.read_text(encoding="utf-8") for path in pages(index))


class Page(HTMLParser):
    """Contents of a page: elements (tag, attributes), rows (region, figure, texts of cells), data {region: JSON}."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.rows, self.stack, self.data = [], [], [], {}
        self.region = self.figure = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.elements.append((tag, attrs))
        if attrs.get("role") == "region":
            self.region = attrs["aria-label"]
        if tag == "figure":
            self.figure = attrs.get("id", "").removeprefix("figure-")
        if tag == "tr":
            self.rows.append((self.region, self.figure, []))
        if tag in ("td", "th") and self.rows:
            self.rows[-1][-1].append("")
        self.stack.append(tag)
        if tag in VOID:
            self.stack.pop()

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        while self.stack and self.stack.pop() != tag:
            pass

    def handle_data(self, data):
        if self.stack[-1:] == ["script"] and self.elements[-1][1].get("type") == "application/json":
            self.data[self.region] = json.loads(data)
        if "td" in self.stack or "th" in self.stack:
            self.rows[-1][-1][-1] += data

    def all(self, tag):
        return [attrs for name, attrs in self.elements if name == tag]

    def table(self, region):
        return [[" ".join(cell.split()) for cell in cells] for name, _, cells in self.rows if name == region]

    def numbers(self, figure):
        """Return the rows of the table under a figure."""
        named = [row for row in self.rows if row[1] == figure and row[0].startswith("Numbers of: ")]
        return [[" ".join(cell.split()) for cell in cells] for *_, cells in named]

    def cases(self, kernel):
        """Return a kernel's cases as dictionaries whose keys are the table's heads; flags and reason come last."""
        (head,) = self.table(f"Cases of {kernel}")
        data = self.data[f"Cases of {kernel}"]
        words = [kind in ("name", "text", "device", "outcome") for kind, _ in data["columns"]]
        found = []
        for *cells, flags, _, reason in data["rows"]:
            values = [data["strings"][c] if word else c for c, word in zip(cells, words, strict=True)]
            reason = None if reason is None else data["strings"][reason]
            found.append(dict(zip(head, values, strict=True)) | {"flags": flags, "reason": reason})
        return found


def number(cell):
    """Return the number in a cell, without the spaces between digits and without the sign of a ratio."""
    return float(cell.replace("\N{NARROW NO-BREAK SPACE}", "").replace(" ", "").rstrip("×"))
