"""What sweeps found best, for implementations that are TUNED_BY them: results/<machine>/tuned/<kernel>.json.

It is a cache: measuring a kernel writes into it what its own sweeps say, and reads what others said of sizes that it
has no sweep of. What a case was tuned with stands in its record.
"""

import math
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from accelbench.model.parameters import plain, typed
from accelbench.store import files, formats


class Choice(BaseModel):
    """The parameters with which one implementation is fastest for one problem on one device."""

    implementation: str
    device: str
    dtype: str
    options: dict[str, int | float]
    size: int
    parameters: dict[str, Any]


class Tuned(BaseModel):
    """tuned/<kernel>.json."""

    schema_version: Literal[1]
    kernel: str
    choices: list[Choice]


def place(results, kernel):
    """The file of a kernel in results/<machine>/."""
    return Path(results) / "tuned" / f"{kernel}.json"


def update(results, kernel, records):
    """Write what `records`, those of whole sweeps, say into a kernel's file, in the place of what it said of the same
    problems; return all choices, as plain data. The fastest is the one with the least median of `compute`."""
    found = {_of(choice): choice for choice in read(results, kernel)}
    for record in sorted((r for r in records if r.outcome == "ok"), key=lambda r: -r.timings["compute"].median_s):
        choice = {name: getattr(record, name) for name in Choice.model_fields}
        found[_of(choice)] = choice | {"parameters": plain(record.parameters)}
    choices = [found[key] for key in sorted(found)]
    if choices:
        value = {"schema_version": formats.SCHEMA_VERSION, "kernel": kernel, "choices": choices}
        files.write_json(place(results, kernel), value)
    return choices


def _of(choice):
    """What a choice is for."""
    options = tuple(sorted(choice["options"].items()))
    return choice["implementation"], choice["device"], choice["dtype"], options, choice["size"]


def read(results, kernel):
    """The choices for a kernel, as plain data; none where there is no file. InputError where it is damaged."""
    path = place(results, kernel)
    if not path.exists():
        return []
    return formats.read_plain(Tuned, path, "Delete it: it is made again when the kernel is measured")["choices"]


def nearest(choices, implementation, device, problem):
    """The parameters with which an implementation is best on `device` at the size nearest to the problem's, by ratio,
    among those of its dtype and options; None where there are none."""
    wanted = implementation, device, problem.dtype, problem.options
    same = [c for c in choices if (c["implementation"], c["device"], c["dtype"], c["options"]) == wanted]
    if not same:
        return None
    best = min(same, key=lambda choice: abs(math.log(max(choice["size"], 1) / max(problem.size, 1))))
    return typed(best["parameters"])
