"""Measures what one figure needs, part by part, into a folder of the figure's own.

Every part is a sweep of its own with the results it alone asked for, so that a figure is the same whether it was made
alone or among all. The journal and the builds are the machine's: what one figure has measured, no other measures again.
"""

import base64
import shutil
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Base64Bytes, BaseModel, Field, model_validator

from accelbench import measure
from accelbench.lectures import needs, pool
from accelbench.machine import free_memory_bytes
from accelbench.measure import plan
from accelbench.measure.verifier import Verifier
from accelbench.model.names import WORD
from accelbench.store import files, formats
from accelbench.store.formats import Finite, Whole

FOLDER = "lectures"
MADE = "measured.json"
Side = Annotated[int, Field(gt=0, le=8192)]  # pixels of a picture
AGAIN = "Delete it and run again: make lecture"


def run(entry, base, machine, home, cores=None, tell=print):
    """Measure what the figure `entry` needs and write <home>/lectures/<figure>/measured.json.

    base  the Config of lectures: protocol, block sizes, where kernels lie
    home  results/<machine>/, with machine.json and the builds of the figure's kernels
    tell  called with a line for people before each part

    Parts whose kernel or implementations do not exist are left out, and noted. InputError as from measure.measure.
    """
    home = Path(home)
    folder = home / FOLDER / entry.id
    shutil.rmtree(folder, ignore_errors=True)
    found = needs.of(entry, base)
    described = formats.read(formats.Machine, home / "machine.json", AGAIN)
    has_gpu = plan.has_gpu(described)
    parts = []
    for number, need in enumerate(found, 1):
        name = None
        if need.part.needs == "gpu" and not has_gpu:
            need.missing.append(f"{need.part.kernel} at {_sizes(need.part)} is measured with a GPU alone")
        elif need.folder is not None:
            tell(f"{entry.id}: {need.folder.name} ({number} of {len(found)})")
            name = f"{number}-{need.folder.name}"
            measure.measure(need.config, machine, need.folder.name, home, cores, output=folder / name)
        parts.append({"kernel": need.part.kernel, "folder": name, "missing": need.missing})
    made = {"schema_version": 1, "figure": entry.id, "parts": parts}
    if entry.kind == "picture":
        made["picture"] = _picture(next((need for need in found if need.folder), None), (home / "scratch").resolve())
    if entry.kind == "pool":
        cupy = described["backends"]["cupy"]
        made["pool"] = pool.observe() if cupy["available"] else {"reason": cupy["reason"]}
    files.write_json(folder / MADE, made)
    return made


def read(home, figure):
    """What `run` wrote for a figure; InputError where it is missing or of another version."""
    path = Path(home) / FOLDER / figure / MADE
    return formats.read(Made, path, AGAIN)


class MadePart(BaseModel):
    """A part of a figure: where its results lie, or what is missing."""

    kernel: str
    folder: Annotated[str, Field(pattern=f"^[0-9]{{1,3}}-{WORD}$")] | None
    missing: list[str]


class Picture(BaseModel):
    """The polygon of a problem and its mask, packed into bits."""

    problem: str
    polygon: list[tuple[Finite, Finite]] = Field(min_length=3)
    shape: tuple[Side, Side]
    mask: Base64Bytes

    @model_validator(mode="after")
    def _fits(self):
        if len(self.mask) != -(-self.shape[0] * self.shape[1] // 8):
            raise ValueError("the mask is not of this shape")
        return self


class Step(BaseModel):
    """What memory pools held after a step."""

    step: str
    used: Whole
    held: Whole
    pinned: Whole


class Pool(BaseModel):
    """What was seen of CuPy's memory pools."""

    device: str
    cupy: str
    rows: list[Step]


class NoPool(BaseModel):
    """Why nothing was seen of them."""

    reason: str | None


class Made(BaseModel):
    """measured.json."""

    schema_version: Literal[1]
    figure: str
    parts: list[MadePart]
    picture: Picture | None = None
    pool: Pool | NoPool | None = None


def _sizes(part):
    return f"size {', '.join(map(str, part.sizes))}" if part.sizes else "its sizes"


def _picture(need, scratch):
    """The first problem of a part: the polygon and its mask, exactly as every implementation is checked with."""
    if need is None:
        return None
    problem = plan.problems(need.config, need.folder, plan.sizes(need.config, need.folder)[0])[0]
    verifier = Verifier(scratch, deadline_s=60.0, memory_bytes=int(free_memory_bytes()))
    given = verifier.given(need.folder, problem, need.config.protocol.seed, which=0)
    (polygon,), (mask,) = (arrays.values() for arrays in verifier.arrays(given))
    given.close()
    verifier.close()
    picture = {
        "problem": problem.id,
        "polygon": polygon.tolist(),
        "shape": list(mask.shape),
        "mask": base64.b64encode(np.packbits(mask.astype(bool))).decode(),
    }
    return picture
