"""Python compiled by numba.cuda.jit, a kernel per operation; the host looks at the residual after every step."""

from numba import cuda

PARAMETERS = ("block_size",)
BLOCKS = 1024  # at most in an inner product, which one block then completes


@cuda.jit
def start(b, x, residual, direction):
    i = cuda.grid(1)
    if i < b.size:
        x[i] = 0
        residual[i] = b[i]
        direction[i] = b[i]


@cuda.jit
def multiply(data, indices, indptr, direction, product):
    row = cuda.grid(1)
    if row < product.size:
        total = data.dtype.type(0)
        for k in range(indptr[row], indptr[row + 1]):
            total += data[k] * direction[indices[k]]
        product[row] = total


@cuda.jit(device=True)
def sum_of_block(mine, sums):
    """The sum over the block's threads, left in its place in sums."""
    shared = cuda.shared.array(0, sums.dtype)
    me, active = cuda.threadIdx.x, cuda.blockDim.x
    shared[me] = mine
    while active > 1:  # the upper half onto the lower; an odd one out waits
        middle = (active + 1) // 2
        cuda.syncthreads()
        if me < active - middle:
            shared[me] += shared[me + middle]
        active = middle
    if me == 0:
        sums[cuda.blockIdx.x] = shared[0]


@cuda.jit
def dot(x, y, sums):
    mine = x.dtype.type(0)
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        mine += x[i] * y[i]
    sum_of_block(mine, sums)


@cuda.jit
def add_up(sums, total):
    mine = sums.dtype.type(0)
    for i in range(cuda.threadIdx.x, sums.size, cuda.blockDim.x):
        mine += sums[i]
    sum_of_block(mine, total)


@cuda.jit
def axpy(factor, x, y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] += factor * x[i]


@cuda.jit
def xpay(factor, x, y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = x[i] + factor * y[i]


def prepare(case):
    rows, stream, block, shared_bytes = case.size**2, case.stream, case.block_size, case.block_size * case.itemsize
    blocks = case.blocks(n=rows)
    residual, direction, product = (cuda.device_array(rows, case.dtype) for _ in range(3))
    sums, total = cuda.device_array(min(blocks, BLOCKS), case.dtype), cuda.device_array(1, case.dtype)
    number = cuda.pinned_array(1, case.dtype)

    def inner(x, y):
        dot[sums.size, block, stream, shared_bytes](x, y, sums)
        add_up[1, block, stream, shared_bytes](sums, total)
        total.copy_to_host(number, stream=stream)
        stream.synchronize()
        return number[0]

    def run(data, indices, indptr, b, relative_residual, most_steps, x):
        each = blocks, block, stream
        start[each](b, x, residual, direction)
        squared, steps = inner(residual, residual), 0
        target = relative_residual**2 * squared
        while squared > target and steps < most_steps:
            # idea: eight launches a step, and two numbers that the host waits for
            multiply[each](data, indices, indptr, direction, product)
            length = squared / inner(direction, product)
            axpy[each](length, direction, x)
            axpy[each](-length, product, residual)
            before, squared = squared, inner(residual, residual)
            xpay[each](squared / before, residual, direction)
            # end of idea
            steps += 1
        return steps

    run.kernel = multiply
    return run
