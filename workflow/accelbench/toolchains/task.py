"""What passes between the builder and a toolchain: the task it is given, the step it answers with."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accelbench.config import Build
    from accelbench.kernels.implementation import Implementation


@dataclass(frozen=True)
class Task:
    """One artefact to build.

    device    the Device, as a dict, for toolchains that build for each device
    compiler  name and version of what compiles it
    shared    folder that all kernels of a machine have in common, for what is worth building only once
    """

    implementation: "Implementation"
    source: str
    device: dict | None
    config: "Build"
    compiler: str
    shared: Path

    @property
    def folder(self):
        """The kernel's folder."""
        return self.implementation.path.parent


@dataclass(frozen=True)
class Step:
    """The command that leaves the file `artifact` in the output folder; it is run in the kernel's folder.

    page         file name of an annotated listing, where there is one
    before       the translation already done, as the command a person would type
    environment  variables beside the inherited ones
    """

    arguments: list[str]
    artifact: str
    page: str | None = None
    before: str | None = None
    environment: dict[str, str] = field(default_factory=dict)
