"""Profiles: the time that an implementation spends in each function."""

from typing import Annotated

from pydantic import Field

from accelbench.model.machine import Count, Described, Finite, ResultFile, Whole
from accelbench.model.metadata import SourceFile
from accelbench.model.record import Name


class Profiled(Described):
    """A function in a profile. A built-in function has the file "~".

    total_s       seconds in the function, without the functions that it calls
    cumulative_s  seconds in the function, including the functions that it calls
    """

    function: str
    file: str
    line: int
    calls: Count
    total_s: Finite
    cumulative_s: Finite


class Profile(ResultFile):
    """The profile of one call, the content of profile/<kernel>/<implementation>.json.

    wall_s   seconds of the call with the profiler
    plain_s  seconds of a call without the profiler
    """

    kernel: Name
    implementation: Name
    backend: Name
    size: Whole
    wall_s: Annotated[Finite, Field(gt=0)]
    plain_s: Finite
    rows: list[Profiled] = Field(min_length=1)
    files: list[SourceFile]

    def table(self, most: int = 8) -> str:
        """Return a table of the first `most` functions in the format of pstats, with times in seconds."""
        head = (
            f"{self.kernel}/{self.implementation} at size {self.size}: "
            f"{self.plain_s:.3g} s, {self.wall_s:.3g} s with the profiler"
        )
        rows = [
            f"{r.calls:10} {r.total_s:10.6f} {r.cumulative_s:10.6f}  {r.function} ({r.file}:{r.line})"
            for r in self.rows[:most]
        ]
        return "\n".join([head, "    ncalls    tottime    cumtime  function", *rows, ""])
