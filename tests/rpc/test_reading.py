"""Tests of reading a worker's answers: answers of another structure are rejected."""

import math
from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from accelbench.rpc.channel import Malformed
from accelbench.rpc.messages import ANSWERS, SampleFacts
from accelbench.rpc.process import Failed, read

NO_FACTS = dict.fromkeys(field.name for field in fields(SampleFacts))
LOOPS = {"loops": {"compute": 3, "call": 1}}
RESULTS = {"results": {"y": np.ones(3)}, "again": None}
CALLED = {"seconds": 0.1, "flush_to_zero": False, **RESULTS}
CHANGED = {**CALLED, "pairs": [[0.2, 0.1]], "rows": []}
ROW = ["run", "~", 0, 1, 0.0, 0.1]
PROFILE = [0.1, 0.1, [ROW]]
FACTS = {"registers": 32, "occupancy": 0.5, "shared_bytes": 0, "local_bytes": 0, "max_block_size": 1024}
SEEN = {"works_in_convert": None}
RIGHT = [
    ("open", {"import_s": 0.1, "context_s": 0.0, "gpu": None, "converts": False}),
    ("environment", {"thread_pools": [{"num_threads": 2, "version": None}]}),
    ("load", None),
    ("prepare", 1e-6),
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
    ("run_on", [1.0, 2.0, 7]),
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
    ("prepare", "1"),
    ("prepare", {"build_s": 1}),
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
    ("run_on", [2.0, 1.0, 7]),
    ("run_on", [1.0, 2.0]),
    ("run_on", {"begin": 1.0, "end": 2.0, "calls": 7}),
    ("profile_call", [0.1, 0.1, [ROW[:-1]]]),
    ("profile_call", [0.1, 0.1, [["\udfff", *ROW[1:]]]]),
    ("refill", {}),
    ("release", 0),
]


@pytest.mark.parametrize(("name", "value"), RIGHT)
def test_what_a_worker_answers_is_read(name, value):
    assert _plain(read(name, LOOPS, ["ok", value])) == value


def _plain(answer):
    """Return an answer as it was sent, with mappings for messages and lists for pairs."""
    if is_dataclass(answer):
        return {name: _plain(part) for name, part in vars(answer).items()}
    if isinstance(answer, dict):
        return {name: _plain(part) for name, part in answer.items()}
    return [_plain(part) for part in answer] if isinstance(answer, (list, tuple)) else answer


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_what_has_another_shape_is_no_answer(name, value):
    with pytest.raises(Malformed):
        read(name, LOOPS, ["ok", value])


@pytest.mark.parametrize("value", [None, "text", -1, [[[]]], {"a": {}}, float("nan")])
@pytest.mark.parametrize("name", sorted(ANSWERS.keys() - {"change", "compare", "show"}))
def test_nothing_that_is_answered_ends_more_than_its_question(name, value):
    for answer in (value, [value], ["ok", value], ["failed", value], ["failed", ["ok", "no"]], [value, value]):
        try:
            read(name, LOOPS, answer)
        except Malformed:
            continue
        assert (name, answer[1]) in RIGHT or name == "environment" or value is None


def test_a_refusal_says_what_and_why():
    with pytest.raises(Failed) as refused:
        read("sample", LOOPS, ["failed", ["wrong_result", "y is not x"]])
    assert (refused.value.outcome, refused.value.reason, refused.value.alive) == ("wrong_result", "y is not x", True)


@pytest.mark.parametrize("words", [("add sm_90",), ("add sm_90", "no code")])
def test_a_refusal_carries_its_remedy_and_its_cause(words):
    with pytest.raises(Failed) as refused:
        read("sample", LOOPS, ["failed", ["unsupported", "no code for sm_90", *words]])
    assert (refused.value.remedy, refused.value.cause) == (*words, "")[:2]


@pytest.mark.parametrize("words", [[], [1], ["why", None], ["why", "remedy", "cause", "more"], [["why"]]])
def test_a_refusal_of_other_words_is_no_answer(words):
    with pytest.raises(Malformed):
        read("sample", LOOPS, ["failed", ["error", *words]])


def test_texts_of_settings_are_made_printable():
    assert read("environment", {}, ["ok", {"a\x1b": ["\ud800"]}]) == {"a\\x1b": ["\\ud800"]}
