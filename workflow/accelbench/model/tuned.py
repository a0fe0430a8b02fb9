"""The parameters that sweeps found best."""

from typing import Literal

from accelbench.model.machine import Described
from accelbench.model.names import SCHEMA_VERSION
from accelbench.model.record import Parameters


class TunedChoice(Described):
    """The parameters with which one implementation is fastest for one problem on one device."""

    implementation: str
    device: str
    dtype: str
    options: dict[str, int | float]
    size: int
    parameters: Parameters

    @property
    def key(self) -> tuple:
        """What it is for."""
        return self.implementation, self.device, self.dtype, tuple(sorted(self.options.items())), self.size


class Tuned(Described):
    """tuned/<kernel>.json."""

    schema_version: Literal[2] = SCHEMA_VERSION
    kernel: str
    choices: list[TunedChoice]
