"""Numba prange loop over chunks, with LLVM's non-temporal stores, which bypass the caches.

The processor does not read the cache lines of out, which saves a quarter of the memory traffic. On a processor without
non-temporal stores, LLVM generates ordinary stores.
"""

import numba
from llvmlite import ir
from numba.extending import intrinsic

PARAMETERS = ("threads",)
WIDTH = 32  # size and alignment of each store, in bytes; stores of whole cache lines are slower
CHUNK = 8192  # number of stores between two fences


@intrinsic
def multiply_vector(typing, x, y, out, start):
    """Compute out = x * y for the WIDTH bytes from element `start` on."""
    itemsize = out.dtype.bitwidth // 8

    def generate(context, builder, signature, arguments):
        vector = ir.VectorType(context.get_value_type(out.dtype), WIDTH // itemsize)

        def at_start(kind, array):
            data = context.make_array(kind)(context, builder, array).data
            return builder.bitcast(builder.gep(data, [arguments[3]]), vector.as_pointer())

        at_x, at_y, at_out = map(at_start, (x, y, out), arguments)
        # idea: LLVM's store, marked as non-temporal
        product = builder.fmul(builder.load(at_x, align=itemsize), builder.load(at_y, align=itemsize))
        store = builder.store(product, at_out, align=WIDTH)
        store.set_metadata("nontemporal", builder.module.add_metadata([ir.IntType(32)(1)]))
        # end of idea
        return context.get_dummy_value()

    return numba.void(x, y, out, numba.intp), generate


@intrinsic
def finish_stores(typing):
    """Emit a fence, which orders the thread's non-temporal stores before its later stores."""

    def generate(context, builder, signature, arguments):
        builder.fence("seq_cst")
        return context.get_dummy_value()

    return numba.void(), generate


@numba.njit(cache=True, parallel=True)
def run(x, y, out):
    width = WIDTH // out.itemsize
    head = min(out.size, -out.ctypes.data % WIDTH // out.itemsize)
    vectors = (out.size - head) // width
    for chunk in numba.prange(vectors // CHUNK + 1):
        for k in range(chunk * CHUNK, min(vectors, (chunk + 1) * CHUNK)):
            multiply_vector(x, y, out, head + k * width)
        finish_stores()
    for i in range(head):
        out[i] = x[i] * y[i]
    for i in range(head + vectors * width, out.size):
        out[i] = x[i] * y[i]
