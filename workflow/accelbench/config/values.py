"""Types of values in the configuration, with their limits."""

import math
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer

from accelbench.kernels.specification import MOST
from accelbench.model.parameters import BlockSize

# Limits of a time, in seconds. Some systems limit the timeouts of system calls to a day
SHORTEST_S, LONGEST_S = 1e-9, 86_400.0
MOST_CORES = 65_536  # Maximum number of cores, and of GPUs, of a machine
MOST_ENTRIES = 1_000  # Maximum number of entries of a list


def parse_block_size(value: Any) -> BlockSize:
    """Return the BlockSize for a value such as 256 or "16x16". Raise ValueError for any other value."""
    try:
        return BlockSize.parse(value)
    except ValueError as error:
        raise ValueError(f"{value!r:.80} {error}") from None


def _number_or_all(least, what):
    """Return a parser that accepts whole numbers from `least` to MOST_CORES, and "all".

    what  text of the error message between the value and the limits
    """

    def parse(value):
        if value == "all" or (type(value) is int and least <= value <= MOST_CORES):
            return value
        raise ValueError(f"{value!r:.80} {what} from {least} to {MOST_CORES}, or all")

    return parse


def parse_option(value: Any) -> int | float:
    """Return `value` if it is a number from -MOST to MOST. Raise ValueError otherwise, also for true and false."""
    if type(value) in (int, float) and math.isfinite(value) and abs(value) <= MOST:
        return value
    raise ValueError(f"{value!r:.80} is not a number with a magnitude below 2^63")


def several(kind):
    """Return the type of a nonempty list with entries of the type `kind`. This type removes duplicates."""
    bounds = Field(min_length=1, max_length=MOST_ENTRIES)
    return Annotated[tuple[kind, ...], bounds, AfterValidator(lambda v: tuple(dict.fromkeys(v)))]


def count(most: int):
    """Return the type of a whole number from 1 to `most`."""
    return Annotated[int, Field(gt=0, le=most, strict=True)]


def seconds(least: float):
    """Return the type of a time from `least` seconds to a day."""
    return Annotated[float, Field(ge=least, le=LONGEST_S, allow_inf_nan=False, strict=True)]


def single_values(mapping: Any) -> Any:
    """Return `mapping` with each single value replaced by a list of this one value."""
    if isinstance(mapping, dict):
        return {name: v if isinstance(v, (list, tuple)) else (v,) for name, v in mapping.items()}
    return mapping


Block = Annotated[
    BlockSize,
    BeforeValidator(parse_block_size),
    PlainSerializer(lambda block: str(block) if len(block.extents) > 1 else block.plain),
]
Threads = Annotated[Any, BeforeValidator(_number_or_all(1, "is not a number of threads: write a whole number"))]
GpuNumber = Annotated[Any, BeforeValidator(_number_or_all(0, "is not a GPU: write its number,"))]
Flag = Annotated[bool, Field(strict=True)]
Option = Annotated[Any, BeforeValidator(parse_option)]
Options = Annotated[dict[str, several(Option)], BeforeValidator(single_values)]
Count = count(MOST_CORES)
Size = Annotated[int, Field(ge=0, le=MOST, strict=True)]
Seconds = seconds(SHORTEST_S)
Fraction = Annotated[float, Field(ge=1e-6, lt=1, strict=True)]
Text = Annotated[str, Field(min_length=1, pattern=r"^[^\x00-\x1f]+$")]
Compiler = Annotated[str, Field(pattern=r"^[\w./+][\w./+-]*$")]
Compilers = Annotated[
    several(Compiler),
    BeforeValidator(lambda value: value if isinstance(value, (list, tuple)) else (value,)),
    PlainSerializer(lambda names: names if len(names) > 1 else names[0]),
]
Cost = Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False, strict=True)]
