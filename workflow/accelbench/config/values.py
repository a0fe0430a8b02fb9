"""Values of the configuration: the types of its keys, each with its bounds and, where YAML has none, its parser."""

import math
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer

from accelbench.kernels.specification import MOST
from accelbench.model.parameters import BlockSize

# Beyond these it is a slip of the pen: a day is also more than a system call may wait.
SHORTEST_S, LONGEST_S = 1e-9, 86_400.0
MOST_CORES = 65_536  # of a machine, and GPUs
MOST_ENTRIES = 1_000  # of a list


def shown(value: Any) -> str:
    """A value as it was given, no longer than a person reads."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}..."


def parse_block_size(value: Any) -> BlockSize:
    """The BlockSize that 256 or "16x16" writes; ValueError, saying what was given, for anything else."""
    try:
        return BlockSize.parse(value)
    except ValueError as error:
        raise ValueError(f"{shown(value)} {error}") from None


def _number_or_all(least, what):
    """A parser of whole numbers from `least` up to MOST_CORES, or "all"; `what` says what others are not."""

    def parse(value):
        if value == "all" or (type(value) is int and least <= value <= MOST_CORES):
            return value
        raise ValueError(f"{shown(value)} {what} from {least} to {MOST_CORES}, or all")

    return parse


def parse_truth(value: Any) -> bool:
    """True or False, or either as the word that `--config limits=false` hands on; ValueError for anything else."""
    words = {"true": True, "false": False}
    if isinstance(value, bool) or str(value).lower() in words:
        return words[str(value).lower()]
    raise ValueError(f"{shown(value)} is neither true nor false")


def parse_option(value: Any) -> int | float:
    """A finite number; ValueError for anything else, true and false included."""
    if type(value) in (int, float) and math.isfinite(value) and abs(value) <= MOST:
        return value
    raise ValueError(f"{shown(value)} is no finite number")


def several(kind):
    """The type of a list that is not empty, in which what is there twice counts once."""
    bounds = Field(min_length=1, max_length=MOST_ENTRIES)
    return Annotated[tuple[kind, ...], bounds, AfterValidator(lambda v: tuple(dict.fromkeys(v)))]


def count(most: int):
    """The type of a whole number from 1 to `most`."""
    return Annotated[int, Field(gt=0, le=most, strict=True)]


def seconds(least: float):
    """The type of a time of `least` seconds up to a day."""
    return Annotated[float, Field(ge=least, le=LONGEST_S, allow_inf_nan=False, strict=True)]


def single_values(mapping: Any) -> Any:
    """A mapping of names to lists in which a value that stands alone is a list of one."""
    if isinstance(mapping, dict):
        return {name: v if isinstance(v, (list, tuple)) else (v,) for name, v in mapping.items()}
    return mapping


Block = Annotated[
    BlockSize,
    BeforeValidator(parse_block_size),
    PlainSerializer(lambda block: str(block) if len(block.extents) > 1 else block.plain),
]
Threads = Annotated[Any, BeforeValidator(_number_or_all(1, "is no number of threads: write a whole number"))]
GpuNumber = Annotated[Any, BeforeValidator(_number_or_all(0, "is no GPU: write its number,"))]
Truth = Annotated[bool, BeforeValidator(parse_truth)]
Option = Annotated[Any, BeforeValidator(parse_option)]
Options = Annotated[dict[str, several(Option)], BeforeValidator(single_values)]
Count = count(MOST_CORES)
Size = Annotated[int, Field(ge=0, le=MOST, strict=True)]
Seconds = seconds(SHORTEST_S)
Fraction = Annotated[float, Field(ge=1e-6, lt=1, strict=True)]
Text = Annotated[str, Field(min_length=1, pattern=r"^[^\x00-\x1f]+$")]
