"""Exercise: matrix product in CUDA C, one thread per element of the product."""

import cupy as cp

ALGORITHM = "plain loops"
PARAMETERS = ("block_size",)
SOURCES = ("matmul_naive_exercise.cu",)


def prepare(case):
    raise NotImplementedError("write matmul_naive_exercise.cu, choose the grid, then delete this line")
    matmul = cp.RawModule(path=case.artifact("matmul_naive_exercise.cu")).get_function(f"matmul_{case.dtype}")
    columns, rows = case.block_size  # threads of a block in each direction
    grid = (1, 1)  # blocks along the columns and rows of the product: how many does the product need? At least 1 by 1
    return lambda a, b, out: matmul(grid, (columns, rows), (case.size, a, b, out))
