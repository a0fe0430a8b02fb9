"""Tests that the ratios in the tables are the quotients of the times in the tables."""

import numpy as np
import pytest
from examples import EXAMPLES, machines
from read_results import read

from accelbench.analysis import frames

SAME = {"rtol": 1e-9, "atol": 0}


@pytest.fixture(params=machines("cpu"), scope="module")
def analysis(request):
    return read(EXAMPLES / request.param)


def test_speedups_of_cases_are_quotients_of_their_times(analysis):
    found = frames.frame(analysis, "timings").astype({"case": object, "baseline": object}).set_index("case")
    for ratio, kind in (("speedup", "compute"), ("speedup_end_to_end", "end_to_end"), ("speedup_call", "call")):
        shown = found[found[ratio].notna() & found[f"{kind}_s"].notna() & found["baseline"].notna()]
        slow = found.loc[shown["baseline"], f"{kind}_s"].to_numpy()
        compared = ~np.isnan(slow)
        assert compared.sum() > 100
        quotients = (slow / shown[f"{kind}_s"].to_numpy())[compared]
        np.testing.assert_allclose(shown[ratio].to_numpy()[compared], quotients, **SAME)


def test_intervals_and_verdicts_agree_with_their_ratios(analysis):
    for name in ("timings", "best", "winners"):
        found = frames.frame(analysis, name)
        judged = found[found["verdict"].notna() & found["speedup_ci_low"].notna()]
        assert (judged["speedup_ci_low"] <= judged["speedup"]).all()
        assert (judged["speedup"] <= judged["speedup_ci_high"]).all()
        assert (judged["speedup"][judged["verdict"] == "FASTER"] > 1).all()
        assert (judged["speedup"][judged["verdict"] == "SLOWER"] < 1).all()


def test_bests_have_the_ratio_of_their_times_to_the_baseline(analysis):
    found = frames.frame(analysis, "best")
    problem = ["kernel", "options", "size", "dtype"]
    numpy = found[found["implementation"] == found["baseline"]].set_index(problem)["compute_s"]
    shown = found[found["speedup"].notna()].set_index(problem)
    slow = numpy.reindex(shown.index).to_numpy()
    np.testing.assert_allclose(shown["speedup"], slow / shown["compute_s"].to_numpy(), **SAME)


def test_what_default_blocks_and_threads_cost_is_the_quotient_of_the_times_beside_it(analysis):
    regret = frames.frame(analysis, "regret").dropna(subset=["regret", "default_s"])
    others = regret[regret["default_block_size"] != regret["best_block_size"]]
    np.testing.assert_allclose(others["regret"], others["default_s"] / others["best_s"], **SAME)
    scaling = frames.frame(analysis, "scaling").dropna(subset=["scaling"])
    case = ["kernel", "options", "size", "dtype", "implementation"]
    fewest = scaling[scaling["threads"] == scaling["fewest_threads"]].set_index(case)["compute_s"]
    slow = fewest.reindex(scaling.set_index(case).index).to_numpy()
    np.testing.assert_allclose(scaling["scaling"], slow / scaling["compute_s"].to_numpy(), **SAME)


def test_one_case_has_one_time_in_all_tables(analysis):
    timings = frames.frame(analysis, "timings").set_index("case")
    launch = frames.frame(analysis, "launch").set_index("case")
    np.testing.assert_allclose(launch["call_s"], timings.loc[launch.index, "call_s"], **SAME)
    for best in analysis.bests("compute", lambda case: case.id):
        assert best.seconds == pytest.approx(best.case.seconds("compute"), rel=1e-12)
