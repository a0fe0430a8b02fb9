"""What a worker answers has the shape that was asked for, or is none."""

import math

import numpy as np
import pytest

from accelbench.measure import answers
from accelbench.worker.__main__ import Worker
from accelbench.worker.protocol import Malformed

QUESTIONS = {
    "open": ({"backend": "numpy"},),
    "environment": (),
    "load": ("problem", {}),
    "prepare": ("problem", "case", {}),
    "launch_facts": ("case",),
    "first_call": ("problem", "case"),
    "recheck": ("problem", "case"),
    "changed": ("problem", "case", {}, 4),
    "warm_up": ("case", {}),
    "sample": ("case", {"compute": 3, "call": 1}, [], False),
    "cores_used": ("case",),
    "run_on": ("case", 1.0, True),
    "profile": ("case", "kernel", 1),
    "refill": ("problem", {}),
    "release": ("problem",),
}
RESULTS = {"results": {"y": np.ones(3)}, "again": None}
CALLED = {"first_call_s": 0.1, "flush_to_zero": False, **RESULTS}
CHANGED = {"seconds": 0.1, "after_change_s": [0.2], "unchanged_s": [], **RESULTS}
ROW = {"function": "run", "file": "~", "line": 0, "calls": 1, "total_s": 0.0, "cumulative_s": 0.1}
PROFILE = {"wall_s": 0.1, "plain_s": 0.1, "rows": [ROW], "text": "µs\n", "flame": "<html>"}
FACTS = {"registers": 32, "occupancy": 0.5, "shared_bytes": 0, "local_bytes": 0, "max_block_size": 1024}
RIGHT = [
    ("open", {"import_s": 0.1, "context_s": 0.0, "gpu": None}),
    ("environment", {"thread_pools": [{"num_threads": 2, "version": None}]}),
    ("load", None),
    ("prepare", {"build_s": 1e-6}),
    ("launch_facts", None),
    ("launch_facts", FACTS | {"registers": None}),
    ("first_call", CALLED),
    ("recheck", CALLED | {"again": {"y": np.ones(3)}}),
    ("changed", CHANGED),
    ("warm_up", {"compute": [1e-7, 3], "end_to_end_pinned": [1, 1]}),
    ("sample", {"compute": 1e-7, "call": 1}),
    ("cores_used", 1.9),
    ("cores_used", None),
    ("run_on", [1.0, 2.0, 7]),
    ("profile", PROFILE),
    ("refill", None),
    ("release", None),
]
WRONG = [
    ("open", {"import_s": 0.1, "context_s": 0.1}),
    ("open", {"import_s": math.nan, "context_s": 0.1, "gpu": None}),
    ("open", {"import_s": 0.1, "context_s": 0.1, "gpu": "\ud800"}),
    ("environment", []),
    ("environment", {"settings": "x" * 200_000}),
    ("load", "loaded"),
    ("prepare", {"build_s": "1"}),
    ("prepare", {"build_s": 1, "more": 1}),
    ("launch_facts", {"registers": 32}),
    ("launch_facts", FACTS | {"occupancy": [0.5]}),
    ("first_call", CALLED | {"first_call_s": -1.0}),
    ("first_call", CALLED | {"flush_to_zero": 0}),
    ("first_call", CALLED | {"results": {"y": [1.0, 1.0]}}),
    ("recheck", CALLED | {"again": [["y", 0.0]]}),
    ("changed", CHANGED | {"after_change_s": [math.inf]}),
    ("warm_up", {"call": [1e-7, 3]}),
    ("warm_up", {"compute": [1e-7, 0]}),
    ("warm_up", {"compute": [1e-7, 1.5]}),
    ("warm_up", {"compute": [1e-7, 3], "lunch": [1.0, 1]}),
    ("sample", {"compute": 1e-7}),
    ("sample", {"compute": 0.0, "call": 1}),
    ("cores_used", "2"),
    ("sample", {"compute": True, "call": 1}),
    ("sample", {"compute": 1e-300, "call": 1}),
    ("sample", {"compute": 1e-7, "call": 1, "launch": 1}),
    ("run_on", [2.0, 1.0, 7]),
    ("run_on", [1.0, 2.0]),
    ("profile", PROFILE | {"rows": [{}]}),
    ("profile", PROFILE | {"flame": "\udfff"}),
    ("refill", {}),
    ("release", 0),
]


@pytest.mark.parametrize(("name", "value"), RIGHT)
def test_what_a_worker_answers_is_read(name, value):
    assert answers.read(name, QUESTIONS[name], ["ok", value]) == _as_read(name, value)


def _as_read(name, value):
    """Pairs are tuples once they have been read."""
    if name == "run_on":
        return tuple(value)
    if name == "warm_up":
        return {kind: tuple(pair) for kind, pair in value.items()}
    return value


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_what_has_another_shape_is_no_answer(name, value):
    with pytest.raises(Malformed):
        answers.read(name, QUESTIONS[name], ["ok", value])


@pytest.mark.parametrize("value", [None, "text", -1, [[[]]], {"a": {}}, float("nan")])
@pytest.mark.parametrize("name", QUESTIONS)
def test_nothing_that_is_answered_ends_more_than_its_question(name, value):
    for answer in (value, [value], ["ok", value], ["failed", value], ["failed", ["ok", "no"]], [value, value]):
        try:
            answers.read(name, QUESTIONS[name], answer)
        except Malformed:
            continue
        assert (name, answer[1]) in RIGHT or name == "environment"


def test_a_refusal_says_what_and_why():
    with pytest.raises(answers.Refused) as refused:
        answers.read("sample", (), ["failed", ["wrong_result", "y is not x"]])
    assert (refused.value.outcome, refused.value.reason) == ("wrong_result", "y is not x")


def test_texts_of_settings_are_made_printable():
    assert answers.read("environment", (), ["ok", {"a\x1b": ["\ud800"]}]) == {"a\\x1b": ["\\ud800"]}


def test_every_message_has_an_answer():
    messages = {name for name in vars(Worker) if not name.startswith("_")}
    assert messages == set(answers.READERS) == set(QUESTIONS)
