"""Test of the detection of missing journals."""

import pytest

from accelbench.store import files
from accelbench.store.journal import KernelJournal


@pytest.mark.parametrize(("timings", "expected"), [("", False), ("{}\n", True)])
def test_a_kernel_without_a_case_has_lost_no_journal(tmp_path, timings, expected):
    """A peak without records on this machine needs no journal. A peak with records needs one."""
    measured = {"started": "2026-11-28", "wall_s": 1, "in_samples_s": 0, "command": "", "commit": None, "dirty": None}
    measured |= {"protocol_version": 3, "config": {}, "cases": 0}
    files.write_json(tmp_path / "repetitions" / "peak_copy" / "1.json", measured)
    files.write(tmp_path / "timings" / "peak_copy.jsonl", timings)
    assert KernelJournal(tmp_path, "peak_copy").is_lost([1]) == expected
