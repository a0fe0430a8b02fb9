"""Tests of running CUDA C on the host: missing and unreachable barriers of a block's threads are detected."""

import numpy as np
import pytest
from cuda_on_host import compile_source, launch

SOURCE = """
extern "C" __global__ void shifted(long long n, int by, int waits, const int *x, int *out)
{
    __shared__ int tile[64];
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = x[i];
    if (waits)
        __syncthreads();
    out[i] = tile[(threadIdx.x + by + blockDim.x) % blockDim.x];
}

extern "C" __global__ void early(int *out)
{
    if (threadIdx.x == 3)
        return;
    __syncthreads();
    out[threadIdx.x] = 1;
}
"""
X = np.arange(256, dtype=np.int32)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    source = tmp_path_factory.mktemp("kernels") / "shifted.cu"
    source.write_text(SOURCE)
    return compile_source(source, source.parent)


def shifted(library, by, *, waits):
    out = np.zeros_like(X)
    launch(library, "shifted", (4,), (64,), [np.int64(X.size), np.int32(by), np.int32(waits), X, out])
    return np.array_equal(out, np.roll(X.reshape(4, 64), -by, axis=1).ravel())


@pytest.mark.parametrize("by", [1, -1])
def test_what_another_thread_wrote_is_there_behind_a_barrier_alone(library, by):
    assert shifted(library, by, waits=True)
    assert not shifted(library, by, waits=False)


def test_a_barrier_that_a_thread_does_not_reach_holds_nothing_up(library):
    with pytest.raises(AssertionError, match="the threads of a block deadlock"):
        launch(library, "early", (2,), (32,), [np.zeros(32, np.int32)])
