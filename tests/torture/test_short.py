"""The short form of `make torture`: a fixed selection of faults on the host, including those that cache results."""

import random

import faults
import pytest
from tally import Tally

from accelbench import backends
from accelbench.store import files

SOME = 10
ON_A_GPU = ("illegal_address", "endless", "exhausting", "double_free", "stream_waits")


@pytest.mark.slow
def test_planted_faults_cost_their_own_case_and_leave_nothing(tmp_path, described):
    tally = Tally()
    planted = [fault for fault in faults.FAULTS["host"]() if not fault.name.startswith("cython")]
    keeping = [fault for fault in planted if fault.name.startswith("numpy_kept")]
    chosen = (keeping + faults.by_kind(planted, random.Random(8))[0])[:SOME]
    files.write_json(tmp_path / "results/local/machine.json", described)
    faults.torture(tally, tmp_path, "host", ["cpu"], chosen)
    assert tally.tried["faults"] == SOME
    assert tally.wrong == []


def test_what_is_planted_is_python_of_a_backend_under_a_name_of_its_own():
    """GPU faults run only on GPUs; here they are at least parsed."""
    for device, planted in faults.FAULTS.items():
        names = [fault.name for fault in planted()]
        assert len(set(names)) == len(names)
        for fault in planted():
            assert backends.of(fault.name)
            for name, text in fault.files.items():
                if name.endswith(".py") and "syntax" not in fault.words and "null" not in name:
                    compile(text, name, "exec")
        if device == "gpu":
            assert {f"{backend}_{kind}" for backend in ("cupy", "numba_cuda") for kind in ON_A_GPU} <= set(names)
