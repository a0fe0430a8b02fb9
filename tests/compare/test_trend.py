"""Tests of the comparison of several runs of one machine: change points, output, and exit status."""

import dataclasses
import io
import math
import random
import re
import subprocess
from functools import partial
from itertools import pairwise
from statistics import geometric_mean, median

import command_line
import pretended_results
import pytest
from rich.console import Console

from accelbench import compare, project
from accelbench.cli import results
from accelbench.compare import page, terminal, trend
from accelbench.errors import InputError
from accelbench.figures.lines import LineChart
from accelbench.model.machine import EnvironmentDescription, Machine
from accelbench.model.metadata import KernelMetadata, Measuring
from accelbench.model.names import PROTOCOL_VERSION
from accelbench.model.record import Record
from accelbench.model.results import Results
from accelbench.store import files, formats

WAYS = ("numpy_ufunc", *(f"{backend}_{letter}" for backend in ("numba", "cffi") for letter in "abcdef"))
SIZES = (1_000, 2_000, 5_000)


def run(day, factors=(), ways=WAYS, *, noise=0.004, hour=3):
    """Return Results of the implementations `ways` of an invented kernel, measured on a day of January.

    `factors` is {beginning of implementations' names: factor of their times}.
    """
    generator, records = random.Random(day), []
    for number, way in enumerate(ways):
        for size in SIZES:
            factor = math.prod(value for name, value in dict(factors).items() if way.startswith(name))
            seconds = size * 1e-9 * (1 + number / 10) * factor
            samples = [[seconds * math.exp(generator.gauss(0, noise))] * 3 for _ in range(5)]
            records.append(record(way, size, samples, [f"{day}-{i}" for i in range(5)]))
    metadata = KernelMetadata(**pretended_results.metadata("twice", WAYS[0]))
    metadata = metadata.model_copy(update={"runs": [measuring(day, hour)]})
    return Results(Machine(**pretended_results.machine()), {"twice": metadata}, records)


def measuring(day, hour):
    facts = {"wall_s": 1, "in_samples_s": 1, "cases": 1, "command": "", "commit": None, "dirty": None, "config": {}}
    return Measuring(**facts, started=f"2026-01-{day:02}T{hour:02}:00:00+00:00", protocol_version=PROTOCOL_VERSION)


def record(way, size, samples, repetitions):
    return Record(
        machine="local",
        kernel="twice",
        implementation=way,
        backend=way.split("_")[0],
        device="cpu",
        size=size,
        dtype="float64",
        threads=1,
        outcome="ok",
        repetitions=repetitions,
        timings={"compute": pretended_results.timing(samples)},
    )


def follow(*several, by=compare.PLAIN):
    return trend.follow(several, [f"run{number}" for number in range(len(several))], by)


def changed(found, verdict="SLOWER"):
    return {(c.run, backend_of(c), c.level) for c in found.changes if c.pair.verdict == verdict}


def backend_of(change):
    return change.pair.first.record.backend


def write(folder, results):
    formats.write(folder / "machine.json", results.machine)
    for kernel, metadata in results.kernels.items():
        formats.write(folder / "kernels" / f"{kernel}.json", metadata)
        own = [one.model_dump_json() for one in results.records if one.kernel == kernel]
        files.write(folder / "timings" / f"{kernel}.jsonl", "\n".join(own) + "\n")
    return folder


invoke = partial(command_line.invoke, "compare")


# Change points


@pytest.mark.parametrize("by", [compare.PLAIN, compare.RELATIVE])
def test_a_planted_change_is_found_in_its_run_and_told_once(by):
    slow = {"numba": 1.25}
    found = follow(run(1), run(2), run(3, slow), run(4, slow), run(5, slow), by=by)
    planted = [change for change in found.changes if backend_of(change) == "numba"]
    assert [change.run for change in planted] == [2] * len(planted)
    assert len(planted) >= 0.9 * 6 * len(SIZES)
    assert len(found.changes) - len(planted) <= 0.05 * 4 * len(WAYS) * len(SIZES)
    assert not found.slower
    assert found.judged == len(WAYS) * len(SIZES) - (len(SIZES) if by == compare.RELATIVE else 0)


def test_what_was_slow_and_is_mended_changes_twice():
    found = follow(run(1), run(2, {"cffi": 1.3}), run(3))
    assert (1, "cffi", 0) in changed(found)
    assert (2, "cffi", 1) in changed(found, "FASTER")
    assert not found.slower


def test_what_changed_once_is_held_to_what_all_cases_differ_by():
    """A change in a single run is found: it does not count as variation between runs."""
    faster = [f"numba_{letter}" for letter in "abc"]
    runs = [run(1), run(2, dict.fromkeys(faster, 0.7)), run(3)]
    for one in runs:
        one.records[:] = [record.model_copy(update={"key": record.implementation}) for record in one.records]
        one.kernels["twice"] = one.kernels["twice"].model_copy(update={"baselines": [*WAYS[:1], *WAYS[7:]]})
    found = follow(*runs)
    assert (1, "numba", 0) in changed(found, "FASTER")
    assert {change.pair.first.record.implementation for change in found.slower} == {*faster}


def test_what_is_lost_little_by_little_is_found():
    """Successive runs differ by 3 %, which is too little for a verdict."""
    drifting = [run(day, {"cffi": 1.03 ** (day - 1)}) for day in range(1, 8)]
    for first, second in pairwise(drifting):
        assert not [pair for pair in compare.compare(first, second, by="plain").called if "cffi" in pair.first.id]
    assert [change for change in follow(*drifting).changes if backend_of(change) == "cffi"]


def test_newest_run_is_slower_than_the_level_before():
    found = follow(run(1), run(2, {"numba": 1.3}), run(3, {"numba": 1.3, "cffi": 1.3}))
    assert {(change.level, backend_of(change)) for change in found.slower} == {(0, "cffi")}
    ratios = [change.pair.ratio for change in found.slower]
    assert ratios == sorted(ratios)
    assert len(ratios) >= 0.9 * 6 * len(SIZES)


def printed(found):
    console = Console(width=1000, record=True, quiet=False, file=io.StringIO())
    terminal.show_trend(found, console)
    return console.export_text().splitlines()


def test_the_end_of_what_is_printed_says_the_worst():
    """The cron line of docs/results.md mails only the end of the output."""
    found = follow(run(1), run(2, {"numba": 2.0, "cffi_c": 4.0, "cffi_d": 3.0}))
    told = printed(found)
    assert "cases with a verdict in the newest run are SLOWER" in told[-1]
    assert [re.search("twice/([a-z_]+)", line)[1] for line in told[-7:-1]] == ["cffi_d"] * 3 + ["cffi_c"] * 3
    assert sum("numba" in line for line in told[2:-7]) == 18


def test_what_is_new_starts_its_own_level():
    found = follow(run(1, ways=WAYS[:7]), run(2), run(3, {"cffi": 1.3}))
    assert {since for _, backend, since in changed(found) if backend == "cffi"} == {1}


def test_lines_are_geometric_means_over_the_cases_of_a_backend(monkeypatch):
    drawn = []
    monkeypatch.setattr(page, "LineChart", lambda *given, **more: drawn.append(LineChart(*given, **more)) or drawn[0])
    several = [run(1), run(2, {"numba": 1.3}), run(3)]
    found = follow(*several)
    page.render(found.comparisons[-1], found)
    (line,) = [line for line in drawn[0].lines if line.label == "numba"]
    times = [
        [geometric_mean(map(median, r.timings["compute"].samples_s)) for r in one.records if r.backend == "numba"]
        for one in several
    ]
    ratios = [[first / own for first, own in zip(times[0], each, strict=True)] for each in times]
    assert line.x == [1, 2, 3]
    assert line.y == pytest.approx(list(map(geometric_mean, ratios)))
    assert line.low[1:] == pytest.approx([min(own) for own in ratios[1:]])
    assert line.high[1:] == pytest.approx([max(own) for own in ratios[1:]])
    assert [row[2] for row in found.rows] == [
        {"FASTER": 0, "SLOWER": 0},
        {"FASTER": 0, "SLOWER": 18},
        {"FASTER": 18, "SLOWER": 0},
    ]


def test_runs_of_several_machines_have_no_trend():
    """Two runs of different machines can be compared."""
    follow(run(1), other_machine(run(2)))
    with pytest.raises(InputError, match="run2: comes from another machine than run0"):
        follow(run(1), run(2), other_machine(run(3)))


def other_machine(results):
    cpu = results.machine.cpu.model_copy(update={"model": "Abacus"})
    return dataclasses.replace(results, machine=results.machine.model_copy(update={"identity": "f", "cpu": cpu}))


# The command


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    place = tmp_path_factory.mktemp("nightly")
    return [write(place / f"{day}", run(day, {"cffi": 1.3} if day == 3 else ())) for day in (1, 2, 3)]


@pytest.mark.processes
def test_exit_status_guards_a_machine(folders):
    guard = ("--by", "plain", "--fail-on", "slower")
    assert invoke(*folders, "--by", "plain").exit_code == 0
    assert invoke(*folders[:2], *guard).exit_code == 0
    done = invoke(*folders, *guard)
    assert done.exit_code == 1
    slower = int(re.search(r"^(\d+) of 39 cases with a verdict in the newest run", done.stdout, re.MULTILINE)[1])
    assert slower == done.stdout.count("SLOWER than in run 1: twice/cffi_") >= 16
    assert invoke(*folders, *guard, "--tolerate", slower).exit_code == 0
    assert invoke(*folders, *guard, "--tolerate", slower - 1).exit_code == 1
    assert invoke(*folders, *guard, "--tolerate", "3%").exit_code == 1
    assert invoke(*folders, *guard, "--tolerate", f"{100 * slower / 39 + 0.1:.1f}%").exit_code == 0
    assert invoke(folders[0], folders[2], *guard, "--tolerate", "3%").exit_code == 1
    assert invoke(folders[0], folders[2], *guard, "--tolerate", slower).exit_code == 0


def test_options_are_checked(folders):
    for words in ("-1", "few", "3 percent", ""):
        done = invoke(*folders, "--tolerate", words)
        assert done.exit_code == 2
        assert "error: --tolerate: " in done.stderr
    alone = invoke(folders[0])
    assert (alone.exit_code, "is only one run" in alone.stderr) == (2, True)


@pytest.mark.processes
def test_page_shows_the_trend_of_more_than_two_runs(folders, tmp_path):
    path = tmp_path / "compared.html"
    assert invoke(*folders, "--by", "plain", "--html", path).exit_code == 0
    text = path.read_text("utf-8")
    assert text.count("<svg") == 3
    section = text.partition('id="trend"')[2].partition('id="verdicts"')[0]
    assert [day in section for day in ("2026-01-01", "2026-01-02", "2026-01-03")] == [True] * 3
    assert "times as fast as in run 1. cffi 0.7" in section
    assert re.search(r"twice/cffi_a/float64/1000/cpu/threads=1</th><td>3</td><td>1</td>", section)
    assert "The first and the newest run compared" in text
    invoke(*folders[1:], "--html", path)
    assert 'id="trend"' not in path.read_text("utf-8")


def test_a_guard_that_can_judge_nothing_does_not_pass(tmp_path):
    once = [
        dataclasses.replace(made, records=[single(one) for one in made.records]) for made in (run(1), run(2), run(3))
    ]
    folders = [write(tmp_path / str(number), made) for number, made in enumerate(once)]
    assert invoke(*folders).exit_code == 0
    done = invoke(*folders, "--fail-on", "slower")
    assert done.exit_code == 2
    assert "no case of this run can be compared" in done.stderr


def single(one):
    timing = pretended_results.timing(one.timings["compute"].samples_s[:1])
    return one.model_copy(update={"repetitions": one.repetitions[:1], "timings": {"compute": timing}})


def test_versions_of_a_library_are_followed_like_dates(tmp_path):
    versions = {"0.66": 1.0, "0.67": 1.0, "0.68": 1.3}
    both, backend = run(1), Machine(**pretended_results.machine()).backends["numba"]
    for version, factor in versions.items():
        other = run(int(version[-1]), {"numba": factor}).records
        both.records.extend(
            one.model_copy(
                update={"implementation": f"{one.implementation}@{version}", "repetitions": both.records[0].repetitions}
            )
            for one in other
            if one.backend == "numba"
        )
    environments = {
        f"numba@{v}": EnvironmentDescription(python="3.11.7", backends={"numba": backend}) for v in versions
    }
    described = both.machine.model_copy(update={"environments": environments})
    kernel = both.kernels["twice"]
    about = next(iter(kernel.implementations.values()))
    kernel = kernel.model_copy(update={"implementations": {one.implementation: about for one in both.records}})
    folder = write(tmp_path / "local", dataclasses.replace(both, machine=described, kernels={"twice": kernel}))
    done = invoke(*(f"{folder}@{version}" for version in versions), "--by", "plain", "--fail-on", "slower")
    assert done.exit_code == 1, done.output
    assert "SLOWER than in run 1: twice/numba_a@0.66-0.67-0.68/float64" in done.stdout


@pytest.mark.parametrize(
    ("fails", "mailed"),
    [("", ""), ("run", "run --again *\n"), ("compare", "compare nightly/one/local --fail-on slower --tolerate 3%\n")],
)
def test_line_of_the_documentation_mails_what_failed_and_nothing_else(tmp_path, fails, mailed):
    """Cron runs the line by sh in a minimal environment; in the line, % characters are escaped."""
    page = (project.ROOT / "docs" / "results.md").read_text("utf-8")
    line = re.search(r"^    0 3 \* \* \*  (.*)$", page, re.MULTILINE)[1].replace("\\%", "%")
    stand_in = tmp_path / "accelbench" / ".venv" / "bin" / "python"
    files.write(stand_in, f'#!/bin/sh\nshift 2\necho "$*"\n[ "$1" != "{fails}" ]\n')
    stand_in.chmod(0o755)
    (tmp_path / "accelbench" / "nightly" / "one" / "local").mkdir(parents=True)
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(["sh", "-c", line], env=environment, capture_output=True, text=True, cwd="/", check=True)
    assert done.stdout.splitlines()[-1:] == mailed.splitlines()
    assert not done.stderr


def test_a_part_that_tolerates_everything_is_refused():
    with pytest.raises(InputError, match="allows all cases to be slower"):
        results.tolerance("300%")
