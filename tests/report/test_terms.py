"""Tests that pages explain each term once, show the explanation on focus, and keep it inside the window."""

import html
import json
import re
from typing import get_args

import pytest
from browser import look, needs_chromium

from accelbench import project
from accelbench.model.record import Outcome
from accelbench.pages.page import glossary

TERM = re.compile(r'<dfn class="term" tabindex="0" data-tip="([^"]*)">(.*?)</dfn>')
EXPECTED = {
    "kernels/vector_sum.html": {
        *("algorithm", "baseline", "tie", "undetermined", "pinned"),
        *("in a loop", "the next run's", "of peak", "occupancy", "noisy", "launch-bound", "implausible"),
    },
    "machine.html": {
        *("peak", "of peak", "baseline", "repetition", "case", "problem", "round", "interval"),
        *("the next run's", "in a loop", "pinned", "noisy", "launch-bound", "reference case"),
    },
}


@pytest.fixture
def report():
    return project.ROOT / "reports" / "examples" / "h200"


def explained(path):
    """Return [(explanation, term)] of a page."""
    found = TERM.findall(path.read_text(encoding="utf-8"))
    return [(html.unescape(told), html.unescape(word)) for told, word in found]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_page_explains_its_words_once(report, name):
    words = glossary()
    found = explained(report / name)
    assert len({told for told, _ in found}) == len(found)
    assert {told for told, _ in found} <= {words[term] for term in EXPECTED[name]}
    needed = EXPECTED[name] - {"occupancy", "in a loop"}  # terms that only some results need
    assert {words[term] for term in needed} <= {told for told, _ in found}


def test_outcomes_are_explained_where_they_are_counted(report):
    text = (report / "outcomes.html").read_text(encoding="utf-8")
    counts = re.search(r'<ul class="counts">(.*?)</ul>', text, re.DOTALL)[1]
    assert counts.count("<li") == len(TERM.findall(counts)) > 1
    assert (glossary()["unsupported"], "unsupported") in explained(report / "outcomes.html")


def test_every_outcome_is_explained():
    assert {outcome.replace("_", " ") for outcome in get_args(Outcome)} <= glossary().keys()


@pytest.mark.processes
@needs_chromium
def test_an_explanation_is_seen_on_focus_and_stays_on_the_page(report):
    script = """
    const wide = [];
    let seen = 0;
    for (const name of PAGES) for (const width of [390, 1120, 1440]) {
      const { contentDocument: page, contentWindow: window } = await visit(name, width);
      const root = page.documentElement;
      if (root.scrollWidth > root.clientWidth) continue; // before any explanation is shown: tested elsewhere
      for (const term of page.querySelectorAll(".term")) {
        if (!term.getClientRects().length) continue; // folded or hidden
        term.focus();
        const { content } = window.getComputedStyle(term, "::after");
        seen += content.startsWith('"') || content.startsWith("attr");
        if (root.scrollWidth > root.clientWidth || term.closest(".scroll")) wide.push([name, width, term.textContent]);
      }
    }
    return [seen, wide];
    """
    pages = [*EXPECTED, "outcomes.html", "index.html"]
    (seen, wide), console = look(report, script.replace("PAGES", json.dumps(pages)))
    assert wide == []
    assert console == []
    assert seen > 40
