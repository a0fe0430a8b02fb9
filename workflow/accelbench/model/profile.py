"""Where an implementation spends its time, function by function."""

from typing import Annotated, Literal

from pydantic import Field

from accelbench.model.machine import Count, Described, Finite, Whole
from accelbench.model.metadata import SourceFile
from accelbench.model.names import SCHEMA_VERSION
from accelbench.model.record import Name


class Profiled(Described):
    """A function in a profile: seconds in itself and with what it calls. The file of what is built in is "~"."""

    function: str
    file: str
    line: int
    calls: Count
    total_s: Finite
    cumulative_s: Finite


class Profile(Described):
    """profile/<kernel>/<implementation>.json: a call without the profiler, and its functions under it."""

    schema_version: Literal[2] = SCHEMA_VERSION
    kernel: Name
    implementation: Name
    backend: Name
    size: Whole
    wall_s: Annotated[Finite, Field(gt=0)]
    plain_s: Finite
    rows: list[Profiled] = Field(min_length=1)
    files: list[SourceFile]
