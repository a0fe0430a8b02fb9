"""The notice on a page of a run that has not ended."""

import json

from accelbench import project
from accelbench.analysis import Analysis
from accelbench.cli import look as looking
from accelbench.report import look
from accelbench.store.load import load_results

EXAMPLE = project.ROOT / "reports" / "examples" / "cpu"
PAGE = '<p id="look" role="status" hidden></p><h1>so</h1><script type="application/json" id="choices">{}</script>'


def test_words_say_when_the_run_went_on_and_promise_nothing(monkeypatch):
    monkeypatch.setattr(looking.time, "time", lambda: looking.time.mktime((2026, 11, 28, 17, 5, 0, 0, 0, -1)))
    first = "First look, taken 2026-11-28 17:05 during a run: 1 of up to 5 repetitions. "
    first += "Ranks within ±14 % may still change. "
    first += "If the run still goes on, the next look follows at about 2026-11-28 17:07."
    assert looking.words_of(1, 5, 130.0, may_change=0.14) == first
    assert "Ranks may still change." in looking.words_of(1, 5, 130.0)
    last = "Look 4, taken 2026-11-28 17:05 during a run: 4 of up to 5 repetitions. "
    last += "If the run still goes on, the last look follows at about 2026-11-28 17:06."
    assert looking.words_of(4, 5, 10.0) == last


def test_answers_are_replaced_and_the_rest_of_the_page_stays(tmp_path):
    (tmp_path / "index.html").write_text(PAGE)
    look.write(Analysis(load_results(EXAMPLE)), EXAMPLE, tmp_path, words="Second look.")
    page = (tmp_path / "index.html").read_text()
    assert page.startswith('<p id="look">Second look.</p><h1>so</h1><script')
    data = json.loads(look.DATA.search(page)[0].partition(">")[2])
    assert {family["kernel"] for family in data["families"]} >= {"vector_sum", "inside_polygon"}
