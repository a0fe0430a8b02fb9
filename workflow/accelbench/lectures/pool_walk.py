"""Repeat steps of the CuPy notebook, and print the state of CuPy's memory pools after each step, as JSON."""

import json

import cupy
import numpy

pool, pinned = cupy.get_default_memory_pool(), cupy.get_default_pinned_memory_pool()
steps = []


def look(step):
    numbers = {"used": pool.used_bytes(), "held": pool.total_bytes(), "pinned": pinned.n_free_blocks()}
    steps.append({"step": step, **numbers})


on_host = numpy.zeros(100, numpy.float32)
look("at the start")
array = cupy.array(on_host)
cupy.cuda.Device().synchronize()
look("an array of 400 bytes")
array = None
look("the array is gone")
# No free pinned block has this size, so CuPy allocates one. CuPy also checks which copies to the GPU are done.
block = cupy.cuda.alloc_pinned_memory(4096)
look("pinned memory is asked for")
block = None
pool.free_all_blocks()
pinned.free_all_blocks()
look("all blocks are freed")
pool.set_limit(size=1 << 30)
try:
    array = cupy.empty(2 << 30, numpy.uint8)
    look("twice the limit was asked for, and given")
except cupy.cuda.memory.OutOfMemoryError:
    look("twice the limit was asked for, and refused")
device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
print(json.dumps({"device": device, "cupy": cupy.__version__, "rows": steps}))
