"""The work of rendering a report grows linearly with its number of cases."""

import cProfile
import pstats
import random

from pretended_results import about, record, save

from accelbench.analysis import Analysis
from accelbench.decide import Answers
from accelbench.report import case_table, embed
from accelbench.store.load import load_results

NAMES = ("numpy_thing", "cffi_api", "numba_njit", "cython_loop")


def calls_for(folder, sizes):
    """Return the number of function calls made to compute a page's data from results at `sizes` sizes."""
    random.seed(1)
    records = [
        record(name, size, compute=tuple(1e-6 * size * (1 + place / 10) * random.uniform(0.97, 1.03) for _ in range(3)))
        for size in range(10, 10 + sizes)
        for place, name in enumerate(NAMES)
    ]
    metadata = {"thing": {"implementations": {name: about(name) for name in NAMES}}}
    analysis = Analysis(load_results(save(folder, *records, kernels=metadata)))
    with cProfile.Profile() as profile:
        case_table.table(analysis, "thing")
        embed.data(Answers(analysis), lambda *words: "", {})
    return pstats.Stats(profile).total_calls


def test_work_of_a_report_grows_with_its_sizes_and_not_faster(tmp_path):
    calls_for(tmp_path / "first", 1)  # includes all imports
    few, many = (calls_for(tmp_path / str(sizes), sizes) for sizes in (10, 160))
    assert many < 17 * few
