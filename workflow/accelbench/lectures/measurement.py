"""measured.json: what was measured for a figure. What its module observed beside timings stands there, too."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from accelbench.model.names import WORD
from accelbench.store import formats

FOLDER = "lectures"
FILE = "measured.json"
AGAIN = "Delete it and run again: make lecture"


class MeasuredPart(BaseModel):
    """A part of a figure: where its results lie, or what is missing; `left_out` names the environments that
    implementations need and the configuration did not have."""

    kernel: str
    folder: Annotated[str, Field(pattern=f"^[0-9]{{1,3}}-{WORD}$")] | None
    missing: list[str]
    left_out: dict[Annotated[str, Field(pattern=f"^{WORD}$")], Annotated[str, Field(pattern=f"^{WORD}$")]] = {}


class Measurement(BaseModel):
    """The whole file, without what was observed."""

    schema_version: Literal[2]
    figure: str
    parts: list[MeasuredPart]

    def folders(self):
        """The places of the parts' results below the machine's."""
        return [Path(FOLDER, self.figure, part.folder) for part in self.parts if part.folder]


def place(home, entry):
    """The file of a figure in results/<machine>/."""
    return Path(home) / FOLDER / entry.id / FILE


def read(home, entry, model=Measurement):
    """Return the Measurement of a figure, or what another `model` reads in its file; InputError where that is missing,
    damaged or of another version."""
    return formats.read(model, place(home, entry), AGAIN)
