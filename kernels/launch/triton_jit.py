"""A Triton kernel that does nothing."""

import triton


@triton.jit
def nothing(x):
    pass


def run(x):
    nothing[(1,)](x)
