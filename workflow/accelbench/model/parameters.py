"""Parameters of implementations: the block size, whose type is BlockSize, and plain numbers and words."""

import math
import re
from dataclasses import dataclass
from typing import Any

LARGEST = 2**31 - 1  # Largest int of C and CUDA
WRITTEN = re.compile(r"[1-9][0-9]{0,9}(x[1-9][0-9]{0,9})?")
BLOCK_SIZE = "block_size"


@dataclass(frozen=True, order=True)
class BlockSize:
    """Threads per block, along one axis or along two."""

    extents: tuple[int, ...]

    @classmethod
    def parse(cls, value: Any) -> "BlockSize":
        """Return the BlockSize of 256, "256", "16x16", (16, 16) or [16, 16]. Raise ValueError for other forms."""
        if isinstance(value, cls):
            return value
        extents = value
        if isinstance(value, str) and WRITTEN.fullmatch(value):
            extents = tuple(map(int, value.split("x")))
        extents = tuple(extents) if isinstance(extents, (tuple, list)) else (extents,)
        if len(extents) in (1, 2) and all(type(extent) is int and 0 < extent <= LARGEST for extent in extents):
            return cls(extents)
        raise ValueError("is not a block size: write 256, or 16x16 for two dimensions, each > 0")

    @property
    def plain(self) -> int | tuple[int, ...]:
        """Return the block size in the form that implementations and result files use: 256, or (16, 16)."""
        return self.extents[0] if len(self.extents) == 1 else self.extents

    @property
    def threads(self) -> int:
        """Return the number of threads of a block."""
        return math.prod(self.extents)

    @property
    def rank(self) -> tuple[int, tuple[int, ...]]:
        """Return a sort key that compares the number of threads first: 64, 8x32, 16x16, 256."""
        return self.threads, self.extents

    def __str__(self):
        return "x".join(map(str, self.extents))


DEFAULT_BLOCKS = (BlockSize((256,)), BlockSize((16, 16)))  # Default block sizes in one and two dimensions


def typed(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return parameters of a result file or a message with a BlockSize in place of the plain block size.

    Raise ValueError if the block size is invalid, or if `parameters` is no mapping.
    """
    if not isinstance(parameters, dict):
        raise ValueError(f"{parameters!r} is not a mapping of parameters")
    return {name: BlockSize.parse(value) if name == BLOCK_SIZE else value for name, value in parameters.items()}


def plain(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return parameters for a result file or a message, with a plain block size in place of the BlockSize."""
    return {name: value.plain if name == BLOCK_SIZE else value for name, value in parameters.items()}
