"""Tests of the pages of the lectures, and of the page that lists the lectures."""

import html
import json
import math
import re
import time
from importlib.resources import files as files_of
from itertools import pairwise

import pytest
import yaml
from browser import look, needs_chromium
from command_line import invoke
from lecture_figures import CLAIM, entry, put, record, shown
from markdown_it import MarkdownIt
from pygments.styles import get_style_by_name
from pygments.token import Comment, Keyword, Literal, Name
from scipy import stats

from accelbench import config
from accelbench.analysis.priors import HOST, usual_of_cores
from accelbench.cli import ending
from accelbench.errors import InputError
from accelbench.lectures import entries, page
from accelbench.pages import source
from accelbench.pages.page import glossary
from accelbench.store import files, load


@pytest.mark.processes
def test_page_stands_alone_and_escapes_what_it_is_given(home, tmp_path):
    shown_code = {"code": [{"kernel": "vector_sum", "implementation": "cffi_api"}]}
    quoted = {"slide_code": {"language": "c", "text": "if (a < b) <script>alert(1)</script>"}}
    own = entry(**shown_code, **quoted, corrected="a slip", recorded={"hardware": "an old machine"})
    other = entry(id="own-lines", kind="size", rows=[], over=None)
    put(home, own, [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
    put(home, other, [record("numpy_sum", 8e-3), record("numpy_sum", 1e-3, 100)])
    report = tmp_path / "reports" / "synthetic"
    for each in (own, other):
        page.write_figure(each, home, report)
        for kind in ("svg", "pdf", "png"):
            assert (report / "figures" / f"{each.id}.{kind}").stat().st_size > 1000
    index = page.write_page(home, report, [own, other], absent=[entry(id="own-absent")])
    assert '<a href="#absent">1 more</a> was not measured.' in index.read_text()
    (absent,) = re.findall(r'<section id="absent">(.*?)</section>', index.read_text(), re.DOTALL)
    assert "<code>own-absent</code>" in absent
    assert "snakemake --cores all reports/local/figures/&lt;name&gt;.svg" in absent
    text = (report / "lectures" / "own.html").read_text()
    assert "<script>alert" not in index.read_text() + text
    assert "Sums &lt;in&gt; C" in text
    for words in ("an old machine", "a slip", "on the slide", 'id="own-sum"', "4.00×", "vector_sum/cffi_api.py"):
        assert words in text
    assert not re.search(r'(src|href)="(https?:)?//', text)
    assert not re.search(r"<th[^>]*></th>", text)  # screen readers cannot read empty header cells
    assert "index.html" not in text  # there is no report
    assert json.loads((home / "lectures" / "own-sum" / "view.json").read_text())["complete"]


@pytest.mark.processes
def test_a_title_that_is_a_question_gets_no_full_stop(home, tmp_path):
    asked = entry(title="Is C faster?")
    put(home, asked, [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
    page.write_figure(asked, home, tmp_path, formats=("svg",))
    picture = (tmp_path / "figures" / f"{asked.id}.svg").read_text(encoding="utf-8")
    assert "Is C faster? " in picture
    assert "?." not in picture


@pytest.mark.processes
def test_deck_shows_every_figure_once_with_its_picture_its_sentences_and_its_sources(home, tmp_path):
    code = [{"kernel": "vector_sum", "implementation": name} for name in ("cffi_api", "numpy_sum")]
    title = "a_b_c `x` *y* [z](w) <script> & # $v$"
    figures = [entry(title=title, code=code), entry(id="own-plain"), entry(id="own-absent", code=code)]
    for each in figures:
        put(home, each, [] if each.id == "own-absent" else [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
    report = tmp_path / "reports" / "synthetic"
    for each in figures:
        page.write_figure(each, home, report)
    deck = page.write_page(home, report, figures).with_name("slides.md").read_text()
    _, front, body = deck.split("---\n", 2)
    assert yaml.safe_load(front)["title"] == "The lectures' figures on local"
    tokens = MarkdownIt().parse(body)
    headings = [after for token, after in pairwise(tokens) if token.type == "heading_open"]
    assert [child.content for child in headings[0].children] == [title]
    assert len(headings) == 1 + sum(token.type == "hr" for token in tokens)
    pictures = [part.attrs["src"] for token in tokens for part in token.children or () if part.type == "image"]
    assert pictures == [f"figures/{each.id}.svg" for each in figures]
    assert all((report / picture).is_file() for picture in pictures)
    drawn = [shown(home, each) for each in figures]
    files_shown = [file for each in drawn for source in each.sources for file in source.files]
    fenced = [(token.info.strip(), token.content.strip()) for token in tokens if token.type == "fence"]
    assert len(fenced) > 1
    for file, (language, text) in zip(files_shown, fenced, strict=True):
        assert file.name.endswith(f".{language}")
        assert text
        assert text in file.text
    sentences = [token.children[0].content for token in tokens if token.type == "inline" and token.level == 3]
    assert sentences == [sentence for each in drawn for sentence in each.sentences + each.missing]
    assert len(headings) == len(figures) + len(fenced)


def test_a_slide_has_the_claims_and_its_notes_have_what_does_not_fit(home, tmp_path):
    each = entry(claims=[CLAIM | {"says": f"C is -- faster {n}"} for n in range(6)])
    put(home, each, [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
    page.write_figure(each, home, tmp_path, formats=["svg"])
    tokens = MarkdownIt().parse(page.write_deck(home, tmp_path / "deck.md", [each]).read_text())
    bullets = [token.content for token in tokens if token.type == "inline" and token.level == 3]
    (notes,) = [token.content for token in tokens if token.type == "html_block"]
    sentences = shown(home, each).sentences
    assert len(sentences) > len(bullets) == 5
    assert all(bullet.startswith("“C is") for bullet in bullets)
    assert notes.count("\n") == len(sentences) - len(bullets) + 2
    assert "--" not in notes.removeprefix("<!--").rstrip().removesuffix("-->")


def test_deck_of_a_lesson_has_its_figures_in_its_order(home, tmp_path):
    figures = [entry(), entry(id="own-more")]
    for each in figures:
        put(home, each, [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
        page.write_figure(each, home, tmp_path, formats=["svg"])
    deck = page.write_deck(home, tmp_path / "1h.md", figures[::-1]).read_text()
    assert re.findall(r"\((figures/[^)]*)\)", deck) == ["figures/own-more.svg", "figures/own-sum.svg"]


def write_lectures(home, report):
    """Write the pages of figures of two lectures; return (path of lectures.html, ids of the figures)."""
    figures = [entry(), entry(id="own-more"), entry(id="esrf-sum", lecture="esrf", slide=None)]
    for each in figures:
        put(home, each, [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
        page.write_figure(each, home, report)
    return page.write_page(home, report, figures), [each.id for each in figures]


@pytest.mark.processes
def test_each_lecture_has_a_page_and_lectures_html_leads_to_every_figure(home, tmp_path):
    """Each lecture has a page. lectures.html has anchors of all lectures and figures. All links are valid."""
    report = tmp_path / "reports" / "synthetic"
    files.write(report / "lectures" / "gone.html", "of a lecture whose figures are no more")
    index, figures = write_lectures(home, report)
    found = sorted(path.name for path in (report / "lectures").iterdir())
    assert found == ["esrf.html", "own.html"]
    pages = {path: path.read_text() for path in (index, *(report / "lectures").iterdir())}
    ids = {path.resolve(): re.findall(r'\bid="([^"]+)"', text) for path, text in pages.items()}
    assert all(len(set(own)) == len(own) for own in ids.values())
    anchors = {"own", "esrf", "machine", *figures, *(f"figure-{name}" for name in figures)}
    assert anchors <= set(ids[index.resolve()])
    for path, text in pages.items():
        for link, anchor in re.findall(r'href="([^"#]*)(?:#([^"]*))?"', text):
            target = (path.parent / link).resolve() if link else path.resolve()
            assert target.is_file(), link
            assert not anchor or anchor in ids[target], (path, link, anchor)


@pytest.mark.processes
def test_lectures_that_are_spelled_alike_share_a_page_and_each_has_one(home, tmp_path):
    report = tmp_path / "reports" / "synthetic"
    names = ("Week 1", "week-1", "../../x", "週", "z" * 300)
    figures = [entry(id=f"own-{number}", lecture=name) for number, name in enumerate(names)]
    for each in figures:
        put(home, each, [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
        page.write_figure(each, home, report)
    assert "Week 1; week-1" in page.write_page(home, report, figures).read_text()
    pages = {path.name: re.findall(r'<article [^>]*id="(.*?)"', path.read_text()) for path in report.glob("*/*.html")}
    alike = {"week-1.html": ["own-0", "own-1"]}
    assert pages == alike | {"x.html": ["own-2"], "other.html": ["own-3"], f"{'z' * 60}.html": ["own-4"]}


@pytest.mark.processes
def test_pages_of_lectures_explain_their_words(home, tmp_path):
    report = tmp_path / "reports" / "synthetic"
    write_lectures(home, report)
    explained = {"lectures.html": {"interval", "repetition"}, "lectures/own.html": {"page-locked"}}
    for name, terms in explained.items():
        told = re.findall(r'<dfn class="term" tabindex="0" data-tip="([^"]*)"', (report / name).read_text())
        assert sorted(map(html.unescape, told)) == sorted(glossary()[term] for term in terms)


@pytest.mark.processes
@needs_chromium
def test_old_links_to_figures_and_lectures_lead_on(home, tmp_path):
    report = tmp_path / "reports" / "synthetic"
    write_lectures(home, report)
    expected = {
        "own-more": "lectures/own.html#own-more",
        "figure-own-more": "lectures/own.html#own-more",
        "esrf": "lectures/esrf.html",
        "machine": "lectures.html#machine",
        "never-was": "lectures.html#never-was",
    }
    script = """
    const found = {};
    for (const anchor of ANCHORS) {
      const frame = await visit(`lectures.html#${anchor}`);
      await wait(300);
      found[anchor] = frame.contentWindow.location.href.split("/synthetic/")[1];
    }
    return found;
    """
    found, console = look(report, script.replace("ANCHORS", json.dumps([*expected])))
    assert console == []
    assert found == expected


def brightness(color):
    """Return the relative luminance of a color by WCAG 2; red, green and blue are from 0 to 1."""
    red, green, blue = ((c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for c in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def rgb(color):
    return [int(color.lstrip("#")[n : n + 2], 16) / 255 for n in (0, 2, 4)]


@pytest.mark.parametrize(("name", "sheet"), [(source.LIGHT_STYLE, "page.css"), (source.DARK_STYLE, "dark.css")])
def test_code_that_differs_can_be_read_before_its_background(name, sheet):
    """Code in marked lines has a contrast of at least 4.5, like other code."""
    pages = files_of("accelbench.pages") / "static" / sheet
    panel, slower = (re.search(rf"--{each}: (#\w+)", pages.read_text())[1] for each in ("panel", "slower"))
    template = (files_of("accelbench.lectures") / "static" / "lectures.css").read_text()
    share = int(re.search(r"\.hll { background: color-mix\(in srgb, var\(--slower\) (\d+)%", template)[1]) / 100
    behind = brightness(share * a + (1 - share) * b for a, b in zip(rgb(slower), rgb(panel), strict=True))
    kinds = (Comment, Keyword, Literal, Name.Builtin)
    before = {found["color"] for token, found in get_style_by_name(name) if any(token in kind for kind in kinds)}
    contrasts = {color: sorted([behind + 0.05, brightness(rgb(color)) + 0.05]) for color in before - {None}}
    assert {color: high / low for color, (low, high) in contrasts.items() if high / low < 4.5} == {}


def test_page_says_whether_claims_hold_beside_a_figure_and_at_the_end(home, tmp_path, monkeypatch):
    """A page states whether a claim holds, beside its figure; the final message of a run repeats the statement.

    The page shows only figures that are drawn; another declared figure is listed as absent.
    """
    own = entry(claims=[{"says": "C pays", "faster": "C", "than": "NumPy"}])
    put(home, own, [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
    reports = tmp_path / "reports"
    page.write_figure(own, home, reports / "synthetic")
    # If repetitions agree, the prior of a machine of this kind determines the interval.
    usual = usual_of_cores(virtualised=bool(load.read_machine(home).virtualised), gpu=False)[HOST]
    half = stats.t.ppf(0.975, 3.5) * math.sqrt(1.5 * usual.deviation**2 / 3.5 / 3)
    ends = " – ".join(f"{4 * math.exp(sign * half):.2f}×" for sign in (-1, 1))
    verdict = f"“C pays” holds here: C is 4.00× as fast as NumPy (95 % interval {ends})."
    assert verdict in (reports / "synthetic" / "figures" / "own-sum.txt").read_text().splitlines()
    target = "reports/synthetic/figures/own-sum.svg"
    ended = {"succeeded": True, "started": time.monotonic(), "targets": [target, "all"], "directory": tmp_path}
    told = ending.end(config.parse({}), [], **ended).splitlines()
    assert told[0] == f"Figure:   {tmp_path / target}"
    assert f"          {verdict}" in told
    monkeypatch.setattr(entries, "read", lambda: {"own-sum": own, "own-later": entry(id="own-later")})
    words = ["lecture", "page", "--machine", home.name, "--results", str(home.parent), "--reports", str(reports)]
    assert invoke(*words).exit_code == 0
    (absent,) = re.findall(
        r'id="absent">(.*?)</section>', (reports / "synthetic" / "lectures.html").read_text(), re.DOTALL
    )
    assert "<code>own-later</code>" in absent


def test_page_without_a_measured_figure_is_one_message(home):
    with pytest.raises(InputError, match=r"measured\.json: cannot be read"):
        page.write_figure(entry(), home, home / "reports")
