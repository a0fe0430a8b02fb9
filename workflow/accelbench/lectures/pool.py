"""What CuPy's memory pools hold while an array comes and goes: bytes used and held, free blocks of pinned memory.

Looked at in a process of its own, since a pool is a process's: whatever else ran before would be in the numbers.
"""

import json
import subprocess
import sys
from pathlib import Path

TIMEOUT_S = 120
WALK = Path(__file__).with_name("pool_walk.py")


def observe():
    """{device, cupy, rows: [{step, used, held, pinned}, ...]}, or {reason} where there is nothing to look at."""
    program = WALK.read_text(encoding="utf-8")
    try:
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return {"reason": f"CuPy did not answer within {TIMEOUT_S} s"}
    if done.returncode:
        return {"reason": (done.stderr.strip().splitlines() or ["CuPy ended without a word"])[-1]}
    return json.loads(done.stdout)
