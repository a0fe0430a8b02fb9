"""Numba CUDA kernel for a step of a bitonic network, with one launch per step."""

from numba import cuda

ALGORITHM = "bitonic network"
PARAMETERS = ("block_size",)


@cuda.jit
def sort_step(stride, mirrored, given, out):
    pair = cuda.grid(1)
    low = 2 * pair - (pair & (stride - 1))
    high = low ^ (2 * stride - 1 if mirrored else stride)
    if low < out.size:
        a = given[low]
        b = given[high] if high < out.size else a
        out[low] = b if a > b else a
        if high < out.size:
            out[high] = a if a > b else b


def prepare(case):
    rounds = max(1, (case.size - 1).bit_length())
    launch = sort_step[case.blocks(n=2 ** (rounds - 1)), case.block_size, case.stream]

    def run(x, out):
        given = x
        for size in range(rounds):
            for stride in range(size, -1, -1):
                launch(2**stride, stride == size, given, out)
                given = out

    return run
