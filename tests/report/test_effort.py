"""The Pareto front of lines of code against time, as the page's script draws it."""

import json

import pretended_results.gpu
import pytest
from browser import look, needs_chromium
from read_results import write_report

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a results folder whose implementations have different numbers of lines of code."""
    folder = pretended_results.gpu.write(tmp_path_factory.mktemp("results") / "node", kernels=("vector_sum", "matmul"))
    for path in (folder / "timings").glob("*.jsonl"):
        records = [json.loads(line) for line in path.read_text().splitlines()]
        for record in records:
            record["source_lines"] = 1 + 7 * len(record["implementation"]) % 23
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return folder


@pytest.fixture(scope="module")
def report(folder, tmp_path_factory, undrawn):
    return write_report(folder, tmp_path_factory.mktemp("reports") / "node").parent


CHOSEN = """
const { contentWindow: page, contentDocument: { body } } = await visit("index.html");
const told = [], svg = () => body.querySelector("#effort svg");
page.show({ place: "pinned", calls: 1000, rows: "all", row: "", ...page.usualState("vector_sum") });
told.push(svg().querySelectorAll("circle, .named").length);
for (const name of [...body.querySelectorAll("[data-row]")].map(({ dataset }) => dataset.row)) {
  const button = [...body.querySelectorAll("[data-row]")].find(({ dataset }) => dataset.row === name);
  button.focus();
  button.click();
  const ring = svg().querySelector("circle"), at = ring && `${ring.getAttribute("cx")},${ring.getAttribute("cy")}`;
  const dot = at && [...svg().querySelectorAll("path")].find((path) => path.getAttribute("d").startsWith(`M${at}`));
  const named = [...svg().querySelectorAll(".end, .named")].map((part) => part.textContent);
  const boxes = [...svg().querySelectorAll(".named")].map((part) => part.getBBox());
  told.push([name, named, !!dot, boxes.every(({ x, width }) => x >= 0 && x + width <= 560)]);
}
return told;
"""


@needs_chromium
def test_the_row_that_is_chosen_is_ringed_and_named_off_the_front_too(report):
    """The ring and the name identify the dot of the chosen row without a mouse and without colours."""
    (none, *rows), console = look(report, CHOSEN)
    assert console == []
    assert none == 0
    assert len(rows) > 5
    for name, named, ringed, within in rows:
        assert named.count(name) == 1
        assert ringed
        assert within
    assert len({len(named) for _, named, _, _ in rows}) == 2  # for rows on the Pareto front and off it
