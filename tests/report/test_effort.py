"""Lines of code against time: what no other beats in both, drawn by Python as by the page's script."""

import json

import pretended_results.gpu
import pytest
from browser import look, needs_chromium
from read_results import read, write_report

from accelbench import decide
from accelbench.report.effort import effort_chart


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Results whose implementations differ in their lines of code."""
    folder = pretended_results.gpu.write(tmp_path_factory.mktemp("results") / "node", kernels=("vector_sum", "matmul"))
    for path in (folder / "timings").glob("*.jsonl"):
        records = [json.loads(line) for line in path.read_text().splitlines()]
        for record in records:
            record["source_lines"] = 1 + 7 * len(record["implementation"]) % 23
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return folder


@pytest.fixture(scope="module")
def choices(folder):
    return decide.gather(read(folder))


def answers(choices):
    for own in choices.families:
        for problem in own.problems:
            for place in choices.places:
                state = decide.State(own.family.kernel, own.family.dtype, own.family.options, problem.size, place)
                yield decide.answer(choices, state)


def beats(one, other):
    """Whether one is as good in both lines and time, and better in one of them."""
    mine, theirs = ((c.candidate.lines, c.seconds) for c in (one, other))
    return mine != theirs and mine[0] <= theirs[0] and mine[1] <= theirs[1]


def test_the_front_is_what_no_other_beats_in_both(choices):
    lengths = set()
    for answer in answers(choices):
        known = [c for c in answer.ranking if c.candidate.lines and c.timed.standing != decide.choices.IMPLAUSIBLE]
        unbeaten = [c for c in known if not any(beats(other, c) for other in known)]
        assert {(c.candidate.lines, c.seconds) for c in answer.front} == {
            (c.candidate.lines, c.seconds) for c in unbeaten
        }
        assert answer.front == sorted(answer.front, key=lambda c: c.candidate.lines)
        lengths.add(len(answer.front))
    assert max(lengths) > 1


def test_without_lines_or_times_nothing_is_drawn(choices):
    empty = next(answers(choices))
    empty = type(empty)(**(vars(empty) | {"front": []}))
    assert effort_chart(empty) == ""


SAME = """
const { contentWindow: page, contentDocument: { body } } = await visit("index.html");
const told = [];
const points = (d) => d.split("M").filter(Boolean).map((dot) => dot.replace("h0", ""));
const text = (part) => [part.textContent.replace(/\\s/g, " "), part.getAttribute("x"), part.getAttribute("y")];
const drawn = (svg) => ({
  texts: [...svg.querySelectorAll("text")].map(text),
  front: svg.querySelector(".front").getAttribute("points"),
  lead: svg.querySelector(".lead").getAttribute("d"),
  dots: [...svg.querySelectorAll(".dots")].flatMap((path) => points(path.getAttribute("d"))).sort(),
  words: svg.ownerDocument.getElementById(svg.getAttribute("aria-labelledby")).textContent,
});
for (const kernel of ["vector_sum", "matmul"]) {
  page.show({ place: PLACE, calls: 1000, rows: "backends", row: "", learn: [], ...page.usualState(kernel) });
  const mine = drawn(body.querySelector("#effort svg"));
  told.push([mine, drawn(body.querySelector(`#${kernel.replace("_", "-")} .effort svg`))]);
}
return told;
"""


@pytest.fixture(scope="module")
def report(folder, tmp_path_factory, undrawn):
    return write_report(folder, tmp_path_factory.mktemp("reports") / "node").parent


@needs_chromium
def test_the_script_draws_what_python_draws(choices, report):
    place = next(iter(choices.places))
    found, console = look(report, SAME.replace("PLACE", f'"{place}"'))
    assert console == []
    for script_s, python_s in found:
        assert script_s == python_s
        assert script_s["dots"]
        assert script_s["words"].startswith("No other has both less code and less time than ")


CHOSEN = """
const { contentWindow: page, contentDocument: { body } } = await visit("index.html");
const told = [], svg = () => body.querySelector("#effort svg");
page.show({ place: PLACE, calls: 1000, rows: "all", row: "", learn: [], ...page.usualState("vector_sum") });
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
def test_the_row_that_is_chosen_is_ringed_and_named_off_the_front_too(choices, report):
    """So dots have names without a mouse and without colours."""
    place = next(iter(choices.places))
    (none, *rows), console = look(report, CHOSEN.replace("PLACE", f'"{place}"'))
    assert console == []
    assert none == 0
    assert len(rows) > 5
    for name, named, ringed, within in rows:
        assert named.count(name) == 1
        assert ringed
        assert within
    assert len({len(named) for _, named, _, _ in rows}) == 2  # on the front and off it
