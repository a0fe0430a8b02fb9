"""Tests of a report's first page: it shows the Answer to every question, and equal numbers for equal quantities."""

import functools
import json
import math
import re

import pytest
from browser import look, needs_chromium
from examples import EXAMPLES, machines, rendered
from read_results import read

from accelbench.decide import Answers, words
from accelbench.report import commands, decide_page, embed

of_each_machine = pytest.mark.parametrize("machine", machines("cpu"))


@functools.cache
def answers(machine):
    return Answers(read(EXAMPLES / machine))


def states(machine):
    """Return the Answer of every possible state of the form."""
    found = answers(machine)
    return [
        answer
        for family, sizes in found.sizes.items()
        for size in sizes
        for place in found.places
        for answer in found.states(family, size, place)
    ]


WALK = """
const { contentWindow: page, contentDocument } = await visit("index.html");
const part = (id) => contentDocument.getElementById(id), text = (from) => from.textContent.replace(/\\s+/g, " ").trim();
return STATES.map((state) => {
  page.show({ rows: "all", row: "", ...state });
  const every = (from, which) => [...from.querySelectorAll(which)], { hash } = new URL(part("permalink").href);
  const cells = "th, td:nth-child(n + 3):not(:nth-child(9))";
  const rows = every(part("rows"), "tr:not(.hollow)").map((row) => every(row, cells).map(text));
  const more = [...part("more").children].map((item) => text(item).replace(" Keep the data there", ""));
  const hollow = every(part("rows"), ".hollow th").map(text), decides = text(part("decides"));
  return [text(part("sentence")), more, text(part("interval")), rows, hollow, hash, decides];
});
"""
UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}


def plain(text):
    return " ".join(text.split())


def number(text):
    """Return the time in seconds, or the ratio, that `text` begins with."""
    value, unit = re.match(r"([\d.\s]+?)\s?([nµm]?s|×)", text).groups()
    return float(re.sub(r"\s", "", value)) * UNITS.get(unit, 1.0)


@functools.cache
def walked(machine):
    """Return [(Answer, texts that the page shows)] of every state of the form."""
    asked = states(machine)
    script = WALK.replace("STATES", json.dumps([
        {"kernel": a.family.kernel, "dtype": a.family.dtype, "options": a.family.options, "size": a.size,
         "place": a.place, "calls": a.calls, "ranking": "base" if a.base else ""} for a in asked
    ]))  # fmt: skip
    told, console = look(EXAMPLES / machine, script)
    assert console == []
    assert len(told) == len(asked) > 20
    assert any(answer.base for answer in asked)
    return list(zip(asked, told, strict=True))


@needs_chromium
@of_each_machine
def test_the_page_shows_the_answer_of_every_state(machine):
    for answer, (sentence, more, _, rows, hollow, link, decides) in walked(machine):
        state = decide_page.state(answer)
        assert hollow == [best.case.record.backend for best in answer.hollow]
        assert ("ranking=base" in link) == answer.base
        assert decides.removesuffix("Copy") == state.decides
        assert sentence == plain(words.headline(answer))
        assert more == list(map(plain, words.details(answer)))
        names = [state.name(best) + state.manner(best) for best in answer.ranking]
        cells = [[plain(text) for text in state.cells(best)] for best in answer.ranking]
        assert rows == [[name, *texts] for name, texts in zip(names, cells, strict=True)]


@needs_chromium
@of_each_machine
def test_one_quantity_has_one_number(machine):
    """Headline and rows agree: a ratio is the quotient of two times. Slower rows are sorted by time and by ratio."""
    for answer, (sentence, _, interval, rows, *_) in walked(machine):
        if not rows:
            continue
        first, numpy = rows[0], answer.numpy and rows[answer.ranking.index(answer.numpy)]
        assert f": {first[1].rpartition(' ')[0]} a call" in sentence
        if answer.best.interval and "factor" not in interval:
            low, high = map(number, re.findall(r"[\d.]+ [nµm]?s", interval))
            assert low <= number(first[1]) <= high
        if numpy:
            assert answer.numpy in answer.leaders or f", {first[2]} as fast as NumPy" in sentence
            for row in rows:
                assert number(row[2]) == pytest.approx(number(numpy[1]) / number(row[1]), rel=0.011)
        others = [row for best, row in zip(answer.ranking, rows, strict=True) if not best.case.implausible]
        others = others[len(answer.leaders) :]
        assert [number(row[1]) for row in others] == sorted(number(row[1]) for row in others)
        ratios = [number(row[2]) for row in others if numpy]
        assert ratios == sorted(ratios, reverse=True)
        proven = "proven: " in sentence or "no other implementation has a time" in sentence
        marks = [next((word for word in ("fastest", "tie", "open") if word in row[1]), "") for row in rows]
        mark = "fastest" if proven else "tie" if "tie of " in sentence else "open"
        assert marks == [mark * (best in answer.leaders) for best in answer.ranking]


@needs_chromium
@of_each_machine
def test_a_time_is_the_same_in_every_state_with_its_place_and_calls(machine):
    """A case has the same time in the base ranking and in the peak ranking."""
    times = {}
    for answer, (*_, rows, _, _, _) in walked(machine):
        for best, row in zip(answer.ranking, rows, strict=True):
            assert times.setdefault((best.case, best.kind), number(row[1])) == number(row[1])


@pytest.mark.parametrize("machine", sorted(path.parent.name for path in EXAMPLES.glob("*/index.html")))
def test_the_first_page_is_small(machine):
    """The first page, with the answers of all kernels, is below 400 kB, plus 4 kB for each kernel beyond four."""
    more = max(0, len(list((EXAMPLES / machine / "kernels").glob("*.html"))) - 4)
    assert (EXAMPLES / machine / "index.html").stat().st_size < 400_000 + 4_000 * more


def test_excerpts_of_many_kernels_are_shorter():
    """Excerpts of sources have fewer lines on a page with nine kernels, and take less than 50 kB there."""
    texts = {
        machine: {text for text in embed.data(Answers(read(EXAMPLES / machine)), lambda *words: "", {})["strings"]
                  if isinstance(text, str) and "\n" in text}
        for machine in ("cpu", "h200-today")
    }  # fmt: skip
    lines = {machine: max(text.count("\n") for text in own) for machine, own in texts.items()}
    assert lines == {"cpu": 12, "h200-today": 5}
    assert sum(map(len, texts["h200-today"])) < 50_000


ROWS = """
const { contentDocument: page } = await visit("index.html#kernel=histogram&place=pageable");
await wait();
return page.getElementById("rows").innerHTML;
"""


@needs_chromium
def test_dots_stand_where_times_are_however_wide_an_interval_is():
    """Some intervals of the kernel histogram on h200-today span more than ten powers of ten."""
    rows, console = look(rendered("h200-today"), ROWS)
    assert console == []
    dots = [float(at) for at in re.findall(r'<circle cx="([\d.]+)%" cy="11" r="5"', rows)]
    told = re.findall(r"</svg></td><td>([\d.]+)\s([nµm]?s)\b", rows.replace("&nbsp;", " "))
    times = [math.log10(float(digits) * UNITS[unit]) for digits, unit in told]
    slope = (max(dots) - min(dots)) / (max(times) - min(times))
    assert dots == pytest.approx([min(dots) + slope * (time - min(times)) for time in times], abs=0.6)
    assert max(dots) - min(dots) > 30
    assert 4 <= min(dots) < max(dots) <= 96


HOSTILE = """
const found = {};
for (const [name, link] of Object.entries(LINKS)) {
  const { contentDocument: page } = await visit(`index.html#${link}`);
  await wait();
  const part = (id) => page.getElementById(id);
  const permalink = part("permalink").getAttribute("href");
  found[name] = [part("nearest").textContent, part("answer").textContent, part("ask-size").value, permalink];
}
const { contentDocument: page, contentWindow: own } = await visit("index.html");
const told = () => [page.getElementById("sentence").textContent, page.getElementById("nearest").textContent];
const before = told();
own.location.hash = "#kernel=vector_sum&size=1000&place=nowhere";
await wait();
const between = told();
own.location.hash = "";
await wait();
return [found, before, between, told()];
"""


@pytest.mark.slow
@needs_chromium
def test_links_with_nonsense_are_answered_and_told():
    links = {
        "calls": "kernel=vector_sum&place=kept&calls=1e400",
        "size": "kernel=vector_sum&size=1e400",
        "options": "kernel=inside_polygon&options=vertices%3D25&size=128",
        "place": "place=constructor",
        "row": "kernel=vector_sum&row=nothing",
    }
    (found, before, between, after), console = look(EXAMPLES / "h200", HOSTILE.replace("LINKS", json.dumps(links)))
    assert console == []
    for notes, text, _, _ in found.values():
        assert "NaN" not in text
        assert "Infinity" not in text
        assert "native code" not in notes
        assert notes
    assert "that place of the data" in found["place"][0]
    assert "vertices=25" in found["options"][0]
    sizes = next(own for family, own in answers("h200").sizes.items() if family[:2] == ("vector_sum", "float64"))
    assert int(found["size"][2]) == max(sizes)
    assert found["row"][0].startswith("nothing has no time here")
    assert "row=" not in found["row"][3]
    assert before == after != between
    assert between[1] != "" == after[1]


CHOOSE = """
const choose = async (section) => {
  const kernel = page.getElementById("ask-kernel");
  kernel.value = section.querySelector("h2 code").textContent;
  kernel.dispatchEvent(new Event("input", { bubbles: true }));
  await wait();
};
"""
DRAWN = """
const frame = await visit("index.html"), page = frame.contentDocument, found = [];
const text = (part) => {
  const told = part.cloneNode(true);
  return told.textContent.trim();
};
const cells = (row) => [...row.querySelectorAll("th, td:nth-child(n + 3):not(:nth-child(9))")].map(text);
for (const section of page.querySelectorAll("section.state")) {
  await choose(section);
  found.push([[...section.querySelectorAll("tbody tr")].map(cells), [...page.querySelectorAll("#rows tr")].map(cells)]);
}
return found;
"""
SAID = """
const { contentDocument: page } = await visit("index.html"), found = [];
for (const section of page.querySelectorAll("section.state")) {
  await choose(section);
  const parts = [page.getElementById("interval"), ...page.querySelectorAll("#brackets code")];
  for (const { firstChild } of page.querySelectorAll("#brackets p")) parts.push(firstChild);
  if (section.matches(".first")) parts.push(...page.querySelectorAll("#portfolio li"));
  const told = parts.map(({ textContent }) => textContent);
  found.push([told.length, told.filter((words) => !section.textContent.includes(words))]);
}
return found;
"""


@needs_chromium
@pytest.mark.parametrize("machine", machines("cpu"))
def test_without_the_script_nothing_lacks_that_it_says_of_the_usual_states(machine):
    """Without the script, the page has portfolios, the interval of the fastest, and sizes from which choices pay."""
    found, console = look(EXAMPLES / machine, CHOOSE + SAID)
    assert console == []
    assert [lacking for _, lacking in found if lacking] == []
    assert min(count for count, _ in found) >= 1


@needs_chromium
@pytest.mark.parametrize("machine", machines("cpu"))
def test_rows_that_the_script_draws_say_what_those_say_that_stand_there_without_it(machine):
    drawn, console = look(EXAMPLES / machine, CHOOSE + DRAWN)
    assert console == []
    assert len(drawn) == len({family.kernel for family in answers(machine).sizes})
    for without, by_script in drawn:
        assert by_script == without
        assert len(without) > (1 if machine == "h200-patterns" else 3)  # memory_pool has two implementations there


SHOWN = """
const frame = await visit("index.html"), page = frame.contentDocument, found = {};
const shown = (element) => frame.contentWindow.getComputedStyle(element).display !== "none";
for (const section of page.querySelectorAll("section.state")) {
  await choose(section);
  const [drawn, without] = [page.getElementById("table"), section.querySelector(".choices")];
  const peaks = [drawn, without].map((table) => [...table.querySelectorAll("td:nth-child(8)")]);
  found[section.querySelector("h2 code").textContent] = {
    sizes: page.getElementById("ask-size").length,
    chart: shown(page.getElementById("chart")),
    alone: shown(page.getElementById("one-size")),
    peaks: peaks.map((cells) => cells.map(({ textContent }) => textContent)),
    column: shown(peaks[0][0]),
  };
}
return found;
"""


@needs_chromium
def test_nothing_is_drawn_against_one_size_and_no_column_says_the_same_of_all():
    found, console = look(rendered("h200-today"), CHOOSE + SHOWN)
    assert console == []
    for kernel, told in found.items():
        assert told["chart"] == (told["sizes"] > 1), kernel
        assert told["alone"] == (told["sizes"] == 1), kernel
        assert told["column"] == any(cell.endswith("%") for cell in told["peaks"][0]), kernel
    assert {told["sizes"] > 1 for told in found.values()} == {True, False}
    assert {told["column"] for told in found.values()} == {True, False}


COMMANDS = """
const frame = await visit("index.html#rows=all"), page = frame.contentDocument, found = [];
const own = (part) => [...page.querySelectorAll(`${part} .command code`)].map(({ textContent }) => textContent);
for (const section of page.querySelectorAll("section.state")) {
  await choose(section);
  const cases = [], brackets = own("#brackets");
  for (const row of page.querySelectorAll("#rows tr")) {
    row.querySelector(".copy").click();
    cases.push([page.querySelector("#case dd code").textContent, ...own("#case")]);
    page.querySelector("#case").close();
  }
  found.push([section.querySelector("h2 code").textContent, cases, brackets]);
}
return found;
"""


@needs_chromium
@pytest.mark.parametrize("machine", machines("cpu"))
def test_commands_of_the_script_are_those_that_pages_print(machine):
    analysis = read(EXAMPLES / machine)
    found, console = look(EXAMPLES / machine, CHOOSE + COMMANDS)
    assert console == []
    assert len(found) > 1
    for kernel, cases, brackets in found:
        assert len(cases) > 3
        for case, again, *others in cases:
            assert again == commands.case(analysis, case)
            assert {*others} <= {again.replace("case ", "case --code ", 1)}
        for told in brackets:
            assert told == commands.run(analysis, kernel, f"--size {int(told.split()[-1])}")


FACTS = """
const { contentDocument: page } = await visit("index.html#kernel=inside_polygon&rows=all"), found = {};
for (const row of page.querySelectorAll("#rows tr")) {
  row.querySelector(".copy").click();
  const link = (fact) => fact.querySelector("a")?.getAttribute("href");
  const told = (fact) => link(fact) ?? fact.querySelector("code")?.textContent ?? fact.textContent;
  const facts = [...page.querySelectorAll("#case dt")].map((head) => [head.textContent, told(head.nextSibling)]);
  found[page.querySelector("#case h2").textContent] = Object.fromEntries(facts);
  page.querySelector("#case").close();
}
return found;
"""


@pytest.fixture(scope="module", params=["cpu", "h200"])
def told(request):
    """Return a machine's published folder, and {case: {fact: text or link}} of the cases that the page opens."""
    facts, console = look(EXAMPLES / request.param, FACTS)
    assert console == []
    return EXAMPLES / request.param, facts


@needs_chromium
def test_case_tells_what_compiled_it_and_how(told):
    _, facts = told
    found = {name: own["Compiled by"] for name, own in facts.items() if "Compiled by" in own}
    assert found["cffi_openmp"].startswith("gcc ")
    assert found["cffi_openmp"].endswith(" -O3 -march=native -fopenmp")
    assert found["cffi_api"].endswith(" -O3 -march=native")
    assert {told for name, told in found.items() if name.startswith("pyopencl")} == {"the device's driver"}
    assert not any("numba" in name or "numpy" in name for name in found)


@needs_chromium
def test_case_leads_to_its_generated_code(told):
    """A Cython case links to the annotation page of its source, if there is one.

    Cases of compiled code show the command that prints their code. Other cases do not.
    """
    folder, facts = told
    pages = {name: own["Generated C"] for name, own in facts.items() if "Generated C" in own}
    # The figure esrf-annotate makes annotation pages. On the H200, its builds differ from those of the sweep.
    assert bool(pages) == (folder.name == "cpu")
    assert not pages or pages.keys() == {name for name in facts if name.startswith("cython")}
    for name, link in pages.items():
        source = link.rpartition("/")[2].removesuffix(".html")
        assert name.startswith(source)  # without the variant, such as `_openmp`
        assert f"{source}.pyx" in (folder / link).read_text(encoding="utf-8")
    shown = {name for name, own in facts.items() if "Assembly, PTX" in own}
    made = {name for name in facts if name.startswith(("ctypes", "cffi", "cython", "numba")) or name.endswith("_raw")}
    assert {name for name in made if not name.startswith("pyopencl")} <= shown
    assert not any(name.startswith(("numpy", "python", "pyopencl")) or name.endswith("_array") for name in shown)
    for name in shown:
        assert facts[name]["Assembly, PTX"] == facts[name]["Repeat it"].replace("case ", "case --code ", 1)
