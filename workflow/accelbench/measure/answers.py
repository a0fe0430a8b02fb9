"""What a worker answers, checked against what worker.protocol declares before anything is made of it: an implementation
lives in the worker's process and may have changed whatever it found there."""

import json
import math
from collections.abc import Callable
from dataclasses import is_dataclass
from functools import cache, partial
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from accelbench.errors import brief, with_texts
from accelbench.model.record import LEAST_S, MOST_S, TIMINGS
from accelbench.worker import protocol
from accelbench.worker.channel import Malformed
from accelbench.worker.session import REFUSALS

LONGEST_SETTINGS = 100_000  # characters of JSON that a library's settings may have


class Refused(Exception):
    """The worker says that it cannot: `outcome` and `reason`."""

    def __init__(self, outcome, reason):
        super().__init__(outcome, reason)
        self.outcome, self.reason = outcome, reason


def read(question, answer):
    """What the worker answered to a Question, as its class declares it; Refused where it could not, Malformed where the
    answer is none."""
    match answer:
        case ["ok", value]:
            result = _reader(question.answer)(value)
            if not _fits(question, result):
                _wrong(value)
            return result
        case ["failed", [str(outcome), str(reason)]] if outcome in REFUSALS:
            raise Refused(outcome, reason)
    raise Malformed(f"neither an answer nor a refusal: {brief(answer)}")


def _fits(question, result):
    """What fields alone do not tell."""
    match question:
        case protocol.WarmUp():
            return {"compute"} <= result.keys() <= set(TIMINGS)
        case protocol.Sample():
            return result.keys() == question.loops.keys()
        case protocol.RunOn():
            return result.begin < result.end
    return True


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """What makes of an answer a value of a kind that worker.protocol names, or of one made of such; Malformed."""
    if kind in READERS:
        return READERS[kind]
    if isinstance(kind, type) and is_dataclass(kind):
        return partial(_object, kind, {name: _reader(part) for name, part in get_type_hints(kind).items()})
    origin, parts = get_origin(kind), [part for part in get_args(kind) if part is not NoneType]
    readers = [_reader(part) for part in parts]
    if origin is dict:
        return lambda value: {name: readers[1](part) for name, part in _of(dict, value).items()}
    if origin is list:
        return lambda value: [readers[0](part) for part in _of(list, value)]
    if origin is tuple:
        return partial(_together, readers)
    return lambda value: None if value is None else readers[0](value)


def _object(kind, readers, value):
    if _of(dict, value).keys() != readers.keys():
        _wrong(value)
    return kind(**{name: reader(value[name]) for name, reader in readers.items()})


def _together(readers, value):
    if len(_of(list, value)) != len(readers):
        _wrong(value)
    return tuple(reader(part) for reader, part in zip(readers, value, strict=True))


def _of(kind, value):
    return value if isinstance(value, kind) else _wrong(value)


def _wrong(value):
    raise Malformed(brief(value))


def _nothing(value):
    return None if value is None else _wrong(value)


def _amount(value):
    return value if type(value) in (int, float) and 0 <= value < math.inf else _wrong(value)


def _seconds(value):
    return value if LEAST_S <= _amount(value) <= MOST_S else _wrong(value)


def _count(value):
    return value if type(value) is int and value > 0 else _wrong(value)


def _flag(value):
    return value if isinstance(value, bool) else _wrong(value)


def _text(value):
    """Text that can be written to a file: without lone surrogates."""
    if not isinstance(value, str) or value.encode(errors="replace").decode() != value:
        _wrong(value)
    return value


def _arrays(value):
    if not isinstance(value, dict) or not all(isinstance(array, np.ndarray) for array in value.values()):
        _wrong(value)
    return value


def _settings(value):
    """For a record; its texts are made printable."""
    if not isinstance(value, dict) or len(json.dumps(value)) > LONGEST_SETTINGS:
        _wrong(value)
    return with_texts(value, brief)


READERS = {
    None: _nothing,
    bool: _flag,
    protocol.Amount: _amount,
    protocol.Seconds: _seconds,
    protocol.Count: _count,
    protocol.Text: _text,
    protocol.Arrays: _arrays,
    protocol.Settings: _settings,
}
