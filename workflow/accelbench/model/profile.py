"""Where an implementation spends its time, function by function."""

from typing import Annotated, Any, Literal

from pydantic import Field

from accelbench.model.machine import Count, Described, Finite, Whole
from accelbench.model.metadata import SourceFile
from accelbench.model.names import SCHEMA_VERSION
from accelbench.model.record import DTYPE, Name


class Profiled(Described):
    """A function in a profile; worker.profiler says what the fields mean."""

    function: str
    file: str
    line: int
    calls: Count
    total_s: Finite
    cumulative_s: Finite


class Profile(Described, extra="allow"):
    """profile/<kernel>/<implementation>.json; the kernel's options stand beside these keys, under their own names."""

    schema_version: Literal[2] = SCHEMA_VERSION
    kernel: Name
    implementation: Name
    backend: Name
    title: str
    dtype: Annotated[str, Field(pattern=DTYPE)]
    size: Whole
    wall_s: Annotated[Finite, Field(gt=0)]
    plain_s: Finite
    rows: list[Profiled] = Field(min_length=1)
    files: list[SourceFile] = Field(default_factory=list)  # what was published before these were kept has none

    @property
    def options(self) -> dict[str, Any]:
        """The kernel's further numbers."""
        return self.model_extra or {}
