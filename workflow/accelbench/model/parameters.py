"""Parameters of implementations: the block size, which has a type of its own, and plain numbers and words."""

import math
import re
from dataclasses import dataclass
from typing import Any

LARGEST = 2**31 - 1  # what C and CUDA count with an int
WRITTEN = re.compile(r"[1-9][0-9]{0,9}(x[1-9][0-9]{0,9})?")
BLOCK_SIZE = "block_size"


@dataclass(frozen=True, order=True)
class BlockSize:
    """Threads per block, along one axis or along two."""

    extents: tuple[int, ...]

    @classmethod
    def parse(cls, value: Any) -> "BlockSize":
        """From 256, "256", "16x16", (16, 16) or [16, 16]; ValueError for all but one or two whole numbers > 0."""
        if isinstance(value, cls):
            return value
        extents = value
        if isinstance(value, str) and WRITTEN.fullmatch(value):
            extents = tuple(map(int, value.split("x")))
        extents = tuple(extents) if isinstance(extents, (tuple, list)) else (extents,)
        if len(extents) in (1, 2) and all(type(extent) is int and 0 < extent <= LARGEST for extent in extents):
            return cls(extents)
        raise ValueError("is no block size: write 256, or 16x16 for two dimensions, each > 0")

    @property
    def plain(self) -> int | tuple[int, ...]:
        """What implementations are given, and what stands in result files: 256, or (16, 16)."""
        return self.extents[0] if len(self.extents) == 1 else self.extents

    @property
    def threads(self) -> int:
        """Of one block, in all."""
        return math.prod(self.extents)

    @property
    def rank(self) -> tuple[int, tuple[int, ...]]:
        """Its place on an axis, by the number of threads first: 64, 256, 8x32, 16x16."""
        return self.threads, self.extents

    def __str__(self):
        return "x".join(map(str, self.extents))


DEFAULT_BLOCKS = (BlockSize((256,)), BlockSize((16, 16)))  # what is written where nobody has tried anything else


def typed(parameters: dict[str, Any]) -> dict[str, Any]:
    """Parameters as they stand in a result file or in a message, the block size as a BlockSize; ValueError where it is
    none."""
    return {name: BlockSize.parse(value) if name == BLOCK_SIZE else value for name, value in parameters.items()}


def plain(parameters: dict[str, Any]) -> dict[str, Any]:
    """The other way round."""
    return {name: value.plain if name == BLOCK_SIZE else value for name, value in parameters.items()}
