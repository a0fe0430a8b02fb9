"""Types and helpers for writing a kernel folder's `kernel.py`: its specification, and numbers for exact inputs.

Beside `KERNEL = Kernel(...)` a `kernel.py` defines plain functions. Each is called with the arguments that it names:

    inputs(size, dtype, rng)         -> {name: array or NumPy scalar}, in the order `run` takes them
    outputs(size, dtype)             -> (Output, ...); `run` returns those of shape ()
    reference(<inputs>, size, ...)   -> the exact or float64 result, a tuple if there are several outputs
    tolerance(expected, dtype, ...)  -> the largest absolute error allowed, per output, scalar or array

Some functions are optional:

    bytes_moved(size, itemsize)                    -> (bytes read, bytes written): each input and output once
    flops(size)                                    -> floating-point operations
    exact_inputs(size, dtype, rng)                 -> other numbers in the same arrays as those of `inputs`
    exact_tolerance(expected, dtype, ...)          -> `tolerance` for the exact inputs; without it they allow no error
    error_metrics(<outputs>, <inputs>, size, ...)  -> {what: (error, largest error allowed)}
    footprint_bytes(size, itemsize)                -> bytes of all arrays

`inputs` returns C-contiguous arrays. Implementations may not write to them, except to the input of an `inout` output.

`exact_inputs` is for reductions and scans, whose tolerance for random numbers hides one element among a million. With
`whole_numbers`, the result is exact in any order, so that a lost or doubled element shows. Results are checked with
both. Without `bytes_moved` and `flops` the report shows no share of a peak. `footprint_bytes` is for arrays that are
read many times, or only in parts.

A result is right if each element is within its tolerance and each error of `error_metrics` is within its bound. A
`tolerance` of numpy.inf leaves the judgement to `error_metrics`, for instance by a relative norm; NaN is wrong even
then. `error_metrics` gets an implementation's results, an `inout` output in place of the input. It may also ask for
`expected`, and for `again`, {output: array} of a second call: random numbers, say, must differ in it. None of these
functions may write to inputs or results. Checks mix elements of two draws of `inputs`. Write `mixable=False` if such a
mixture is no valid input.

`size` is an int, `dtype` a name such as "float64", `itemsize` its bytes, `rng` a seeded numpy.random.Generator,
`expected` the value that `reference` returned. The kernel's options and inputs are passed under their own names.
"""

from dataclasses import dataclass, field

import numpy as np

PRESETS = ("smoke", "default", "lecture")
FUNCTIONS = ("inputs", "outputs", "reference", "tolerance")
COSTS = ("bytes_moved", "flops", "footprint_bytes")
OPTIONAL_FUNCTIONS = (*COSTS, "exact_inputs", "exact_tolerance", "error_metrics")
# dtypes that a kernel may have, with their names in C and in CUDA or OpenCL C; for complex dtypes those of the parts
DTYPES = {
    "bool": ("bool", "unsigned char"),
    "int8": ("int8_t", "signed char"),
    "int16": ("int16_t", "short"),
    "int32": ("int32_t", "int"),
    "int64": ("int64_t", "long"),
    "uint8": ("uint8_t", "unsigned char"),
    "uint16": ("uint16_t", "unsigned short"),
    "uint32": ("uint32_t", "unsigned int"),
    "uint64": ("uint64_t", "unsigned long"),
    "float16": (None, "half"),  # unknown to CFFI, ctypes and Cython
    "float32": ("float", "float"),
    "float64": ("double", "double"),
    "complex64": ("float", "float"),
    "complex128": ("double", "double"),
}


@dataclass(frozen=True)
class Output:
    """One result of a kernel.

    `run` returns an output of shape () and gets any other one as an array, filled with NaN or bytes of 0xFF. An `inout`
    output is the input of the same name changed in place: `run` gets it once, among the inputs. Its starting values are
    restored before each sample.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    inout: bool = False


@dataclass(frozen=True)
class Kernel:
    """The declarative half of a specification.

    title             what the report calls it
    size              what the one integer `size` counts, for axis labels: "number of elements"
    sizes             the sizes of each preset: {"smoke": (...), "default": (...), "lecture": (...)}
    sizes_gpu         further sizes, in the default and lecture presets, for GPUs and the baseline alone
    smallest          the smallest size of a grid or time loop: no function is called with a smaller one
    dtypes            the dtypes it is specified for, of DTYPES; the report shows the first one first
    baseline          the implementation speedups are relative to, the best NumPy
    baselines         further ones with NumPy alone that are better at some sizes or on some machines: speedups are over
                      whichever is fastest
    lectures          short names of the lectures it comes from
    algorithms        {name: what it does} of the ways to compute the result. The first is the main one: that of every
                      implementation without ALGORITHM, and the one that backends are compared by
    options           further numbers and their defaults: {"vertices": 24}
    check_sizes       sizes `accelbench check` tries beside those below 100, so that all takes seconds; `smallest` takes
                      the place of smaller ones
    any_size          False if it is defined at `check_sizes` alone, so that checks try no other
    block_dimensions  1, or 2 where block sizes are written 16x16
    location          "device": inputs lie where the work is done; "host": the transfer is part of the subject
    mixable           whether elements of two draws of `inputs` may stand beside each other, as they do in a check
    """

    title: str
    size: str
    sizes: dict[str, tuple[int, ...]]
    dtypes: tuple[str, ...]
    baseline: str
    lectures: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ()
    algorithms: dict[str, str] = field(default_factory=lambda: {"direct": "as the definition says"})
    options: dict[str, int | float] = field(default_factory=dict)
    sizes_gpu: tuple[int, ...] = ()
    check_sizes: tuple[int, ...] = (1000,)
    any_size: bool = True
    block_dimensions: int = 1
    location: str = "device"
    mixable: bool = True
    smallest: int = 0

    @property
    def all_baselines(self):
        """Return the names of all baselines. Speedups are over the fastest of them."""
        return {self.baseline, *self.baselines}

    def tried_sizes(self, *sizes):
        """Return `sizes` in ascending order, `smallest` in place of those below it; check_sizes without any_size."""
        return sorted({max(size, self.smallest) for size in (sizes if self.any_size else self.check_sizes)})


def whole_numbers(shape, dtype, rng, *, largest=8):
    """Return random whole numbers from -largest to largest, at most 127, without 0.

    Sums of n of them, or of products of two of 8, stay below 2**24 for any n up to 1e8, in whatever order they are
    added: chosen at random, n products add up to 26 sqrt(n) or so. Float32 holds such sums exactly.
    """
    numbers = rng.integers(-largest, largest, shape, dtype=np.int8)
    numbers += numbers >= 0
    return numbers.astype(dtype)
