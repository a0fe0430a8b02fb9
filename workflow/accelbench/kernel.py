"""Types for the specification in a kernel's `kernel.py`, and the function `whole_numbers` for exact inputs.

Besides `KERNEL = Kernel(...)`, a `kernel.py` defines plain functions. Each function gets the arguments that it names:

    inputs(size, dtype, rng)         -> {name: array or NumPy scalar}, in the order of the arguments of `run`
    outputs(size, dtype)             -> (Output, ...); `run` returns outputs of shape ()
    reference(<inputs>, size, ...)   -> the exact or float64 result, a tuple if there are several outputs
    tolerance(expected, dtype, ...)  -> the largest absolute error allowed, per output, scalar or array

Some functions are optional:

    bytes_moved(size, itemsize)                    -> (bytes read, bytes written): each input and output once
    flops(size)                                    -> number of floating-point operations
    exact_inputs(size, dtype, rng)                 -> arrays like those of `inputs` with other numbers
    exact_tolerance(expected, dtype, ...)          -> `tolerance` for the exact inputs; by default, no error is allowed
    error_metrics(<outputs>, <inputs>, size, ...)  -> {name of an error: (error, largest error allowed)}
    footprint_bytes(size, itemsize)                -> bytes of all arrays

`inputs` returns C-contiguous arrays. Implementations may write to no input except the input of an `inout` output.

`exact_inputs` is for reductions and scans: their tolerance for random numbers is too large to detect one wrong element
in a million. With `whole_numbers`, the result is exact in any order of summation that does not depend on the values.
Checks then detect omitted or repeated elements. Checks use both kinds of inputs. Without `bytes_moved` and `flops`, the
report shows no share of a peak. `footprint_bytes` is for kernels that read arrays many times or partly.

A result is right if each element is within its tolerance and each error of `error_metrics` is within its bound. With a
`tolerance` of numpy.inf, only `error_metrics` decides, for instance by a relative norm. Even then, NaN is wrong unless
the reference is NaN there. `error_metrics` gets an implementation's results. For an `inout` output, it gets the result
instead of the input. `error_metrics` may also have the argument `expected`, and the argument `again`: the results
{output: array} of a second call. For example, it can check that random numbers differ in the second call. None of these
functions may write to inputs or results. Checks replace elements of an input by those of another draw of `inputs`.
Write `mixable=False` if such a mixture is no valid input.

`size` is an int, `dtype` a name such as "float64", `itemsize` the dtype's bytes, `rng` a seeded numpy.random.Generator,
`expected` the value that `reference` returned. The kernel's options and inputs are passed under their own names.
"""

from dataclasses import dataclass, field

import numpy as np

PRESETS = ("smoke", "default", "lecture")
FUNCTIONS = ("inputs", "outputs", "reference", "tolerance")
COSTS = ("bytes_moved", "flops", "footprint_bytes")
OPTIONAL_FUNCTIONS = (*COSTS, "exact_inputs", "exact_tolerance", "error_metrics")
# {dtype that a kernel may have: (name in C, name in CUDA and OpenCL C)}; complex dtypes have the names of their parts
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

    `run` returns an output of shape (). Any other output is an array that `run` gets as an argument. Before a call, the
    array contains old results or bytes of 0xFF, which are NaN in floating-point arrays. Exception: an `inout` output is
    the input of the same name, changed in place. `run` gets an `inout` array once, among the inputs. The starting
    values of an `inout` array are restored before each sample and each checked call.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    inout: bool = False


@dataclass(frozen=True)
class Kernel:
    """The declarative part of a kernel's specification.

    title             title in the report
    size              meaning of the integer `size`, for axis labels: "number of elements"
    sizes             the sizes of each preset: {"smoke": (...), "default": (...), "lecture": (...)}
    sizes_gpu         further sizes in the presets default and lecture, for GPUs and the baselines only
    smallest          smallest valid size, for example of a grid; no function is called with a smaller size
    dtypes            the kernel's dtypes, keys of DTYPES; the report starts with the first
    baseline          name of the NumPy implementation that speedups are relative to
    baselines         names of further NumPy implementations, which are faster at some sizes or on some machines:
                      speedups are relative to the fastest baseline
    lectures          short names of the lectures that use the kernel
    algorithms        {name: description} of the ways to compute the result. Implementations without ALGORITHM use the
                      first algorithm, the main one. The base ranking uses only the main algorithm
    options           numeric options of a problem and their defaults: {"vertices": 24}
    check_sizes       sizes that `accelbench check` tries in addition to sizes below 100. A check of all these sizes
                      should take only seconds. `smallest` replaces smaller sizes
    any_size          False if the kernel is defined only at `check_sizes`, so that checks try no other size
    block_dimensions  1, or 2 if block sizes have two dimensions, such as 16x16
    location          "device": inputs are in the memory of the device; "host": transfers are part of the kernel
    mixable           whether an input may contain elements of two draws of `inputs`, as in checks
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
        """Return `sizes`, or `check_sizes` if `any_size` is False, in ascending order.

        `smallest` replaces smaller sizes.
        """
        return sorted({max(size, self.smallest) for size in (sizes if self.any_size else self.check_sizes)})


def whole_numbers(shape, dtype, rng, *, largest=8):
    """Return an array of random whole numbers from -largest to largest without 0; `largest` is at most 127.

    float32 is exact for whole numbers below 2**24. With largest=8 and up to 1e8 terms, sums of these numbers, or of
    products of two of them, stay below this limit in any order that does not depend on the values. The sum of n random
    products has a standard deviation of about 26 sqrt(n).
    """
    numbers = rng.integers(-largest, largest, shape, dtype=np.int8)
    numbers += numbers >= 0
    return numbers.astype(dtype)
