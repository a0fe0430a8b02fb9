"""Artifacts: built files of a kernel. This module needs only the standard library, since workers import it."""

from dataclasses import dataclass
from typing import Annotated, Literal

from accelbench.model.limits import Amount, Limits
from accelbench.model.names import LABEL, PATH, SCHEMA_VERSION, WORD

Path = Annotated[str, Limits(pattern=PATH)]  # Relative path without ..
Name = Annotated[str, Limits(pattern=f"^{WORD}$")]


@dataclass(frozen=True, kw_only=True)
class Artifact:
    """The result of building one source of an implementation. If `device` is None, all devices can use the result.

    remedy      the user's action that may make a failed build succeed; "" if none is known
    path, page  the built file and its annotated listing, relative to the folder of the manifest; None if there is none
    command     the command of the build, as a person would type it
    seconds     duration of the build, in seconds
    recipe      digest of everything that can change the built file
    """

    implementation: Annotated[str, Limits(pattern=f"^{LABEL}$")]
    source: str
    device: str | None
    outcome: Literal["ok", "build_failed"]
    path: Path | None = None
    log: str
    command: str | None = None
    seconds: Amount
    compiler: str
    recipe: str
    page: Path | None = None
    remedy: str = ""

    def serves(self, implementation: str, device: str | None) -> bool:
        """Return whether the artifact belongs to an implementation and can be used on a device."""
        return self.implementation == implementation and self.device in (None, device)


@dataclass(frozen=True)
class Manifest:
    """Content of build/<kernel>/<toolchain>.json: all artifacts that one toolchain built for one kernel."""

    kernel: Name
    toolchain: Name
    artifacts: list[Artifact]
    schema_version: Literal[2] = SCHEMA_VERSION

    def find(self, implementation: str, source: str, device: str | None = None) -> Artifact | None:
        """Return the Artifact of an implementation's source for a device; None if there is none."""
        key = implementation, source, device
        return next((a for a in self.artifacts if (a.implementation, a.source, a.device) == key), None)
