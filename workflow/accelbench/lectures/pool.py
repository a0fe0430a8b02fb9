"""What CuPy's memory pools hold while an array comes and goes: bytes used and held, free blocks of pinned memory.

Looked at in a process of its own, since a pool is a process's: whatever else ran before would be in the numbers.
"""

import json
import subprocess
import sys

TIMEOUT_S = 120
NBYTES = 400
LIMIT_BYTES = 1 << 30
LOOK = f"""
import json
import cupy
import numpy

pool, pinned = cupy.get_default_memory_pool(), cupy.get_default_pinned_memory_pool()
rows = []

def look(step):
    held = {{"used": pool.used_bytes(), "held": pool.total_bytes(), "pinned": pinned.n_free_blocks()}}
    rows.append({{"step": step, **held}})

on_host = numpy.zeros({NBYTES // 4}, numpy.float32)
look("at the start")
array = cupy.array(on_host)
cupy.cuda.Device().synchronize()
look("an array of {NBYTES} bytes")
array = None
look("the array is gone")
pool.free_all_blocks()
pinned.free_all_blocks()
look("all blocks are freed")
pool.set_limit(size={LIMIT_BYTES})
refused = False
try:
    cupy.empty({2 * LIMIT_BYTES}, numpy.uint8)
except cupy.cuda.memory.OutOfMemoryError:
    refused = True
look("twice the limit was asked for, and " + ("refused" if refused else "given"))
name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
print(json.dumps({{"device": name, "cupy": cupy.__version__, "rows": rows}}))
"""


def observe():
    """{device, cupy, rows: [{step, used, held, pinned}, ...]}, or {reason} where there is nothing to look at."""
    try:
        done = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return {"reason": f"CuPy did not answer within {TIMEOUT_S} s"}
    if done.returncode:
        return {"reason": (done.stderr.strip().splitlines() or ["CuPy ended without a word"])[-1]}
    return json.loads(done.stdout)
