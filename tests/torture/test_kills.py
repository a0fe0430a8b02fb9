"""The short form of `make torture` for kills: kill -9 of a run and of a worker, once each at a random moment."""

import time

import kills
import pytest
from tally import Tally

from accelbench.store import files


@pytest.mark.slow
@pytest.mark.e2e
def test_after_kill_9_the_next_run_goes_on_by_itself_and_nothing_is_lost(tmp_path, described):
    seed, tally = time.time_ns() % 1_000_000, Tally()
    spans_s = {"run": 4.0, "worker": 1.5}  # without the coordinator, which measure/test_journal.py kills
    for victim in spans_s:
        files.write_json(tmp_path / victim / "results/local/machine.json", described)
    kills.torture(tally, tmp_path, seed, 1, spans_s)
    assert tally.wrong == [], f"seed {seed}"
    assert sum(tally.tried.values()) == 2
