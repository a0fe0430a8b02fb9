"""What a worker answers has the shape that was asked for, or is none."""

import math
from dataclasses import FrozenInstanceError, is_dataclass

import numpy as np
import pytest

from accelbench.rpc import messages, reading
from accelbench.rpc.channel import Malformed
from accelbench.worker.__main__ import Worker

NO_FACTS = dict.fromkeys(
    ("cores_used", "synchronises", "unseen", "switches_per_s", "works_in_convert", "peak_memory_bytes")
)
INPUTS = {"file": 3, "layout": {}, "outputs": [], "location": "device", "again": False}
OPEN = {"file": "x.py", "backend": "numpy", "module": "accelbench.backends.host", "device": {}, "threads": 1}
OPEN |= {"toolchain": None, "build_folder": ""}
CASE = {"size": 3, "dtype": "float64", "options": {}, "parameters": {}, "tuned": None}
REQUESTS = {
    question.name: question
    for question in (
        messages.Open(**OPEN, once_folder="", artifacts={}, unbuilt=[], memory_bytes=0),
        messages.Environment(),
        messages.Load(problem="problem", **INPUTS),
        messages.Prepare(problem="problem", handle="case", **CASE),
        messages.FactsOf("case"),
        messages.FirstCall("problem", "case"),
        messages.Recheck("problem", "case"),
        messages.Changed(problem="problem", handle="case", changes={}, turns={}, pairs=4, least=3),
        messages.WarmUp(handle="case", warm_up_s=0.1, calls=1, sample_s={}, known=[]),
        messages.Sample("case", {"compute": 3, "call": 1}, [], False),
        messages.FactsOfSamples("case"),
        messages.RunOn("case", 1.0, True),
        messages.ProfileCall("case", "kernel"),
        messages.Refill(problem="problem", **INPUTS),
        messages.Release("problem"),
    )
}
RESULTS = {"results": {"y": np.ones(3)}, "again": None}
CALLED = {"seconds": 0.1, "flush_to_zero": False, **RESULTS}
CHANGED = {**CALLED, "pairs": [[0.2, 0.1]], "rows": []}
ROW = ["run", "~", 0, 1, 0.0, 0.1]
PROFILE = {"wall_s": 0.1, "plain_s": 0.1, "rows": [ROW]}
FACTS = {"registers": 32, "occupancy": 0.5, "shared_bytes": 0, "local_bytes": 0, "max_block_size": 1024}
SEEN = {"works_in_convert": None}
RIGHT = [
    ("open", {"import_s": 0.1, "context_s": 0.0, "gpu": None, "converts": False}),
    ("environment", {"thread_pools": [{"num_threads": 2, "version": None}]}),
    ("load", None),
    ("prepare", {"build_s": 1e-6}),
    ("facts_of", None),
    ("facts_of", FACTS | {"registers": None}),
    ("first_call", CALLED),
    ("recheck", CALLED | {"again": {"y": np.ones(3)}}),
    ("changed", CHANGED),
    ("warm_up", {"compute": [1e-7, 3], "end_to_end_pinned": [1, 1]}),
    ("sample", {"compute": 1e-7, "call": 1}),
    (
        "facts_of_samples",
        NO_FACTS | {"cores_used": 1.9, "switches_per_s": 1.5},
    ),
    (
        "facts_of_samples",
        NO_FACTS | {"synchronises": True, "unseen": False, "switches_per_s": 1.5},
    ),
    ("facts_of_samples", NO_FACTS | {"peak_memory_bytes": 5_000_000}),
    ("run_on", {"begin": 1.0, "end": 2.0, "calls": 7}),
    ("profile_call", PROFILE),
    ("refill", None),
    ("release", None),
]
WRONG = [
    ("open", {"import_s": 0.1, "context_s": 0.1}),
    ("open", {"import_s": math.nan, "context_s": 0.1, "gpu": None, "converts": False}),
    ("open", {"import_s": 0.1, "context_s": 0.1, "gpu": "\ud800", "converts": False}),
    ("open", {"import_s": 0.1, "context_s": 0.1, "gpu": None, "converts": 1}),
    ("environment", []),
    ("environment", {"settings": "x" * 200_000}),
    ("load", "loaded"),
    ("prepare", {"build_s": "1"}),
    ("prepare", {"build_s": 1, "more": 1}),
    ("facts_of", {"registers": 32}),
    ("facts_of", FACTS | {"occupancy": [0.5]}),
    ("first_call", CALLED | {"seconds": -1.0}),
    ("first_call", CALLED | {"flush_to_zero": 0}),
    ("first_call", CALLED | {"results": {"y": [1.0, 1.0]}}),
    ("recheck", CALLED | {"again": [["y", 0.0]]}),
    ("changed", CHANGED | {"pairs": [[math.inf, 0.1]]}),
    ("warm_up", {"call": [1e-7, 3]}),
    ("warm_up", {"compute": [1e-7, 0]}),
    ("warm_up", {"compute": [1e-7, 1.5]}),
    ("warm_up", {"compute": [1e-7, 3], "lunch": [1.0, 1]}),
    ("sample", {"compute": 1e-7}),
    ("sample", {"compute": 0.0, "call": 1}),
    (
        "facts_of_samples",
        NO_FACTS | {"cores_used": "2"},
    ),
    (
        "facts_of_samples",
        NO_FACTS | {"synchronises": 1, "unseen": False},
    ),
    (
        "facts_of_samples",
        NO_FACTS | {"switches_per_s": -1},
    ),
    ("facts_of_samples", NO_FACTS | {"peak_memory_bytes": -1}),
    ("sample", {"compute": True, "call": 1}),
    ("sample", {"compute": 1e-300, "call": 1}),
    ("sample", {"compute": 1e-7, "call": 1, "launch": 1}),
    ("run_on", {"begin": 2.0, "end": 1.0, "calls": 7}),
    ("run_on", {"begin": 1.0, "end": 2.0}),
    ("run_on", [1.0, 2.0, 7]),
    ("profile_call", PROFILE | {"rows": [ROW[:-1]]}),
    ("profile_call", PROFILE | {"rows": [["\udfff", *ROW[1:]]]}),
    ("refill", {}),
    ("release", 0),
]


@pytest.mark.parametrize(("name", "value"), RIGHT)
def test_what_a_worker_answers_is_read(name, value):
    assert _plain(reading.read(REQUESTS[name], ["ok", value])) == value


def _plain(answer):
    """An answer as it was sent: the fields of messages, and lists for pairs."""
    if is_dataclass(answer):
        return {name: _plain(part) for name, part in vars(answer).items()}
    if isinstance(answer, dict):
        return {name: _plain(part) for name, part in answer.items()}
    return [_plain(part) for part in answer] if isinstance(answer, (list, tuple)) else answer


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_what_has_another_shape_is_no_answer(name, value):
    with pytest.raises(Malformed):
        reading.read(REQUESTS[name], ["ok", value])


@pytest.mark.parametrize("value", [None, "text", -1, [[[]]], {"a": {}}, float("nan")])
@pytest.mark.parametrize("name", REQUESTS)
def test_nothing_that_is_answered_ends_more_than_its_question(name, value):
    for answer in (value, [value], ["ok", value], ["failed", value], ["failed", ["ok", "no"]], [value, value]):
        try:
            reading.read(REQUESTS[name], answer)
        except Malformed:
            continue
        assert (name, answer[1]) in RIGHT or name == "environment"


def test_a_refusal_says_what_and_why():
    with pytest.raises(reading.Refused) as refused:
        reading.read(REQUESTS["sample"], ["failed", ["wrong_result", "y is not x"]])
    assert (refused.value.outcome, refused.value.reason) == ("wrong_result", "y is not x")


def test_texts_of_settings_are_made_printable():
    assert reading.read(REQUESTS["environment"], ["ok", {"a\x1b": ["\ud800"]}]) == {"a\\x1b": ["\\ud800"]}


def test_every_message_has_an_answer():
    methods = {name for name in vars(Worker) if not name.startswith("_")}
    requests = {kind.name for kind in messages.KINDS if issubclass(kind, messages.Request)}
    assert methods == requests == set(REQUESTS)


def test_a_message_stays_what_it_was_made_as():
    for message in (messages.Release("problem"), messages.BatchResult(1.0, 2.0, 3)):
        for name, value in vars(message).items():
            with pytest.raises(FrozenInstanceError, match=name):
                setattr(message, name, value)
