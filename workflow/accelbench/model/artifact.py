"""What was built of a kernel's sources: of the standard library alone, since workers open it."""

import math
import re
from dataclasses import dataclass
from typing import Literal

from accelbench.model.names import LABEL, NAME, PATH, SCHEMA_VERSION


@dataclass(frozen=True, kw_only=True)
class Artifact:
    """What became of one source of an implementation, built for the device of that name or for all.

    remedy      what would help if it failed; "" if that is not known
    path, page  the artefact and its annotated listing, relative to the folder of the manifest; None where there is none
    command     as a person would type it
    seconds     that it took
    recipe      digest of everything that decides it
    """

    implementation: str
    source: str
    device: str | None
    outcome: Literal["ok", "build_failed"]
    path: str | None = None
    log: str
    command: str | None = None
    seconds: float
    compiler: str
    recipe: str
    page: str | None = None
    remedy: str = ""

    def __post_init__(self):
        if not re.fullmatch(LABEL, self.implementation):
            raise ValueError(f"implementation: {self.implementation!r} is no name")
        for what, path in (("path", self.path), ("page", self.page)):
            if path is not None and not re.fullmatch(PATH, path):
                raise ValueError(f"{what}: {path!r} leads elsewhere")
        if not math.isfinite(self.seconds):
            raise ValueError("seconds: not finite")

    def serves(self, implementation: str, device: str | None) -> bool:
        """Whether it was built for an implementation on a device."""
        return self.implementation == implementation and self.device in (None, device)


@dataclass(frozen=True)
class Manifest:
    """build/<kernel>/<toolchain>.json: what was built of one kernel with one toolchain."""

    kernel: str
    toolchain: str
    artifacts: list[Artifact]
    schema_version: Literal[2] = SCHEMA_VERSION

    def __post_init__(self):
        for what, name in (("kernel", self.kernel), ("toolchain", self.toolchain)):
            if not NAME.match(name):
                raise ValueError(f"{what}: {name!r} is no name")

    def find(self, implementation: str, source: str, device: str | None = None) -> Artifact | None:
        """The Artifact of an implementation's source, built for the device of that name."""
        key = implementation, source, device
        return next((a for a in self.artifacts if (a.implementation, a.source, a.device) == key), None)
