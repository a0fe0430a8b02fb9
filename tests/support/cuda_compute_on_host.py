"""Stand-ins for an NVIDIA GPU: the parts of cuda.compute and CuPy that implementations use, made of NumPy.

The functions take keyword arguments with the names of cuda.compute 1.2. The function that a `make_` function returns
takes most of the same arguments again.
"""

from enum import Enum
from types import ModuleType, SimpleNamespace

import gpu_on_host
import numpy as np

from accelbench.backends import POISON

SCRATCH = 24  # scratch memory that every algorithm requests, in bytes


class Stream:
    """Stream whose operations are complete at once."""

    def __cuda_stream__(self):
        return 0, 1


class Session(gpu_on_host.Session):
    """Session of cuda.compute whose memory is the host's."""

    Stream = Stream


class OpKind(Enum):
    """Well-known operations."""

    PLUS = np.add
    MULTIPLIES = np.multiply
    MAXIMUM = np.maximum


class SortOrder(Enum):
    """Order of sorted numbers."""

    ASCENDING = 0


class ZipIterator:
    """Iterator over tuples of one element from each part."""

    def __init__(self, *parts):
        self.parts = parts

    def first(self, n):
        return list(zip(*(first(part, n) for part in self.parts), strict=True))


class TransformIterator:
    """Iterator that applies a function to each element."""

    def __init__(self, underlying, op):
        self.underlying, self.op = underlying, op

    def first(self, n):
        returns = self.op.__annotations__["return"]
        return [returns(self.op(value)) for value in first(self.underlying, n)]


def first(values, n):
    """Return the first n elements of an iterator, or of an array with one dimension and no gaps."""
    if not isinstance(values, np.ndarray):
        return values.first(n)
    assert values.ndim == 1
    assert values.flags.c_contiguous
    return list(values[:n])


def reduced(values, op, init):
    """Return the reduction of `values` in the dtype of `init`, as CUB computes it."""
    total = init[0]
    for value in values:
        total = init.dtype.type(op.value(total, value))
    return total


def scratch_is_there(temp_storage, stream):
    assert stream is None or isinstance(stream, Stream)
    if temp_storage is not None:
        assert temp_storage.nbytes >= SCRATCH
        assert isinstance(stream, Stream), "no stream, so the default stream would be used"
    return temp_storage is not None


def make_reduce_into(*, d_in, d_out, op, h_init):
    def reduce(*, temp_storage, d_in, d_out, num_items, op, h_init, stream=None):
        if scratch_is_there(temp_storage, stream):
            d_out[0] = reduced(first(d_in, num_items), op, h_init)
        return SCRATCH

    return reduce


def make_inclusive_scan(*, d_in, d_out, op, init_value=None):
    def scan(*, temp_storage, d_in, d_out, op, init_value, num_items, stream=None):
        assert init_value is None
        if scratch_is_there(temp_storage, stream):
            d_out[:num_items] = op.value.accumulate(np.asarray(d_in[:num_items]))
        return SCRATCH

    return scan


def make_radix_sort(*, d_in_keys, d_out_keys, d_in_values, d_out_values, order):
    assert order is SortOrder.ASCENDING

    def sort(*, temp_storage, d_in_keys, d_out_keys, d_in_values, d_out_values, num_items, stream=None):
        assert d_in_values is None
        assert d_out_values is None
        if scratch_is_there(temp_storage, stream):
            d_out_keys[:num_items] = sorted(first(d_in_keys, num_items))
        return SCRATCH

    return sort


def make_histogram_even(*, d_samples, d_histogram, h_num_output_levels, h_lower_level, h_upper_level, num_samples):
    of_making = h_lower_level.dtype, num_samples

    def histogram(
        *, temp_storage, d_samples, d_histogram, h_num_output_levels, h_lower_level, h_upper_level, num_samples, stream
    ):
        assert (h_upper_level.dtype, num_samples) == of_making
        assert len(h_num_output_levels) == len(h_lower_level) == len(h_upper_level) == 1
        if scratch_is_there(temp_storage, stream):
            levels = np.linspace(h_lower_level[0], h_upper_level[0], h_num_output_levels[0])
            d_histogram[:] = 0
            for sample in first(d_samples, num_samples):
                d_histogram[np.searchsorted(levels, sample, "right") - 1] += 1
        return SCRATCH

    return histogram


def make_binary_transform(*, d_in1, d_in2, d_out, op):
    def transform(*, d_in1, d_in2, d_out, op, num_items, stream=None):
        assert isinstance(stream, Stream)
        function = op.value if isinstance(op, OpKind) else op
        pairs = zip(first(d_in1, num_items), first(d_in2, num_items), strict=True)
        d_out[:num_items] = [function(x, y) for x, y in pairs]

    return transform


def empty(shape, dtype="float64"):
    plain = np.empty(shape, dtype)
    plain.reshape(-1).view(np.uint8).fill(POISON)
    return plain


def libraries():
    """Return a context in which `import cupy` and `from cuda.compute import ...` find the stand-ins."""
    compute = ModuleType("cuda.compute")
    vars(compute).update(
        {name: value for name, value in globals().items() if name.startswith("make_") or name.endswith("Iterator")}
    )
    compute.OpKind, compute.SortOrder = OpKind, SortOrder
    return gpu_on_host.importable({"cuda.compute": compute, "cupy": SimpleNamespace(empty=empty)})
