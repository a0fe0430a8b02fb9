"""Python compiled by numba.cuda.jit, five launches a step; the host looks at a residual of some steps ago."""

from numba import cuda

PARAMETERS = ("block_size",)
BLOCKS = 2048  # at most: each leaves a sum, and one block adds them up
TOGETHER = 32  # steps launched between two checks of the residual


@cuda.jit(device=True)
def add_up_block(mine, sums):
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


@cuda.jit(device=True)
def ratio(above, below):
    """above / below, or 0 where both are 0: in steps beyond the exact solution."""
    return above / below if below > 0 else below


@cuda.jit
def start(b, x, residual, direction, sums):
    mine = b.dtype.type(0)
    for i in range(cuda.grid(1), b.size, cuda.gridsize(1)):
        x[i] = 0
        residual[i] = b[i]
        direction[i] = b[i]
        mine += b[i] * b[i]
    add_up_block(mine, sums)


@cuda.jit
def multiply(data, indices, indptr, direction, product, sums):
    mine = data.dtype.type(0)
    for row in range(cuda.grid(1), product.size, cuda.gridsize(1)):
        total = data.dtype.type(0)
        for k in range(indptr[row], indptr[row + 1]):
            total += data[k] * direction[indices[k]]
        product[row] = total
        mine += direction[row] * total
    add_up_block(mine, sums)


@cuda.jit
def update(squared, curvature, product, residual, sums):
    length, mine = ratio(squared[0], curvature[0]), residual.dtype.type(0)
    for i in range(cuda.grid(1), residual.size, cuda.gridsize(1)):
        residual[i] -= length * product[i]
        mine += residual[i] * residual[i]
    add_up_block(mine, sums)


@cuda.jit
def direct(squared, curvature, squared_now, residual, direction, x):
    length, share = ratio(squared[0], curvature[0]), ratio(squared_now[0], squared[0])
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        x[i] += length * direction[i]
        direction[i] = residual[i] + share * direction[i]


@cuda.jit
def add_up(sums, total):
    mine = sums.dtype.type(0)
    for i in range(cuda.threadIdx.x, sums.size, cuda.blockDim.x):
        mine += sums[i]
    add_up_block(mine, total)


def prepare(case):
    rows, stream, block = case.size**2, case.stream, case.block_size
    blocks, shared_bytes = min(case.blocks(n=rows), BLOCKS), block * case.itemsize
    everywhere, one_block = (blocks, block, stream, shared_bytes), (1, block, stream, shared_bytes)
    begin, product_pass, residual_pass = start[everywhere], multiply[everywhere], update[everywhere]
    direction_pass, complete = direct[everywhere], add_up[one_block]
    residual, direction, product = (cuda.device_array(rows, case.dtype) for _ in range(3))
    squared, squared_now, curvature = (cuda.device_array(1, case.dtype) for _ in range(3))
    sums, seen, arrived = cuda.device_array(blocks, case.dtype), cuda.pinned_array(1, case.dtype), cuda.event()

    # idea: five launches a step
    def step(matrix, x, old, new):
        product_pass(*matrix, direction, product, sums)
        complete(sums, curvature)
        residual_pass(old, curvature, product, residual, sums)
        complete(sums, new)
        direction_pass(old, curvature, new, residual, direction, x)

    # end of idea

    def run(data, indices, indptr, b, relative_residual, most_steps, x):
        old, new, steps = squared, squared_now, 0
        begin(b, x, residual, direction, sums)
        complete(sums, old)
        old.copy_to_host(seen, stream=stream)
        stream.synchronize()
        target = relative_residual**2 * seen[0]
        while seen[0] > target and steps < most_steps:
            arrived.record(stream)
            for _ in range(min(TOGETHER, int(most_steps) - steps)):
                step((data, indices, indptr), x, old, new)
                old, new, steps = new, old, steps + 1
            arrived.synchronize()  # the residual asked for one round ago: the device is busy with this round
            old.copy_to_host(seen, stream=stream)
        return steps

    run.kernel = multiply
    return run
