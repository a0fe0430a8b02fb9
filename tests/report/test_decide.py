"""The page where one decides: its script comes to what Python does, in every state of the published examples; what it
says holds against what is computed here from the records."""

import dataclasses
import functools
import itertools
import json
import math
import re

import pytest
from browser import look, needs_chromium
from examples import EXAMPLES, machines, rendered
from read_results import published_table, read

from accelbench import decide
from accelbench.decide import embed
from accelbench.report import commands

CALLS = (1, 1000)


@functools.cache
def choices(machine):
    return decide.gather(read(EXAMPLES / machine))


def states(machine):
    """Every state that the form can be in, with few and with many calls."""
    found = choices(machine)
    return [
        decide.State(own.family.kernel, own.family.dtype, own.family.options, problem.size, place, calls)
        for own in found.families
        for problem in own.problems
        for place in found.places
        for calls in CALLS
    ]


TOLD = """
const { contentWindow: page } = await visit("index.html");
return STATES.map((state) => page.told(page.answer(state)));
"""


@needs_chromium
@pytest.mark.parametrize("machine", machines("cpu", "h200", "h200x2"))
def test_script_answers_as_python_does_in_every_state(machine):
    asked = states(machine)
    script = TOLD.replace("STATES", json.dumps([dataclasses.asdict(state) for state in asked]))
    told, console = look(EXAMPLES / machine, script)
    assert console == []
    assert len(told) == len(asked) > 20
    for state, mine in zip(asked, told, strict=True):
        theirs = json.loads(json.dumps(embed.told(decide.answer(choices(machine), state))))
        assert mine == theirs, state


@needs_chromium
@pytest.mark.parametrize("machine", machines("cpu", "h200"))
def test_script_finds_the_backends_to_learn_that_python_does_over_every_choice_of_kernels(machine):
    found = choices(machine)
    kernels = list(dict.fromkeys(own.family.kernel for own in found.families))
    several = [chosen for count in range(len(kernels) + 1) for chosen in itertools.combinations(kernels, count)]
    usual = decide.default_state(found, kernels[0])
    few = [chosen for chosen in several if len(chosen) in (0, 1, 2, len(kernels))] if len(kernels) > 6 else several
    asked = [dataclasses.replace(usual, place=place, learn=chosen) for place in found.places
             for chosen in (several if place == usual.place else few)]  # fmt: skip
    script = TOLD.replace("STATES", json.dumps([dataclasses.asdict(state) for state in asked]))
    told, console = look(EXAMPLES / machine, script)
    assert console == []
    theirs = [json.loads(json.dumps(embed.told(decide.answer(found, state))))["portfolios"] for state in asked]
    assert [mine["portfolios"] for mine in told] == theirs
    assert len({str(one) for one in theirs}) > len(kernels)


def timed_alone(machine, kernels, place):
    """{kernel: {backend: its least seconds at the kernel's usual size}}, from the table of all cases."""
    found, table = choices(machine), published_table(machine)
    table = table[(table.outcome == "ok") & (table.implausible != True)]  # noqa: E712
    sizes = {kernel: decide.default_state(found, kernel).size for kernel in kernels}
    return {
        kernel: table[(table.kernel == kernel) & (table["size"] == size)].groupby("backend")[place].min().to_dict()
        for kernel, size in sizes.items()
    }


ROWS = """
const { contentDocument: page } = await visit("index.html#kernel=histogram&place=pageable");
await wait();
return page.getElementById("rows").innerHTML;
"""
UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}


@needs_chromium
def test_dots_stand_where_times_are_however_wide_an_interval_is():
    """Some of histogram's there are wider than ten decades; the script's table, and those that stand without it."""
    rows, console = look(rendered("h200-today"), ROWS)
    assert console == []
    still = (rendered("h200-today") / "index.html").read_text()
    tables = [rows, *re.findall(r'<table class="choices[^>]*>.*?<tbody>(<tr.*?)</tbody>', still, re.DOTALL)]
    assert len(tables) > 8
    for table in tables:
        dots = [float(at) for at in re.findall(r'<circle cx="([\d.]+)%" cy="11" r="5"', table)]
        told = re.findall(r'data-label="time">([\d.]+)\s([nµm]?s)\b', table.replace("&nbsp;", " "))
        times = [math.log10(float(digits) * UNITS[unit]) for digits, unit in told]
        slope = (max(dots) - min(dots)) / (max(times) - min(times))
        assert dots == pytest.approx([min(dots) + slope * (time - min(times)) for time in times], abs=0.6)
        assert max(dots) - min(dots) > 30
        assert 4 <= min(dots) < max(dots) <= 96


LEARN = """
const { contentDocument: page, contentWindow: own } = await visit("index.html");
const seen = [];
page.querySelector(".learning summary").click();
const boxes = [...page.querySelectorAll("#learn input")];
const texts = (from, what) => [...from.querySelectorAll(what)].map(({ textContent }) => textContent);
const link = () => new URLSearchParams(own.location.hash.slice(1)).get("learn");
const tell = () => [page.getElementById("over").textContent, link(), texts(page, "#portfolio li"),
  boxes.map((box) => box.checked), texts(page, "#learn li"), page.activeElement?.value];
seen.push(tell());
for (const name of NAMES) {
  const box = boxes.find(({ value }) => value === name);
  box.focus();
  box.click();
  await wait();
  seen.push(tell());
}
const again = await visit(`index.html${own.location.hash}`);
await wait();
const reopened = texts(again.contentDocument, "#portfolio li");
const { contentDocument: small } = await visit("index.html", 390, 844);
small.querySelector(".learning details").open = true;
const parts = [...small.querySelectorAll("#learn label, .learning summary")];
const targets = parts.map((part) => part.getBoundingClientRect().height);
return [boxes.map(({ value }) => value), seen, reopened, targets, small.documentElement.scrollWidth];
"""


@needs_chromium
def test_kernels_to_learn_for_are_ticked_and_stand_in_the_link():
    """What counts for each is told beside it in its own words, so that another algorithm is seen."""
    names = ["monte_carlo_pi", "inside_polygon"]
    (kernels, seen, reopened, targets, width), console = look(
        EXAMPLES / "h200", LEARN.replace("NAMES", json.dumps(names))
    )
    assert console == []
    assert kernels == ["inside_polygon", "monte_carlo_pi", "vector_multiply", "vector_sum"]
    assert [over for over, *_ in seen] == ["all kernels", "1 of 4 kernels", "2 of 4 kernels"]
    assert [link for _, link, *_ in seen] == [None, "monte_carlo_pi", "inside_polygon monte_carlo_pi"]
    assert seen[0][2] != seen[1][2] != seen[2][2] == reopened
    assert seen[2][3] == [True, True, False, False]
    assert [focused for *_, focused in seen[1:]] == names
    polygon, pi, *_ = seen[0][4]
    assert "NumPy alone: numpy_scanline, NumPy row by row" in polygon
    assert "cffi: cffi_scanline_openmp, C row by row, through CFFI." in polygon
    assert "cffi + cupy: cupy_raw_one_launch, CUDA C in one launch" in pi
    assert "cupy" not in polygon
    assert min(targets) >= 24
    assert width <= 390


@needs_chromium
def test_one_kernel_to_learn_for_is_that_of_the_tables():
    """A backend keeps of the best what its least time in the table of all cases does."""
    times = timed_alone("cpu", ["inside_polygon"], "end_to_end_s")["inside_polygon"]
    (_, seen, *_), _ = look(EXAMPLES / "cpu", LEARN.replace("NAMES", '["inside_polygon"]'))
    shares = {told.split(" ")[0]: float(re.search(r"(\d+)\s%", told)[1]) for told in seen[1][2]}
    best = min(times.values())
    assert shares["NumPy"] == pytest.approx(100 * best / times["numpy"], abs=1)
    assert shares.popitem() == (min(times, key=times.get), 100)


ELSEWHERE = """
const { contentDocument: page } = await visit("index.html#learn=vector_sum+softmax");
return [page.getElementById("nearest").textContent, page.getElementById("over").textContent];
"""


@needs_chromium
def test_a_kernel_to_learn_for_that_was_not_measured_here_is_told():
    (said, over), console = look(EXAMPLES / "h200", ELSEWHERE)
    assert console == []
    assert said == "Backends to learn: softmax was not measured on h200."
    assert over == "1 of 4 kernels"


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
own.location.hash = "#kernel=vector_sum&size=1000&learn=nothing";
await wait();
const between = told();
own.location.hash = "";
await wait();
return [found, before, between, told()];
"""


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
    largest = max(problem.size for problem in choices("h200").of("vector_sum", "float64").problems)
    assert int(found["size"][2]) == largest
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
  told.querySelectorAll("small").forEach((small) => small.remove());
  return told.textContent.trim();
};
const cells = (row) => [...row.querySelectorAll("th, td[data-label]")].map((cell) => [cell.dataset.label, text(cell)]);
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
  const parts = [page.getElementById("sure"), ...page.querySelectorAll("#brackets code")];
  for (const { firstChild } of page.querySelectorAll("#brackets p")) parts.push(firstChild);
  if (section.matches(".first")) parts.push(...page.querySelectorAll("#portfolio li"));
  const told = parts.map(({ textContent }) => textContent);
  found.push([told.length, told.filter((words) => !section.textContent.includes(words))]);
}
return found;
"""


@needs_chromium
@pytest.mark.parametrize("machine", machines("cpu", "h200"))
def test_without_the_script_nothing_lacks_that_it_says_of_the_usual_states(machine):
    """What to learn, how sure the best is with its interval, and the commands that measure brackets better."""
    found, console = look(EXAMPLES / machine, CHOOSE + SAID)
    assert console == []
    assert [lacking for _, lacking in found if lacking] == []
    assert min(count for count, _ in found) >= 2


@needs_chromium
@pytest.mark.parametrize("machine", machines("cpu", "h200", "h200-today"))
def test_rows_that_the_script_draws_say_what_those_say_that_stand_there_without_it(machine):
    drawn, console = look(EXAMPLES / machine, CHOOSE + DRAWN)
    assert console == []
    assert len(drawn) == len({own.family.kernel for own in choices(machine).families})
    for without, by_script in drawn:
        assert by_script == without
        assert len(without) > 3


SHOWN = """
const frame = await visit("index.html"), page = frame.contentDocument, found = {};
const shown = (element) => frame.contentWindow.getComputedStyle(element).display !== "none";
for (const section of page.querySelectorAll("section.state")) {
  await choose(section);
  const [drawn, without] = [page.getElementById("table"), section.querySelector(".choices")];
  const peaks = [drawn, without].map((table) => [...table.querySelectorAll("[data-label='of peak']")]);
  found[section.querySelector("h2 code").textContent] = {
    sizes: page.getElementById("ask-size").length,
    charts: [shown(page.getElementById("chart")), !!section.querySelector(".against:not(.effort)")],
    alone: shown(page.getElementById("one-size")),
    peaks: peaks.map((cells) => cells.map(({ textContent }) => textContent)),
    columns: [shown(peaks[0][0]), !without.matches(".no-peak")],
  };
}
return found;
"""


@needs_chromium
def test_nothing_is_drawn_against_one_size_and_no_column_says_the_same_of_all():
    found, console = look(rendered("h200-today"), CHOOSE + SHOWN)
    assert console == []
    for kernel, told in found.items():
        assert told["charts"] == [told["sizes"] > 1] * 2, kernel
        assert told["alone"] == (told["sizes"] == 1), kernel
        assert told["columns"] == [any(cell.endswith("%") for cell in cells) for cells in told["peaks"]], kernel
    assert {told["sizes"] > 1 for told in found.values()} == {True, False}
    assert {told["columns"][0] for told in found.values()} == {True, False}


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
@pytest.mark.parametrize("machine", machines("cpu", "h200", "cpu-today"))
def test_commands_of_the_script_are_those_that_pages_print(machine):
    analysis = read(EXAMPLES / machine)
    found, console = look(EXAMPLES / machine, CHOOSE + COMMANDS)
    assert console == []
    assert len(found) > 1
    for kernel, cases, brackets in found:
        assert len(cases) > 3
        for case, again, *others in cases:
            assert again == commands.case(analysis, case)
            asked = re.search("repetitions: ([0-9]+)", "".join(others))
            more = commands.run(analysis, kernel, f"--config 'protocol={{repetitions: {asked[1]}}}'") if asked else None
            assert {*others} <= {more, again.replace("case ", "case --code ", 1)}
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
    """A machine's published folder, and {name: {fact: what is told, or where it leads}} of the cases that it opens."""
    facts, console = look(EXAMPLES / request.param, FACTS)
    assert console == []
    return EXAMPLES / request.param, facts


@needs_chromium
def test_case_tells_what_compiled_it_and_how(told):
    """As the commands do that built it."""
    _, facts = told
    found = {name: own["Compiled by"] for name, own in facts.items() if "Compiled by" in own}
    assert found["cffi_openmp"].startswith("gcc ")
    assert found["cffi_openmp"].endswith(" -O3 -fopenmp")
    assert found["cffi_api"].endswith(" -O3")
    assert {told for name, told in found.items() if name.startswith("pyopencl")} == {"its device's driver"}
    assert not any("numba" in name or "numpy" in name for name in found)


@needs_chromium
def test_case_leads_to_its_generated_code(told):
    """To Cython's page, which is there and of this source, and else by a command, of what a compiler made a file of."""
    folder, facts = told
    pages = {name: own["Generated C"] for name, own in facts.items() if "Generated C" in own}
    # Published are the builds of the figure esrf-annotate, which on the other machine are not those of the sweep.
    assert bool(pages) == (folder.name == "cpu")
    assert not pages or pages.keys() == {name for name in facts if name.startswith("cython")}
    for name, link in pages.items():
        assert f"{name}.pyx" in (folder / link).read_text(encoding="utf-8")
    shown = {name for name, own in facts.items() if "Assembly, PTX" in own}
    made = {name for name in facts if name.startswith(("ctypes", "cffi", "cython", "numba")) or name.endswith("_raw")}
    assert {name for name in made if not name.startswith("pyopencl")} <= shown
    assert not any(name.startswith(("numpy", "python", "pyopencl")) or name.endswith("_array") for name in shown)
    for name in shown:
        assert facts[name]["Assembly, PTX"] == facts[name]["Repeat it"].replace("case ", "case --code ", 1)
