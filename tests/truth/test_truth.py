"""Tests that a short form of `make truth` counts correctly and reports large deviations."""

import importlib.util
import itertools
import math
import statistics
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import cost
import numpy as np
import others
import pytest
import races
import replay
import slowdowns
import sweeps
import unrest
from planting import PASSES, plant, print_table, sweep
from pretended_results import record, save

from accelbench import project
from accelbench.analysis import Analysis, frames, scatter, verdicts
from accelbench.analysis.verdicts import AMBIGUOUS, FASTER, SAME, SLOWER
from accelbench.model.device import Device
from accelbench.store import files
from accelbench.store.load import load_results

PROTOCOL = {"repetitions": 5, "budget_s": 0.02, "startup": False}

RIGHT = {"max_error": 0.0, "tolerance": 1e-9}
TOOK = ("200 s", True), ("400 s", False)  # (time, whether a target of 300 s is met)
TRIES, STEADY = 3, 1.3  # maximum number of sweeps until one is steady; maximum of high / low in a steady sweep


def decision(true, ratio, verdict, half=0.01):
    return slowdowns.Decision(true, ratio, ratio * math.exp(-half), ratio * math.exp(half), verdict)


@pytest.fixture(scope="module")
def two_sweeps(tmp_path_factory, described):
    """Return (results folder, layout) of two sweeps. In each sweep, another twin does 50 % more work."""
    layouts = [{"numpy_twin00": 150, "numpy_twin01": PASSES}, {"numpy_twin00": PASSES, "numpy_twin01": 150}]
    done = []
    for passes in layouts:
        every = passes | {slowdowns.DOUBLE: 2 * PASSES}
        for _ in range(TRIES):
            place = tmp_path_factory.mktemp("sweep")
            files.write_json(place / "results/local/machine.json", described)
            plant(place, every, sizes=[2000], protocol=PROTOCOL)
            home = sweep(place)[1]
            if is_steady(home):
                break
        done.append((home, every))
    return done


def is_steady(home):
    """Return whether all intervals of a sweep are as narrow as on an idle machine."""
    rows = frames.rows(Analysis(load_results(home)), "timings")
    return all(row.speedup_ci_high / row.speedup_ci_low < STEADY for row in rows)


@pytest.fixture
def command(two_sweeps, monkeypatch):
    """Return a function that runs the command on the two sweeps and returns the exit status."""
    homes, layouts = iter([home for home, _ in two_sweeps]), iter([passes for _, passes in two_sweeps])
    monkeypatch.setattr(slowdowns, "plant", lambda *_, **__: None)
    monkeypatch.setattr(slowdowns, "sweep", lambda _: (0.0, next(homes)))
    monkeypatch.setattr(slowdowns, "layout", lambda _: next(layouts))
    monkeypatch.setattr(slowdowns, "MORE", (0, 50))
    monkeypatch.setitem(slowdowns.SIDE_BY_SIDE, 50, 0.9)
    monkeypatch.setattr(sys, "argv", ["truth", "slowdowns", "--count", "2", "--seed", "1"])

    def status():
        spec = importlib.util.spec_from_file_location(
            "truth_command", Path(slowdowns.__file__).with_name("__main__.py")
        )
        main = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(main)
        with pytest.raises(SystemExit) as ended:
            main.main()
        return int(ended.value.code)

    return status


@pytest.mark.slow
def test_a_twin_that_does_half_as_much_again_is_found_side_by_side_and_between_sweeps(two_sweeps):
    done = [(load_results(home), passes) for home, passes in two_sweeps]
    first = {round(d.true, 2): d for d in slowdowns.side_by_side(*done[0])}
    assert first.keys() == {0.67, 1.0}
    assert first[0.67].verdict == SLOWER
    assert first[0.67].ratio == pytest.approx(2 / 3, rel=0.2)
    ratios = {round(d.true, 2): d.ratio for d in slowdowns.between(*done)}
    assert ratios.keys() == {0.67, 1.0, 1.5}
    assert ratios[0.67] < 0.85 < 1.2 < ratios[1.5]
    assert float(slowdowns.proportion(done).measured) == pytest.approx(2, rel=0.2)


@pytest.mark.slow
def test_the_command_tells_each_count_and_ends_as_its_table_says(command, capsys):
    status = command()
    said = capsys.readouterr().out
    assert said.startswith("seed 1\n")
    table = [[cell.strip() for cell in line.split("|")[1:-1]] for line in said.splitlines() if line.startswith("|")]
    met = {what: met for what, _, _, met in table[2:]}
    assert met["side by side: 50 % planted in 2 pairs, found"] == "yes"
    assert {
        "side by side: 2 pairs without a difference, called FASTER or SLOWER",
        "side by side: 50 % planted, measured",
    } <= set(met)
    assert status == ("no" in met.values())


@pytest.mark.slow
@pytest.mark.parametrize("verdict", [SAME, SLOWER])
def test_a_wrong_rule_of_verdicts_fails_the_command(command, capsys, monkeypatch, verdict):
    """Both wrong rules fail the command: one finds no slowdown, the other calls every twin slower."""
    judge = verdicts.judge
    for module in (scatter, verdicts):
        monkeypatch.setattr(module, "judge", lambda *args, **more: judge(*args, **more)._replace(verdict=verdict))
    assert command() == 1
    row = "50 % planted in 2 pairs, found" if verdict == SAME else "2 pairs without a difference, called"
    assert any(
        f"side by side: {row}" in line and line.endswith("| no |") for line in capsys.readouterr().out.splitlines()
    )


def test_what_is_told_of_a_slowdown_is_how_much_longer_the_slower_takes():
    estimate = slowdowns.judge("here", [decision(1.1, 1.12, FASTER), decision(1 / 1.1, 1 / 1.12, SLOWER)], {})[1]
    assert estimate.measured == "12.0 % (10.9 to 13.1), in 0 % of the intervals"


def test_what_is_missed_or_told_falsely_is_no_success():
    planted = [decision(1 / 1.05, 1 / 1.05, SLOWER)] * 9 + [decision(1 / 1.05, 1.0, AMBIGUOUS)]
    same = [decision(1.0, 1.0, SAME)] * 40
    rows = slowdowns.judge("here", planted + same, {5: 0.9})
    assert [row.met for row in rows[:2]] == [True, True]
    assert rows[-1].measured == "98 %"
    missed = slowdowns.judge("here", [*planted, decision(1.05, 1.0, AMBIGUOUS)], {5: 0.9})
    assert missed[0].met is False
    false = slowdowns.judge("here", same + [decision(1.0, 1.05, FASTER)] * 2, {})
    assert false[0].met is False


@pytest.mark.slow
def test_two_sweeps_of_the_same_thing_are_compared_with_targets(capsys):
    folder = project.ROOT / "reports" / "examples" / "cpu"
    rows = sweeps.rows(None, SimpleNamespace(folders=[folder, folder]))
    assert [row.measured for row in rows[-4:]] == ["-", "0 %", "100 %", "0 %"]  # equal sweeps have no verdict
    print_table(rows)
    assert capsys.readouterr().out.count("\n") == 3 + len(rows)


def beside(problem, repetition):
    """Return samples of a reference case beside a problem. In the last repetition, they are twice as long."""
    seconds = [(2.0 if repetition == "p9" else 1.0) + 1e-4 * each for each in range(4)]
    taken = {"samples_s": seconds, "rounds": [1, 2, 3, 4], "loops": 1}
    return {"problem": problem, "repetition": repetition, "references": {"peak_read/numpy_sum/float64/9/cpu": taken}}


def test_a_folder_of_two_runs_tells_of_each_by_itself_and_how_long_it_took(tmp_path):
    """The table has rows for each run. The second run scatters ten times as much, takes too long and is noisy."""
    generator = np.random.default_rng(3)
    names, records, runs = [f"p{n}" for n in range(10)], [], []
    for name, size in itertools.product(("numpy_thing", "cffi_api"), range(1000, 1030)):
        logs = [*generator.normal(0, 0.005, 5), *generator.normal(0, 0.05, 5)]
        seconds = tuple(map(math.exp, logs))
        records.append(record(name, size, compute=seconds, repetitions=names, key=f"{name} {size}", **RIGHT))
    for number, (own, wall_s) in enumerate(((names[:5], 200.0), (names[5:], 400.0))):
        about = {"started": f"2026-01-0{number + 1}T10:00:00+00:00", "wall_s": wall_s, "in_samples_s": 1.0, "cases": 1}
        about |= {"command": "", "commit": None, "dirty": None, "config": {}, "run": f"run{number}"}
        runs.append(about | {"repetitions": own, "protocol_version": 3})
    watched = [beside(f"thing/float64/{size}", name) for size in range(1000, 1030) for name in names]
    folder = save(tmp_path / "both", *records, kernels={"thing": {"runs": runs, "watched": watched}})
    rows = {row.what: row for row in sweeps.rows(None, SimpleNamespace(folders=[folder]))}
    halves = [
        float(rows[f"both{which}: half width of a speedup on the host, median of 30"].measured.split()[0])
        for which in (", run 1", ", run 2")
    ]
    assert halves[0] < 1.5
    assert halves[1] > 5
    assert [rows[f"both, run {run}: cases marked noisy"].measured for run in (1, 2)] == ["0 %", "100 %"]
    took = {what: (row.measured, row.met) for what, row in rows.items() if "measuring jobs of the run" in what}
    ends = [f"measuring jobs of the run of 2026-01-0{day} 10:00, 1 kernels" for day in (1, 2)]
    alone = {f"both, run {n + 1}: {end}": row for n, (end, row) in enumerate(zip(ends, TOOK, strict=True))}
    assert took == alone | {f"both: {end}": row for end, row in zip(ends, TOOK, strict=True)}


@pytest.mark.slow
def test_a_folder_of_two_runs_is_taken_apart_into_what_each_measured(two_sweeps):
    """The test declares parts of one sweep to be two runs."""
    results = load_results(two_sweeps[0][0])
    assert sweeps.runs_apart(results) == []
    metadata = results.kernels["passes"]
    (run,), names = metadata.runs, results.records[0].repetitions
    parts = {"a": names[:3], "b": names[3:]}
    starts = iter(["2026-01-01T10:00:00+00:00", "2026-01-01T12:00:00+00:00"])
    runs = [
        run.model_copy(update={"run": part, "started": next(starts), "repetitions": own}) for part, own in parts.items()
    ]
    split = replace(results, kernels={"passes": metadata.model_copy(update={"runs": runs})})
    first, second = sweeps.runs_apart(split)
    for whole, one, other in zip(results.records, first.records, second.records, strict=True):
        assert one.repetitions + other.repetitions == whole.repetitions
        parts = [record.timings["compute"] for record in (one, other)]
        assert parts[0].samples_s + parts[1].samples_s == whole.timings["compute"].samples_s
        middles = [statistics.median(samples) for samples in parts[1].samples_s]
        assert parts[1].median_s == pytest.approx(statistics.geometric_mean(middles))


def test_the_same_call_takes_as_long_by_another_tool():
    """One of thirty tries must agree with timeit. Other tests slow some tries; a wrong unit would change all tries."""
    timed = others.Timed("numpy_multiply", 100_000, Device("cpu"))
    ratios = (theirs / ours for ours, theirs in (others.by_timeit(timed) for _ in range(30)))
    assert any(ratio == pytest.approx(1, rel=0.1) for ratio in ratios)


def test_a_tool_that_is_missing_is_a_row_with_the_reason(monkeypatch):
    monkeypatch.setitem(others.ON_HOST, "timeit", (lambda timed: 1 / 0, "numpy_multiply", 0))
    row = others.compare("timeit", 1000, Device("cpu"))
    assert row.met is None
    assert "division by zero" in row.measured


@pytest.mark.slow
def test_cost_is_told_of_each_count(tmp_path, monkeypatch):
    monkeypatch.setattr(cost, "COUNTS", (20, 40))
    rows = cost.rows(tmp_path, SimpleNamespace(count=None))
    assert len(rows) == 15
    shown = {row.what: row.measured for row in rows}
    measuring = [
        float(shown[f"20 cases: {what}"].split()[0])
        for what in ("building and measuring, per case", "measuring alone, per case")
    ]
    assert measuring[0] > measuring[1] > 0


@pytest.mark.slow
def test_unrest_tells_the_share_of_noisy_cases_of_both_sweeps(tmp_path, monkeypatch):
    monkeypatch.setattr(unrest, "SIZES", (1000,))
    monkeypatch.setattr(unrest, "TWINS", 1)
    rows = unrest.rows(tmp_path, SimpleNamespace(seed=1, count=2))
    assert [row.target for row in rows] == ["<= 5 %", ">= 90 %"]
    assert all(row.met is not None and row.measured.endswith(" %") for row in rows)


def test_racing_keeps_the_published_answers():
    """A part of `make truth replay`. Ties may lose some members, and at most 1 % of the verdicts may change."""
    (whole,) = replay.sweeps(replay.EXAMPLES / "cpu-today")
    raced = replay.race(whole, replay.numbered(whole))
    assert replay.sampled_s(raced) < 0.9 * replay.sampled_s(whole)
    after, before = replay.answers(raced), replay.answers(whole)
    changed = {question: differ / number for question, differ, number in replay.changes(after, before)}
    assert changed["fastest"] == changed["crossover"] == 0
    assert changed["verdict"] <= 0.01
    assert all(ties & after["winner"][problem] for problem, ties in before["winner"].items())
    left = {r.left.after for r in raced.records if r.left}
    assert 2 in left <= {2, 3, 4}


def test_racing_covers_a_planted_truth(monkeypatch):
    """Intervals contain the known truth in two small sweeps of `make truth races`."""
    monkeypatch.setattr(races, "SCENES", {"two cores": races.SCENES["two cores"]})
    monkeypatch.setattr(races, "PROBLEMS", 10)
    rows = {row.what: row for row in races.rows(None, SimpleNamespace(seed=1, count=2))}
    shares = {what: float(row.measured.rstrip(" %")) for what, row in rows.items()}
    assert shares["racing, two cores: share of repetitions that are measured"] < 95
    assert shares["racing, two cores: cases that stayed whose intervals contain the truth"] > 85
    assert shares["racing, two cores: cases that left whose intervals contain the truth"] > 85
    assert shares["racing, two cores: problems in which no case within 2 % of the best stayed"] == 0
