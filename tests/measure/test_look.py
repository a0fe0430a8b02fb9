"""Test of the preview of results during a run."""

from types import SimpleNamespace

from accelbench.cli import look
from accelbench.measure import bench as measuring
from accelbench.measure import coordinator
from accelbench.store import files, formats


def test_first_look_renders_the_pages_once_a_run_and_costs_no_job_if_it_fails(bench, tmp_path, monkeypatch):
    own = bench.config()
    monkeypatch.setenv(measuring.WHOLE, ".now")
    monkeypatch.setenv("ACCELBENCH_RUN_ID", "this")
    measured = coordinator.measure_repetition(own, "here", bench.results, number=1)
    formats.write(bench.results / "repetitions" / "doubling" / "1.json", measured)
    reports, config = tmp_path / "reports", own.whole
    given = SimpleNamespace(folder=bench.results, reports=reports, machine="here", config=config, cores=None)
    look.look_at(given, 1)
    page = reports / "here" / "index.html"
    assert "First look, taken" in page.read_text()
    page.unlink()
    look.look_at(given, 1)
    assert not page.exists(), "another job of the same repetition renders no page"
    look.look_at(given, 2)  # fails because the page is missing; the failure is only logged
    assert files.read_json(bench.results / "look.json") == ["this", 2]
    monkeypatch.delenv(measuring.WHOLE)
    look.look_at(given, 3)
    assert files.read_json(bench.results / "look.json") == ["this", 2], "a run of single results updates no page"
