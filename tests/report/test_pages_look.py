"""Every page of the published examples in a browser: no console messages, no sideways scrolling, small files.

If axe-core is installed, it checks accessibility, too.
"""

import json
import re

import pytest
from browser import leaves, look, needs_chromium
from examples import EXAMPLES, RENDERED, machines, rendered
from read_results import read

from accelbench import project
from accelbench.archive import publishing
from accelbench.decide import Answers
from accelbench.pages import page as rendering

ALL = "../machines.html"  # page of all machines
AXE = project.ROOT / ".ci" / "node_modules" / "axe-core" / "axe.min.js"
# Maximum size of a page with up to four kernels, and of each additional kernel, in bytes
MOST_BYTES, MORE_BYTES = 400_000, 4_000
CASES_BYTES = 20_000  # Maximum additional size of a kernel's page, which lists every case, in bytes


def pages(machine):
    folder = EXAMPLES / machine
    found = [path for place in publishing.PAGES for path in folder.glob(place)]
    return [*sorted(path.relative_to(folder).as_posix() for path in found), ALL]


@pytest.mark.parametrize("machine", RENDERED)
def test_pages_are_small(machine):
    sizes = {name: (EXAMPLES / machine / name).stat().st_size for name in pages(machine)}
    assert len(sizes) >= 5
    more = max(0, sum(name.startswith("kernels/") for name in sizes) - 4)
    most = {name: MOST_BYTES + (name == "index.html") * more * MORE_BYTES for name in sizes}
    most |= {name: MOST_BYTES + CASES_BYTES for name in sizes if name.startswith("kernels/")}
    assert {name: size for name, size in sizes.items() if size >= most[name]} == {}


@needs_chromium
@pytest.mark.parametrize("machine", machines("h200"))
def test_nothing_is_said_in_the_console_and_nothing_scrolls_sideways(machine):
    script = """
    const wide = [];
    for (const name of PAGES) for (const width of [390, 900, 1440]) {
      const { contentDocument: { documentElement: root } } = await visit(name, width);
      if (root.scrollWidth > root.clientWidth) wide.push([name, width, root.scrollWidth]);
    }
    return wide;
    """
    wide, console = look(EXAMPLES / machine, script.replace("PAGES", json.dumps(pages(machine))))
    assert wide == []
    assert console == []


@needs_chromium
def test_links_to_all_pages_are_seen_or_told_to_be_scrolled_to():
    """The links to the pages of nine kernels are all visible on a wide screen.

    A phone shows the link of the current page. On a phone, the list of links fades out at its edge, to show that it
    scrolls.
    """
    script = """
    const seen = [];
    for (const width of [1440, 1024, 390]) {
      const { contentDocument: page, contentWindow: own } = await visit("kernels/vector_sum.html", width);
      const [top, links, theme] = [".top", ".top .links", "#theme"].map((place) => page.querySelector(place));
      const within = (link) => {
        const { left, right } = link.getBoundingClientRect();
        return left >= links.getBoundingClientRect().left && right <= theme.getBoundingClientRect().left;
      };
      const masked = own.getComputedStyle(links).maskImage !== "none", current = links.querySelector("[aria-current]");
      seen.push([[...links.children].map(within), within(current), masked, top.offsetHeight]);
    }
    return seen;
    """
    (desk, tablet, phone), console = look(rendered("h200-today"), script)
    assert console == []
    for all_seen, _, masked, height in (desk, tablet):
        assert len(all_seen) >= 15
        assert all(all_seen)
        assert not masked
        assert height < 96  # jumps to anchors leave 96 pixels free at the top
    some_seen, own_seen, masked, _ = phone
    assert not all(some_seen)
    assert own_seen
    assert masked


@needs_chromium
def test_heads_on_paper_are_words_and_no_buttons():
    """Table heads are plain text in print, since Chromium omits buttons when it repeats a head on the next page."""
    script = """
    const { contentDocument: page, contentWindow: window } = await visit("kernels/vector_sum.html", 1440);
    const rules = [...page.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
    for (const rule of rules) if (rule.media?.mediaText === "print") rule.media.mediaText = "all";
    return [...page.querySelectorAll(".sortable thead th, .cases thead th")].map((head) => {
      const button = head.querySelector("button"), { content } = window.getComputedStyle(head, "::before");
      return [button.textContent, window.getComputedStyle(button).display, content];
    });
    """
    heads, _ = look(EXAMPLES / "h200", script)
    assert len(heads) > 10
    assert {(display, told == json.dumps(words, ensure_ascii=False)) for words, display, told in heads} == {
        ("none", True)
    }


@needs_chromium
def test_a_link_to_a_source_selects_it():
    script = """
    const tab = "source-vector-sum-cffi-openmp";
    const { contentDocument: page } = await visit(`kernels/vector_sum.html#${tab}`, 1440);
    const panels = [...page.getElementById(tab).closest(".tabs").querySelectorAll(":scope > .panel")];
    const shown = panels.filter((panel) => panel.checkVisibility());
    return [page.getElementById(tab).checked, shown.map((panel) => panel.querySelector("strong").textContent)];
    """
    found, _ = look(EXAMPLES / "h200", script)
    assert found == [True, ["cffi_openmp"]]


@needs_chromium
def test_paper_has_the_chosen_answer():
    """The printed page has the answer that the screen shows, not the answers for browsers without scripts."""
    script = """
    const { contentDocument: page } = await visit("index.html#kernel=vector_multiply&size=1000000&place=pageable");
    for (const { cssRules } of page.styleSheets) for (const { media } of cssRules) {
      if (media?.mediaText === "print") media.mediaText = "all";
    }
    const seen = (which) => [...page.querySelectorAll(which)].filter((part) => part.checkVisibility()).length;
    const counts = ["#sentence", "#rows tr", "#chart svg", ".state", "form"].map(seen);
    return [page.getElementById("sentence").textContent, ...counts];
    """
    (sentence, headline, rows, charts, states, forms), _ = look(EXAMPLES / "h200", script)
    assert "a call" in sentence
    assert (headline, charts, states, forms) == (1, 1, 0, 0)
    assert rows > 5


CASES = """
const { contentDocument: page } = await visit("kernels/inside_polygon.html", 1440);
const [table, filters] = [".cases", ".filters"].map((part) => page.querySelector(part));
const shown = (cell) => cell.checkVisibility();
const heads = () => [...table.tHead.rows[0].cells].filter(shown).map(({ textContent }) => textContent);
const lengths = () => [...new Set([...table.tBodies[0].rows].map((row) =>
  [...row.cells].filter(shown).reduce((sum, { colSpan }) => sum + colSpan, 0)))];
filters.querySelector("select").value = "";
filters.querySelector("select").dispatchEvent(new Event("change"));
filters.querySelector(".all").click();
const failed = [...table.querySelectorAll(".reason")].length, few = [heads(), lengths()];
filters.querySelector("[type=checkbox]").click();
const every = [heads(), lengths()];
filters.querySelector("[type=checkbox]").click();
for (const { cssRules } of page.styleSheets) for (const { media } of cssRules) {
  if (media?.mediaText === "print") media.mediaText = "all";
  else if (media?.mediaText === "screen") media.mediaText = "print";
}
return [failed, few, every, heads()];
"""


@needs_chromium
def test_few_columns_of_the_cases_are_shown_until_all_are_asked_for():
    """The table of cases shows few columns until all are requested; print has its own selection.

    A failed case has a reason instead of times. The reason spans all columns of times.
    """
    (failed, few, every, paper), console = look(EXAMPLES / "h200", CASES)
    assert console == []
    assert failed > 0
    identity = ["implementation", "dtype", "size", "threads", "block"]
    always = ["verdict", "device", "outcome"]
    assert few == [[*identity, "time", "its 95 % interval", "speedup", "of peak", *always], [12]]
    assert len(every[0]) > 25
    assert every[1] == [len(every[0])]
    assert paper[-3:] == always
    assert {"time", "speedup", "end to end", "speedup end to end"} < set(paper) < set(every[0])


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize("machine", RENDERED)
def test_each_kernel_is_one_leaf_of_paper(machine):
    index = EXAMPLES / machine / "index.html"
    assert leaves(index, scripts=False) == index.read_text(encoding="utf-8").count('<section class="state')
    assert leaves(index) <= 2  # the chosen answer


@needs_chromium
@pytest.mark.parametrize("page", ["h200/machine.html", "machines.html"])
def test_short_tables_are_seen_whole_on_a_wide_screen(page):
    script = """
    const { contentDocument: page } = await visit(PAGE, 1440);
    const region = page.querySelector("[role=region]:has(.peaks), #answers [role=region]");
    return [region.scrollWidth, region.clientWidth];
    """
    found, _ = look(EXAMPLES, script.replace("PAGE", json.dumps(page)))
    wide, room = found
    assert wide <= room


@needs_chromium
@pytest.mark.parametrize("machine", machines("h200"))
def test_outcomes_and_sources_are_read_without_scrolling_sideways(machine):
    """Tables of outcomes fit on a phone, and unfolded sources beside a lecture's figures fit on any screen."""
    script = """
    const found = [], sources = PAGES.map((name) => [name, ".sources .code", [390, 1440]]);
    for (const [name, parts, widths] of [["outcomes.html", "[role=region]", [390]], ...sources])
      for (const width of widths) {
        const { contentDocument: page } = await visit(name, width);
        for (const fold of page.querySelectorAll("details")) fold.open = true;
        await wait();
        const shown = [...page.querySelectorAll(parts)];
        const wide = shown.filter((part) => part.scrollWidth > part.clientWidth);
        found.push([name, width, shown.length, wide.map((part) => part.textContent.slice(0, 200))]);
      }
    return found;
    """
    lectures = [name for name in pages(machine) if name.startswith("lectures/")]
    found, _ = look(EXAMPLES / machine, script.replace("PAGES", json.dumps(lectures)))
    assert any(count for name, _, count, _ in found if name in lectures) == bool(lectures)
    assert [(name, width, wide) for name, width, _, wide in found if wide] == []


@needs_chromium
@pytest.mark.parametrize("machine", machines("h200"))
def test_no_text_is_smaller_than_11_pixels_on_a_phone(machine):
    script = """
    const small = [];
    let seen = 0;
    for (const name of PAGES) {
      const { contentDocument: page, contentWindow: window } = await visit(name, 390);
      for (const fold of page.querySelectorAll("details")) fold.open = true;
      await wait(100);
      const words = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
      for (let node; (node = words.nextNode()); ) {
        const part = node.parentElement, { a, b } = part.getScreenCTM?.() ?? { a: 1, b: 0 };
        if (!node.data.trim() || !part.getClientRects().length) continue;
        const size = Math.hypot(a, b) * parseFloat(window.getComputedStyle(part).fontSize);
        seen += 1;
        if (size < 10.95) small.push([name, node.data.trim(), size]);
      }
    }
    return [seen, small];
    """
    (seen, small), _ = look(EXAMPLES / machine, script.replace("PAGES", json.dumps(pages(machine))))
    assert seen > 1000
    assert small == []


@needs_chromium
@pytest.mark.parametrize("machine", machines("h200"))
def test_on_a_phone_figures_are_cut_off_behind_their_last_labels(machine):
    """On a phone, no label is cut off at the edge of a figure, or at the end of a figure that can be scrolled.

    Figures that are cut off have no scroll shadow, which would cover labels.
    """
    script = """
    const found = [], shadows = new Set();
    let cuts = 0;
    for (const name of PAGES) {
      const { contentDocument: page, contentWindow: window } = await visit(name, 390);
      cuts += page.querySelectorAll(".cut .drawing").length;
      for (const drawing of page.querySelectorAll(".drawing")) {
        const { overflowX, backgroundSize } = window.getComputedStyle(drawing);
        if (overflowX === "auto") drawing.scrollLeft = drawing.scrollWidth;
        const { right } = drawing.getBoundingClientRect();
        const cut = (box) => (overflowX === "auto" || box.left < right) && box.right > right;
        const texts = [...drawing.querySelectorAll("text")].filter((text) => cut(text.getBoundingClientRect()));
        found.push(texts.map(({ textContent }) => [name, textContent]));
        if (overflowX === "hidden") shadows.add(backgroundSize);
      }
    }
    return [found, [...shadows], cuts];
    """
    kernels = [name for name in pages(machine) if name.startswith("kernels/")]
    (found, shadows, cuts), _ = look(EXAMPLES / machine, script.replace("PAGES", json.dumps([*kernels, ALL])))
    assert len(found) >= len(kernels)
    assert [cut for cut in found if cut] == []
    assert [shadow.replace(" auto", "") for shadow in shadows] == ["0px, 0px"][: bool(cuts)]


@needs_chromium
def test_the_key_of_machines_is_shown_below_wide_figures():
    script = """
    const { contentDocument: page, contentWindow: window } = await visit("machines.html", 1440);
    return [...page.querySelectorAll("ul.key")].map((key) => window.getComputedStyle(key).display);
    """
    displays, _ = look(EXAMPLES, script)
    assert displays
    assert {*displays} == {"flex"}


TOUCHING = """
const found = [], told = (text) => [text.textContent, text.getBoundingClientRect()];
const boxes = (svg) => [...svg.querySelectorAll("text")].map(told).filter(([, box]) => box.width);
const common = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]);
const touch = ([, a], [, b]) => common(a, b, "left", "right") > -1 && common(a, b, "top", "bottom") > 3;
for (const width of [390, 760, 1440]) {
  const { contentWindow: page, contentDocument: { body } } = await visit("index.html", width);
  for (const state of STATES) {
    page.show({ ...state, rows: "all", row: "" });
    for (const svg of body.querySelectorAll("#axis svg, #chart svg, #effort svg")) {
      const all = boxes(svg), { left, right } = svg.getBoundingClientRect();
      const cut = all.filter(([, box]) => box.left < left - 1 || box.right > right + 1);
      const bad = [...cut, ...all.filter((one, n) => all.slice(n + 1).some((other) => touch(one, other)))];
      if (bad.length) found.push([width, state.kernel, state.place, svg.parentElement.id, bad.map(([text]) => text)]);
    }
  }
}
return found;
"""


@needs_chromium
@pytest.mark.parametrize("machine", machines("h200"))
def test_no_words_of_a_chart_touch_or_are_cut_off_in_any_state(machine):
    """No labels overlap or are cut off, on the table's axis and in the charts against size and lines of code."""
    answers = Answers(read(EXAMPLES / machine))
    states = [
        {"kernel": f.kernel, "dtype": f.dtype, "options": f.options, "size": sizes[-1], "place": place, "calls": 1000}
        for f, sizes in answers.sizes.items()
        for place in answers.places
    ]
    script = TOUCHING.replace("STATES", json.dumps(states))
    found, console = look(EXAMPLES / machine, script)
    assert console == []
    assert found == []


@needs_chromium
@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: .ci/run installs it")
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("machine", machines("h200"))
def test_axe_finds_no_fault(machine, dark, tmp_path):
    """axe-core finds no fault, contrast included.

    Its script is inserted into copies of the pages without their content security policy, which would block it.
    """
    folder = tmp_path / machine
    folder.mkdir()
    for name in pages(machine):
        text = re.sub(r"<meta http-equiv[^>]*>", "", (EXAMPLES / machine / name).read_text(encoding="utf-8"))
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text.replace("</body>", f'<script src="{AXE.as_uri()}"></script></body>'))
    script = """
    const found = [];
    for (const name of PAGES) {
      const { violations } = await (await visit(name)).contentWindow.axe.run({ resultTypes: ["violations"] });
      const told = ({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ""}`;
      for (const { id, nodes } of violations) found.push([name, id, nodes.length, nodes.slice(0, 2).map(told)]);
    }
    return found;
    """
    found, _ = look(folder, script.replace("PAGES", json.dumps(pages(machine))), dark=dark)
    assert found == []


RULES = """
const rules = (text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return [...sheet.cssRules].map(({ cssText }) => cssText);
};
return SHEETS.map((text) => rules(text));
"""


@needs_chromium
@pytest.mark.parametrize(
    ("room", "name"),
    [("report", "decide.css"), ("report", "outcomes.css"), ("pages", "page.css"), ("lectures", "lectures.css")],
)
def test_style_sheets_say_the_same_without_their_spaces(room, name):
    folder = project.ROOT / "workflow" / "accelbench" / room / "static"
    written, carried = (folder / name).read_text(encoding="utf-8"), rendering.static(folder, name)
    (wanted, found), _ = look(EXAMPLES / "cpu", RULES.replace("SHEETS", json.dumps([written, carried])))
    assert found == wanted
    assert wanted
    assert len(carried) < 0.95 * len(written)
