"""The choice of another machine in a report's form, which opens that machine's page with the same question."""

import json
import re

import pretended_results.cpu
import pretended_results.gpu
import pytest
from browser import look, needs_chromium

from accelbench.archive import publishing
from accelbench.report.page import laid_together

ASKED = "#kernel=vector_sum&dtype=float64&size={size}&place={place}&calls=10&rows=all"
CHOOSE = """
const frame = await visit(PAGE), form = frame.contentDocument.getElementById("ask-machine");
const label = form.labels[0].textContent.replace(/\\s+/g, " "), names = [...form.options].map(({ value }) => value);
const opened = new Promise((done) => frame.addEventListener("load", done));
form.value = "OTHER";
form.dispatchEvent(new Event("input", { bubbles: true }));
await opened;
await wait();
const page = frame.contentDocument, link = frame.contentWindow.location.href;
const values = ["machine", "kernel", "size", "place", "calls"].map((name) => page.getElementById(`ask-${name}`).value);
return { label, names, link, values, focus: page.activeElement.id, told: page.getElementById("nearest").textContent };
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def machines(tmp_path_factory, undrawn):
    """Two published machines in one folder: `gpu` has a GPU and matrix products, `cores` has neither."""
    results, laid = tmp_path_factory.mktemp("results"), tmp_path_factory.mktemp("laid")
    page = "".join(f'<a href="{name}/index.html">{name}</a>' for name in ("gpu", "cores"))
    (laid / "machines.html").write_text(page)
    kernels = ("vector_sum", "matmul")
    publishing.publish(pretended_results.gpu.write(results / "gpu", kernels=kernels), "gpu", laid / "gpu")
    publishing.publish(pretended_results.cpu.write(results / "cpu", kernels=kernels[:1]), "cores", laid / "cores")
    return laid


def go(machines, start, other):
    told, console = look(machines, CHOOSE.replace("PAGE", f'"{start}"').replace("OTHER", other))
    assert console == []
    return told


@needs_chromium
def test_choosing_a_machine_leads_to_the_same_question_there(machines):
    told = go(machines, "gpu/index.html" + ASKED.format(size=1_000_000, place="pageable"), "cores")
    assert told["label"].startswith("on machine")
    assert told["names"] == ["gpu", "cores"]
    assert told["values"] == ["cores", "vector_sum", "1000000", "pageable", "10"]
    assert "cores/index.html#" in told["link"]
    assert "rows=all" in told["link"]
    assert "from=" not in told["link"]
    assert told["focus"] == "ask-machine"
    assert told["told"] == ""


@needs_chromium
def test_of_a_kernel_that_was_not_measured_there_no_other_ones_number_is_shown(machines):
    """The page names a machine that measured the kernel, with a link to the same question there."""
    told = go(machines, "gpu/index.html#kernel=matmul&dtype=float64&size=4096&place=pinned", "cores")
    assert told["values"][:2] == ["cores", ""]
    assert told["told"] == "matmul was not measured on cores. gpu has it."
    script = """
    const { contentDocument: page } = await visit("cores/index.html#kernel=matmul&size=4096&from=gpu");
    const shown = page.getElementById("answer").hidden, link = page.querySelector("#nearest a").getAttribute("href");
    const kernel = page.getElementById("ask-kernel");
    kernel.value = "vector_sum";
    kernel.dispatchEvent(new Event("input", { bubbles: true }));
    await wait();
    return [shown, link, page.getElementById("answer").hidden, page.getElementById("nearest").textContent];
    """
    found, console = look(machines, script)
    assert console == []
    assert found == [True, "../gpu/index.html#kernel=matmul&size=4096&from=gpu", False, ""]


@needs_chromium
def test_a_place_that_was_not_measured_there_is_said_beside_what_is_nearest(machines):
    told = go(machines, "gpu/index.html#kernel=vector_sum&dtype=float64&size=1000000&place=pinned", "cores")
    assert told["values"][3] == "pageable"
    not_measured, nearest = told["told"].split(". ")
    assert not_measured == "Not measured on cores: page-locked host memory"
    assert nearest == "The nearest is shown: data in host arrays."


@needs_chromium
def test_the_nearest_size_is_that_of_least_ratio(machines):
    script = """
    const told = [];
    for (const asked of [3000, 2e9]) {
      const page = (await visit(`cores/index.html#kernel=vector_sum&dtype=int8&size=${asked}`)).contentDocument;
      const nearest = page.getElementById("nearest"), sizes = [...page.getElementById("ask-size").options];
      told.push([page.getElementById("ask-size").value, sizes.map(({ value }) => value), nearest.textContent]);
      page.getElementById("ask-calls").dispatchEvent(new Event("input", { bubbles: true }));
      told.at(-1).push(nearest.textContent);
    }
    return told;
    """
    found, console = look(machines, script)
    assert console == []
    for asked, (size, sizes, told, later) in zip((3000, 2e9), found, strict=True):
        ratios = {each: max(int(each) / asked, asked / int(each)) for each in sizes}
        assert size == min(ratios, key=ratios.get)
        assert re.match(r"Not measured on cores: int8; size .*\. The nearest is shown: float\d\d; size ", told)
        assert later == ""


@needs_chromium
def test_a_link_that_cannot_be_followed_is_told_so(machines):
    links = {
        "row=nosuch": "nosuch has no time here: FIRST is chosen.",
        "machine=gpu": "This is cores, not gpu.",
        "calls=0": "1000 calls, not 0.",
        "calls=37": "100 calls, not 37.",
        "calls=10&machine=cores&row=numpy_sum": "",
    }
    script = """
    const told = [];
    for (const link of LINKS) {
      const page = (await visit(`cores/index.html#kernel=vector_sum&${link}`)).contentDocument;
      const first = page.querySelector("[data-row][aria-pressed=true]").dataset.row;
      told.push(page.getElementById("nearest").textContent.replace(first, "FIRST"));
    }
    return told;
    """
    told, console = look(machines, script.replace("LINKS", json.dumps(list(links))))
    assert console == []
    assert told == list(links.values())


def test_without_a_script_links_lead_to_the_others(machines):
    text = (machines / "cores" / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'href="(\.\./[^"]*/index\.html)"', text) == ["../gpu/index.html"]


@pytest.mark.processes
def test_a_machine_alone_is_no_choice(tmp_path, undrawn):
    """The form offers no choice if machines.html does not list both this machine and another one."""
    folder = pretended_results.cpu.write(tmp_path / "results" / "local", kernels=("vector_sum",))
    for page in ('<a href="other/index.html">', '<a href="mine/index.html">'):
        (tmp_path / "machines.html").write_text(page)
        text = publishing.publish(folder, "mine", tmp_path / "mine").read_text(encoding="utf-8")
        assert 'id="ask-machine"' not in text
        assert "<span>on <b>mine</b>,</span>" in text
        assert "../other" not in text


def test_machines_that_lie_together_are_those_of_the_page_above(tmp_path):
    assert laid_together("h200", tmp_path) == []
    links = ("h200", "my.laptop", "h200", "..", "a/b")
    (tmp_path / "machines.html").write_text("".join(f'<a href="{name}/index.html">' for name in links))
    assert laid_together("h200", tmp_path) == ["h200", "my.laptop"]
    assert laid_together("other", tmp_path) == []
