"""What a worker may answer, by the name of the question: checked before anything is made of it, for an implementation
lives in the worker's process and may have changed whatever it found there."""

import json
import math

import numpy as np

from accelbench.errors import brief
from accelbench.model.record import TIMINGS
from accelbench.worker.protocol import Malformed
from accelbench.worker.session import FACTS, REFUSALS

LEAST_S, MOST_S = 1e-12, 1e7
LONGEST_SETTINGS = 100_000  # characters of JSON that a library's settings may have


class Refused(Exception):
    """The worker says that it cannot: `outcome` and `reason`."""

    def __init__(self, outcome, reason):
        super().__init__(outcome, reason)
        self.outcome, self.reason = outcome, reason


def read(name, arguments, answer):
    """What the worker answered to the question `name(*arguments)`; Refused where it could not, Malformed where the
    answer is none."""
    match answer:
        case ["ok", value]:
            return READERS[name](value, *arguments)
        case ["failed", [str(outcome), str(reason)]] if outcome in REFUSALS:
            raise Refused(outcome, reason)
    raise Malformed(f"neither an answer nor a refusal: {brief(answer)}")


def _nothing(value, *_):
    if value is not None:
        _wrong(value)


def _wrong(value):
    raise Malformed(brief(value))


def _number(value):
    """A finite number, not below 0."""
    return value if type(value) in (int, float) and 0 <= value < math.inf else _wrong(value)


def _seconds(value):
    """A time that a call can have taken."""
    return value if LEAST_S <= _number(value) <= MOST_S else _wrong(value)


def _count(value):
    return value if type(value) is int and value > 0 else _wrong(value)


def _text(value):
    """Text that can be written to a file: without lone surrogates."""
    if not isinstance(value, str) or value.encode(errors="replace").decode() != value:
        _wrong(value)
    return value


def _fields(value, **readers):
    """A mapping of exactly these names, each with what its reader makes of it."""
    if not isinstance(value, dict) or value.keys() != readers.keys():
        _wrong(value)
    return {name: reader(value[name]) for name, reader in readers.items()}


def _pair(value, first, second):
    if not isinstance(value, list) or len(value) != 2:
        _wrong(value)
    return first(value[0]), second(value[1])


def _optional(reader):
    return lambda value: None if value is None else reader(value)


def _settings(value, *_):
    """Plain data of limited length, for a record; its texts are made printable."""
    if not isinstance(value, dict) or len(json.dumps(value)) > LONGEST_SETTINGS:
        _wrong(value)
    return _printable(value)


def _printable(value):
    if isinstance(value, dict):
        return {brief(name): _printable(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_printable(part) for part in value]
    return brief(value) if isinstance(value, str) else value


def _opened(value, recipe):
    return _fields(value, import_s=_number, context_s=_number, gpu=_optional(_text))


def _facts(value, handle):
    return None if value is None else _fields(value, **dict.fromkeys(FACTS, _optional(_number)))


def _results(value):
    """{name: array} of an implementation's results."""
    if not isinstance(value, dict) or not all(isinstance(array, np.ndarray) for array in value.values()):
        _wrong(value)
    return value


def _flag(value):
    return value if isinstance(value, bool) else _wrong(value)


RESULTS = {"results": _results, "again": _optional(_results)}


def _called(value, *_):
    return _fields(value, first_call_s=_seconds, flush_to_zero=_flag, **RESULTS)


def _changed(value, *_):
    def several(times):
        return [_seconds(each) for each in times] if isinstance(times, list) else _wrong(times)

    return _fields(value, seconds=_seconds, after_change_s=several, unchanged_s=several, **RESULTS)


def _warm(value, *_):
    if not isinstance(value, dict) or "compute" not in value or not value.keys() <= set(TIMINGS):
        _wrong(value)
    return {kind: _pair(found, _seconds, _count) for kind, found in value.items()}


def _samples(value, handle, loops, *_):
    return _fields(value, **dict.fromkeys(loops, _seconds))


def _ran(value, *_):
    if not isinstance(value, list) or len(value) != 3:
        _wrong(value)
    begin, end, calls = _number(value[0]), _number(value[1]), _count(value[2])
    return (begin, end, calls) if begin < end else _wrong(value)


def _profiled(value, *_):
    def rows(found):
        if not isinstance(found, list):
            _wrong(found)
        numbers = dict.fromkeys(("line", "calls", "total_s", "cumulative_s"), _number)
        return [_fields(row, function=_text, file=_text, **numbers) for row in found]

    return _fields(value, wall_s=_seconds, plain_s=_seconds, rows=rows, text=_text, flame=_text)


READERS = {
    "open": _opened,
    "environment": _settings,
    "load": _nothing,
    "prepare": lambda value, *_: _fields(value, build_s=_number),
    "launch_facts": _facts,
    "first_call": _called,
    "recheck": _called,
    "changed": _changed,
    "warm_up": _warm,
    "sample": _samples,
    "cores_used": lambda value, handle: _optional(_number)(value),
    "run_on": _ran,
    "profile": _profiled,
    "refill": _nothing,
    "release": _nothing,
}
