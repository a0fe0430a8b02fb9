"""The best parameters found so far: results/<machine>/tuned/<kernel>.json, written from the timings, read by `prepare`.

It is a cache, and no result: without it, an implementation that asks for it (`case.tuned(name)`) finds its parameters
itself. Nothing is decided twice: what is best is what tables/best.csv says.
"""

import math
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from accelbench import files, formats


class Choice(BaseModel):
    """The best parameters of one implementation for one problem on one device."""

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


def write(results, records):
    """Write one file for each kernel among `records`: those of the cases whose parameters are the best."""
    kernels = {}
    for record in records:
        choices = kernels.setdefault(record.kernel, [])
        choices.append({name: getattr(record, name) for name in Choice.model_fields})
    for kernel, choices in kernels.items():
        value = {"schema_version": formats.SCHEMA_VERSION, "kernel": kernel, "choices": choices}
        files.write_json(place(results, kernel), value)


def read(results, kernel):
    """The choices for a kernel, as plain data; none where there is no file. InputError where it is damaged."""
    path = place(results, kernel)
    if not path.exists():
        return []
    return formats.read(Tuned, path, "Delete it: it is made again from the timings")["choices"]


def nearest(choices, device, problem):
    """{implementation: parameters} that are best on `device` at the size nearest to the problem's, by ratio, among
    those of its dtype and options."""
    same = [
        choice
        for choice in choices
        if (choice["device"], choice["dtype"], choice["options"]) == (device, problem.dtype, problem.options)
    ]
    same.sort(key=lambda choice: abs(math.log(max(choice["size"], 1) / max(problem.size, 1))), reverse=True)
    return {
        choice["implementation"]: {k: tuple(v) if isinstance(v, list) else v for k, v in choice["parameters"].items()}
        for choice in same
    }
