"""The short form of `make torture`: one fault of some kinds, always the same ones, on the host."""

import random

import faults
from tally import Tally

SOME = 20


def test_planted_faults_cost_their_own_case_and_leave_nothing(tmp_path):
    tally = Tally()
    planted = [fault for fault in faults.FAULTS["host"]() if not fault.name.startswith("cython")]
    chosen = faults.by_kind(planted, random.Random(8))[0][:SOME]
    faults.torture(tally, tmp_path, "host", ["cpu"], chosen)
    assert tally.tried["faults"] == SOME
    assert tally.wrong == []
