"""Users' typical questions, answered on the first screen with at most two clicks, and compared with the tables.

The page is operated in a window of 1440 by 900 pixels. The script's function `read` fails if the element that it reads
is not visible there.
"""

import json
import re
from xml.etree import ElementTree

import pytest
from browser import look, needs_chromium
from examples import EXAMPLES, rendered
from pretended_results import gpu as made
from read_results import published_table, write_report

pytestmark = needs_chromium
HELPERS = """
let clicks = 0;
const frame = await visit(PAGE), page = frame.contentDocument;
const text = (part) => part.textContent.replace(/\\s+/g, " ").trim();
const read = (selector) => {
  const part = page.querySelector(selector), { height, top, right } = part.getBoundingClientRect();
  const seen = height > 0 && top >= 0 && top < 900 && right <= 1440;
  if (!seen) throw Error(`not on the first screen: ${selector}, ${top}`);
  return text(part);
};
const readAll = (selector) => [...page.querySelectorAll(selector)].map(text);
const click = async (part) => { clicks += 1; part.click(); await wait(); };
const choose = async (id, value) => {
  clicks += 1;
  page.getElementById(id).value = value;
  page.getElementById(id).dispatchEvent(new Event("input", { bubbles: true }));
  await wait();
};
const row = (name) => [...page.querySelectorAll("[data-row]")].find((button) => button.dataset.row === name);
"""
PINNED = {"kernel": "vector_sum", "dtype": "float64", "size": "4000000", "place": "pinned"}


def ask(machine, actions, state=None, page="index.html", *, dark=False):
    """Open a machine's page in a state and return the result of `actions`, which click at most twice."""
    link = f"{page}#{'&'.join(f'{name}={value}' for name, value in (state or {}).items())}"
    script = HELPERS.replace("PAGE", json.dumps(link)) + f"const told = await (async () => {{ {actions} }})();"
    found, console = look(EXAMPLES / machine, script + "return [told, clicks];", dark)
    assert console == []
    told, clicks = found
    assert clicks <= 2
    return told


def plain(text):
    return text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", "")


def seconds(text):
    value, prefix = re.search(r"([\d.]+) ([mµn]?)s", plain(text)).groups()
    return float(value) * {"": 1.0, "m": 1e-3, "µ": 1e-6, "n": 1e-9}[prefix]


@pytest.fixture(scope="module")
def timings():
    """Return the table of the H200's plausible times with two more columns: `pinned_s` (data page-locked) and `gpu`."""
    table = published_table("h200")
    table = table[(table.outcome == "ok") & (table.implausible != True)]  # noqa: E712
    table["pinned_s"] = table.end_to_end_pinned_s.fillna(table.end_to_end_s)
    table["gpu"] = table.device.str.startswith("NVIDIA")
    return table


def of(timings, kernel, size):
    return timings[(timings.kernel == kernel) & (timings["size"] == size)]


def test_which_implementation_at_my_size_with_my_data(timings):
    told = ask("h200", 'await choose("ask-size", "1000000"); return read("#sentence");', PINNED)
    own = of(timings, "vector_sum", 1_000_000)
    best = own.loc[own.pinned_s.idxmin()]
    (tie,) = of(published_table("h200", "winners").query("timing == 'end_to_end_pinned'"), "vector_sum", 1_000_000).tie
    assert best.implementation in tie.split()
    assert set(re.findall(r"\w+_\w+", told.partition(": ")[0])) <= set(tie.split())
    assert best.pinned_s * 0.97 < seconds(told.split(": ", 1)[1]) < best.pinned_s * 1.15  # ties are within 15 %


def test_when_does_the_gpu_pay(timings):
    told = plain(ask("h200", 'return read("#more");', PINNED))
    for size in (1_000, 100_000, 1_000_000, 4_000_000):
        own = of(timings, "vector_sum", size)
        assert own[own.gpu].pinned_s.min() > own[~own.gpu].pinned_s.min()
    assert (
        "instead of the cores does not pay at any size up to 4·10⁶, the largest size at which both sides were measured"
        in told
    )
    told = plain(ask("h200", 'await choose("ask-place", "resident"); return read("#more");', PINNED))
    below, at = (10 ** "⁰¹²³⁴⁵⁶⁷⁸⁹".index(power) for power in re.search(r"between 10(.) and 10(.) on", told).groups())
    gain = {}
    for size in (below, at):
        own = of(timings, "vector_sum", size)
        gain[size] = own[~own.gpu].compute_s.min() / own[own.gpu].throughput_s.min()
    assert gain[below] < 1.25 < gain[at]  # the GPU wins clearly only at the larger size


def test_what_do_i_lose_with_numpy(timings):
    told = ask("h200", 'return read("#more");', PINNED)
    own = of(timings, "vector_sum", 4_000_000)
    numpy = own[own.implementation.isin(["numpy_sum", "numpy_matmul"])].pinned_s.min()
    cost, share = re.search(r"Staying with NumPy costs (.*?) a call: the best takes (\d+) % less", plain(told)).groups()
    assert seconds(cost) == pytest.approx(numpy - own.pinned_s.min(), rel=0.03)
    assert float(share) == pytest.approx(100 * (1 - own.pinned_s.min() / numpy), abs=2)


def test_how_sure_is_that(timings):
    told, interval = map(plain, ask("h200", 'return [read("#sentence"), read("#interval")];', PINNED))
    assert re.search(
        r"; (proven: the next is [\d.]+× slower|tie of \d+|open: \d+ more repetitions may decide it)\.", told
    )
    low, high = map(seconds, re.search(r"95 % interval (\S+ \S+) – (\S+ \S+)", interval).groups())
    assert low < of(timings, "vector_sum", 4_000_000).pinned_s.min() < high


def test_how_do_i_repeat_one_case(timings):
    told = ask(
        "h200",
        """await click(page.querySelector("[aria-label='The case of numba_parallel_fast']"));
        return read("#case .command code");""",
        PINNED,
    )
    case = re.fullmatch(r"python -m accelbench case '(.*)'", told)[1]
    (row,) = timings[timings.case == case].itertuples()
    assert (row.implementation, row.size) == ("numba_parallel_fast", 4_000_000)


def test_which_three_backends_does_a_group_need():
    told = [plain(each) for each in ask("h200", 'return readAll("#portfolio li");', PINNED)]
    shares = [float(re.search(r"(\d+) %", each)[1]) for each in told]
    assert shares == sorted(shares)
    assert shares[-1] >= 99
    assert told[0].startswith("NumPy alone")
    assert 1 <= told[-1].count(" + ") <= 2


def of_peak(machine, state):
    """Return {implementation: its share of the peak in percent, or None if unknown} of the visible rows."""
    actions = """
    const rows = [...page.querySelectorAll("#rows tr")].filter((row) => row.getBoundingClientRect().bottom <= 900);
    return rows.map((row) => ["[data-row]", "td:nth-child(8)"].map((cell) => text(row.querySelector(cell))));
    """
    told = {name.partition(" on ")[0]: plain(share) for name, share in ask(machine, actions, state)}
    return {name: None if share in ("–", "in cache") else float(share.rstrip(" %")) for name, share in told.items()}


def test_all_else_against_the_peak(timings):
    shown = of_peak("h200", {"kernel": "vector_multiply", "place": "resident"})
    own = of(timings, "vector_multiply", 4_000_000)
    known = {name: share for name, share in shown.items() if share is not None}
    assert len(known) >= 4
    for name, share in known.items():
        assert share == pytest.approx(100 * own[own.implementation == name].fraction_of_peak.max(), abs=2)
    peaks = ask("h200", 'return readAll(".peaks tr");', page="machine.html")
    assert any(re.match(r"matmul.*H200.*float64.*Tflop/s", plain(each)) for each in peaks)


@pytest.fixture(scope="module")
def products(tmp_path_factory, svg_alone):
    """Return the folder of the pages of a machine that has invented times of matrix products only."""
    folder = made.write(tmp_path_factory.mktemp("results") / "node", kernels=("matmul",))
    return write_report(folder, tmp_path_factory.mktemp("reports") / "node").parent


@pytest.mark.slow
def test_matmul_against_the_peak(products):
    """The share of the peak is 2 n³ operations divided by the invented time and by the peak of the device used.

    The peaks in Tflop/s are 55 of the GPU, 0.8 of all cores and 0.05 of one core.
    """
    operations = 2 * 4096**3
    on_gpu, on_cores, on_one = operations / 55e12, operations / 0.8e12, operations / 0.05e12
    shown = of_peak(products, {"size": "4096", "place": "resident"})
    assert shown["cupy_matmul"] == pytest.approx(100 * on_gpu / (on_gpu / 0.99 + 1.5e-6), abs=1)
    assert shown["numpy_blas"] == pytest.approx(100 * on_cores / (30e-12 * operations / 14.5), abs=1)
    assert shown["numba_njit"] == pytest.approx(100 * on_one / (1350e-12 * operations), abs=1)
    peaks = [plain(each) for each in ask(products, 'return readAll(".peaks tr");', page="machine.html")]
    assert any(re.match(r"matmulH200float64–55.0 Tflop/s", each) for each in peaks)


def test_peaks_are_seen_whole(products):
    actions = 'const { scrollWidth, clientWidth } = page.querySelector(".peaks").closest(".scroll");'
    wide, room = ask(products, f"{actions} return [scrollWidth, clientWidth];", page="machine.html")
    assert wide <= room


def test_the_chosen_row_stands_in_the_chart_beside_its_code():
    """One click on a row marks its line in the chart and shows the source of its implementation."""
    told = ask(
        "h200",
        """await click(row("numba_parallel_fast"));
        return [read("#chart"), read("#code"), page.querySelector("#chart .chosen").dataset.line];""",
        PINNED,
    )
    chart, code, chosen = told
    assert "numba_parallel_fast" in chart
    assert chosen == "numba_parallel_fast"
    assert "prange" in code


def test_lines_are_told_apart_without_colours(products):
    """Lines differ by their dashes and by the shape of their points, which is repeated before their names."""
    told = ask(
        products,
        """return [...page.querySelectorAll("#chart [data-line]")].map((line) => {
          const shapes = [...line.querySelectorAll("path")].map((p) => p.getAttribute("d").replace(/^M[^m]*/, ""));
          return [new Set(shapes).size, shapes[0], line.querySelector("polyline").getAttribute("stroke-dasharray")];
        });""",
    )
    assert {count for count, *_ in told} == {1}
    looks = [tuple(look) for _, *look in told]
    assert len(set(looks)) == len(looks) >= 4


def fastest_s(machine, kernel, size, *, resident):
    """Return the lowest time per call in seconds: with data on the device if `resident`, otherwise from host arrays."""
    cases = of(published_table(machine, "timings"), kernel, size)
    on_device = ["throughput_s"] if resident else ["end_to_end_s", "end_to_end_pinned_s"]
    return cases.compute_s.where(cases.device == "cpu", cases[on_device].min(axis=1)).min()


@pytest.mark.slow
def test_a_machine_with_a_gpu_beside_one_without():
    """One click leads from a machine's page to the page of all machines, another one to its table of time ratios."""
    script = """
    const frame = await visit("h200/index.html"), opened = new Promise((done) => frame.addEventListener("load", done));
    frame.contentDocument.querySelector(".links a[href='../machines.html']").click();
    await opened;
    const page = frame.contentDocument;
    page.querySelector(".links a[href='#answers']").click();
    await wait();
    const seen = ({ top, bottom }) => top >= 0 && bottom <= 900;
    const rows = [...page.querySelectorAll("#answers tbody tr")];
    const number = rows.filter((row) => seen(row.getBoundingClientRect())).length;
    return [number, rows.map((row) => row.textContent.replace(/\\s+/g, " "))];
    """
    (number, rows), console = look(EXAMPLES, script)
    assert console == []
    assert number > 5
    for place, resident in (("from host memory and back", False), ("data resident", True)):
        here, there = (fastest_s(machine, "vector_sum", 4_000_000, resident=resident) for machine in ("h200", "cpu"))
        (told,) = (plain(row) for row in rows if "vector_sum 4·10⁶" in row and place in row)
        assert re.search(rf"{place} ?h200 [\d.]+ .s", told)
        others = re.search(rf"{place} ?\w+.*? [\d.]+ .s ?\w+ .*?cpu ([\d.]+)×", told)[1]
        assert float(others) == pytest.approx(there / here, rel=0.03)


def test_what_is_computed_and_what_its_size_counts_stand_with_the_form(products):
    told = ask(products, 'return [read("#ask-what"), ...readAll("#chart text")];')
    (words,) = {text for text in told[1:] if told[0].endswith(f"; size: {text}")}
    assert words
    assert told[0] != f"; size: {words}"


COPIES = """
const told = [], writeText = async (text) => { told.push(text); };
Object.defineProperty(frame.contentWindow.navigator, "clipboard", { value: { writeText }, configurable: true });
"""


def test_numbers_of_a_figure_are_copied_for_spreadsheets_and_for_texts(products):
    actions = """
    const numbers = page.querySelector(".numbers");
    const buttons = [...numbers.querySelectorAll(".copy")];
    for (const form of ["TSV", "Markdown"]) await click(buttons.find((button) => text(button) === `Copy ${form}`));
    return [[...numbers.querySelectorAll("tr")].map((row) => [...row.cells].map((cell) => cell.textContent)), told];
    """
    rows, (tsv, markdown) = ask(products, COPIES + actions, page="kernels/matmul.html")
    assert [line.split("\t") for line in tsv.splitlines()] == rows
    head, ruler, *others = (line.strip("| ").split(" | ") for line in markdown.splitlines())
    assert [head, *others] == rows
    assert set(ruler) == {"---"}
    assert all(head)


@pytest.mark.parametrize(
    ("page", "selector", "button"),
    [
        ("index.html", "#chart svg", "#copy-chart"),
        ("index.html", "#effort svg", "#copy-effort"),
        ("kernels/matmul.html", ".drawing svg", ".numbers .copy"),
    ],
    ids=["chart", "effort", "figure"],
)
def test_a_picture_is_copied_as_a_file_that_needs_no_page(products, page, selector, button):
    """A copied picture is complete in itself: it keeps the styles of the page, in the colours of the light theme."""
    actions = f"""
    const button = page.querySelector("{button}"), shown = page.querySelector("{selector}");
    await click(button);
    const file = new DOMParser().parseFromString(told[0], "image/svg+xml"), own = document.createElement("div");
    own.append(document.importNode(file.documentElement, true));
    document.body.append(own);
    page.documentElement.dataset.theme = "light";
    const looks = (part) => ["fill", "stroke", "strokeWidth", "strokeDasharray", "fontSize", "fontWeight", "opacity"]
      .map((look) => getComputedStyle(part)[look]).join();
    const parts = [own.firstElementChild, shown].map((svg) => [...svg.querySelectorAll("*")]);
    const differ = parts[0].filter((part, n) => looks(part) !== looks(parts[1][n])).length;
    delete page.documentElement.dataset.theme;
    const isDark = getComputedStyle(page.body).colorScheme === "dark";
    own.remove();
    return [text(button), told[0], parts.map((every) => every.length), differ, isDark];
    """
    name, svg, (parts, shown), differ, still_dark = ask(products, COPIES + actions, page=page, dark=True)
    assert name == "Copied"
    assert parts == shown > 20
    assert differ == 0
    assert still_dark
    found = ElementTree.fromstring(svg)
    assert found.tag == "{http://www.w3.org/2000/svg}svg"
    assert min(float(found.get("width")), float(found.get("height"))) > 100
    assert not re.search(r"\bvar\(| class=| style=| data-| href=\"(?!#)", svg)


def test_the_sentence_alone_is_copied(products):
    sentence, told = ask(
        products, COPIES + 'await click(page.getElementById("copy-sentence")); return [read("#sentence"), told];'
    )
    (copied,) = told
    assert sentence in " ".join(copied.split())


def test_data_are_kept_on_a_gpu_where_that_makes_it_the_fastest(products):
    actions = """
    await click(page.querySelector("#more a"));
    await wait(200);
    return [page.getElementById("ask-place").value, read("#sentence"), page.querySelector("#more a")];
    """
    place, sentence, link = ask(products, actions, {"size": "4096", "place": "pinned"})
    assert place == "kept"
    assert "on H200" in sentence
    assert link is None


def test_what_a_backend_of_choice_costs(products):
    actions = 'const before = read("#sentence"); await click(row("numba_njit")); return [before, read("#code .note")];'
    best, told = map(plain, ask(products, actions, {"size": "4096", "place": "pinned"}))
    words = r"(.*) a call slower than the first of the ranking, which takes (\S+ ?\d+) % less;"
    cost, share = re.match(words, told).groups()
    mine = seconds(best.split(": ", 1)[1]) + seconds(cost)
    assert float(share.removeprefix("over ")) == pytest.approx(100 * seconds(cost) / mine, abs=1)


def test_what_c_pastes_together_is_no_comment():
    state = {"kernel": "vector_sum", "dtype": "float64", "row": "cffi_openmp"}
    told = ask(rendered("cpu"), 'return [readAll("#code .c1"), page.querySelector("#code").textContent];', state)
    comments, code = told
    assert "##dtype" in code
    assert [text for text in comments if "##" in text] == []


def test_the_link_holds_the_state():
    actions = """
    await choose("ask-place", "resident");
    const link = page.querySelector("#permalink").href, before = read("#sentence");
    const other = (await visit(link)).contentDocument;
    return [before, text(other.querySelector("#sentence")), other.querySelector("#ask-place").value];
    """
    before, after, place = ask("h200", actions, PINNED)
    assert before == after
    assert place == "resident"


def test_keys_do_what_the_mouse_does():
    actions = """
    const buttons = () => [...page.querySelectorAll("[data-row]")];
    const key = (name) => page.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
    buttons()[0].focus();
    key("ArrowDown");
    await wait();
    const chosen = [page.activeElement, buttons()[1]].map((button) => button.dataset.row);
    const told = [text(page.querySelector("#code .chip")), buttons()[1].getAttribute("aria-pressed")];
    key("Enter");
    await wait();
    return [...chosen, ...told, page.querySelector("#case").open];
    """
    focused, second, shown, pressed, opened = ask("h200", actions, PINNED)
    assert focused == second
    assert shown in second
    assert pressed == "true"
    assert opened
