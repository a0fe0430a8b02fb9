"""The best parameters that sweeps found."""

from accelbench.model.machine import Described, ResultFile
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
        """Return the implementation, device and problem of the choice."""
        return self.implementation, self.device, self.dtype, tuple(sorted(self.options.items())), self.size


class Tuned(ResultFile):
    """Content of tuned/<kernel>.json."""

    kernel: str
    choices: list[TunedChoice]
