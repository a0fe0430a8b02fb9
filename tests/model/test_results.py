"""Tests of the grouping of repetitions into runs."""

import pytest
from pretended_results import only, record, save
from read_results import read, write_tables

from accelbench.model.names import PROTOCOL_VERSION

MEASURING = {"in_samples_s": 1, "cases": 1, "command": "", "commit": None, "dirty": None, "config": {}}
MEASURING |= {"protocol_version": PROTOCOL_VERSION}
SECONDS = (1.0, 1.02, 0.99, 1.01, 0.98)


def measured(commands, tmp_path):
    """Return a results folder. `commands` lists its two-minute repetitions as (command, instance, start in minutes)."""
    names = [f"p{n}" for n in range(len(commands))]
    runs = [
        MEASURING | {"started": f"2026-01-01T10:{minute:02}:00", "wall_s": 120, "run": run, "instance": instance,
                     "repetitions": [name]}
        for name, (run, instance, minute) in zip(names, commands, strict=True)
    ]  # fmt: skip
    cases = [
        record("numpy_thing", compute=1.0, repetitions=names),
        record("cffi_api", compute=SECONDS[: len(names)], repetitions=names),
    ]
    return save(tmp_path, *cases, kernels={"thing": {"runs": runs}})


@pytest.mark.parametrize(
    ("commands", "alike"),
    [
        ([("a", "x", 0), ("a", "x", 2), ("a", "x", 40)], [[0, 1, 2]]),  # one command that had to wait
        ([("a", "x", 0), ("b", "x", 11), ("c", "x", 23)], [[0, 1, 2]]),  # stopped and resumed
        ([("a", "x", 0), ("b", "x", 13), ("c", "x", 14)], [[0], [1, 2]]),  # b follows a pause of eleven minutes
        ([("a", "x", 0), ("b", "y", 3), ("c", "x", 5)], [[0, 2], [1]]),  # b runs on another instance
    ],
)
def test_commands_that_follow_each_other_without_a_pause_are_one_run(commands, alike, tmp_path):
    batches = read(measured(commands, tmp_path)).results.batches
    found = {}
    for name, batch in batches.items():
        found.setdefault(batch, []).append(int(name[1:]))
    assert sorted(found.values()) == alike


def test_interval_of_a_sweep_does_not_tell_in_how_many_commands_it_was_measured(tmp_path):
    whole = [("a", "x", 2 * n) for n in range(5)]
    parts = [("a", "x", 0), ("b", "x", 2), ("b", "x", 4), ("b", "x", 6), ("c", "x", 8)]
    rows = [
        only(write_tables(measured(commands, tmp_path / name))["timings"], implementation="cffi_api")
        for name, commands in (("whole", whole), ("parts", parts))
    ]
    assert rows[0]["speedup_ci_low"] < 1 < rows[0]["speedup_ci_high"]
    for end in ("speedup_ci_low", "speedup_ci_high", "speedup_next_low", "speedup_next_high"):
        assert rows[0][end] == rows[1][end]
