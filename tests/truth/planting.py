"""Functions shared by the parts of `make truth`: a kernel with a given amount of work, its sweeps and the table."""

import os
import subprocess
import sys
import time
from dataclasses import dataclass

import yaml

from accelbench import project

KERNEL = '''"""Doubling a vector, in a number of equal passes."""
import numpy as np
from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Passes", size="elements", sizes=dict(smoke=(100,), default=(100,), lecture=(100,)), dtypes=("float64",),
    baseline="numpy_passes",
)
def inputs(size, dtype, rng): return {"x": rng.random(size)}
def outputs(size, dtype): return (Output("y", (size,), dtype),)
def reference(x): return 2 * x
def tolerance(): return 1e-12
def bytes_moved(size, itemsize): return size * itemsize, size * itemsize
def flops(size): return size
'''
IMPLEMENTATION = '''"""{passes} passes."""
import numpy as np

def run(x, y):
    for _ in range({passes}):
        np.add(x, x, out=y)
'''
PASSES = 100  # number of passes of the original


@dataclass(frozen=True)
class Row:
    """A measured value with its target; `met` is None if there is no target."""

    what: str
    measured: str
    target: str = ""
    met: bool | None = None


def percent(share):
    """Return the text of a share in percent."""
    return "-" if share is None else f"{100 * share:.3g} %"


def at_most(what, share, limit):
    """Return the Row of a share with an upper limit."""
    return Row(what, percent(share), f"<= {percent(limit)}", None if share is None else share <= limit)


def at_least(what, share, limit):
    """Return the Row of a share with a lower limit."""
    return Row(what, percent(share), f">= {percent(limit)}", None if share is None else share >= limit)


def print_table(rows):
    """Print the rows as a Markdown table, as in docs/evidence.md."""
    print("\n| what | measured | target | met |\n|---|---|---|---|")
    for row in rows:
        print(
            f"| {row.what} | {row.measured} | {row.target} | {'' if row.met is None else 'yes' if row.met else 'no'} |"
        )


def plant(folder, passes, **settings):
    """Write the kernel with the original and an implementation for each of {name: passes}, and own.yaml."""
    kernel = folder / "kernels" / "passes"
    kernel.mkdir(parents=True, exist_ok=True)
    (kernel / "kernel.py").write_text(KERNEL)
    for name, count in {"numpy_passes": PASSES, **passes}.items():
        (kernel / f"{name}.py").write_text(IMPLEMENTATION.format(passes=count))
    own = {"kernels_path": [str(folder / "kernels")], "threads": [1], "peaks": False, **settings}
    (folder / "own.yaml").write_text(yaml.safe_dump(own))


def command(folder, *words):
    """Run `python -m WORDS` in `folder` and return its seconds; exit with its messages if it fails."""
    path = os.pathsep.join(filter(None, [str(project.ROOT / "workflow"), os.environ.get("PYTHONPATH")]))
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", *map(str, words)], cwd=folder, env=os.environ | {"PYTHONPATH": path},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{done.stdout[-3000:]}\n{' '.join(map(str, words))}: exit status {done.returncode}")
    return time.perf_counter() - begin


def sweep(folder, target="results/local/timings/passes.jsonl"):
    """Run a sweep up to `target`; return its seconds and its folder of results."""
    words = ("accelbench", "run", "--configfile", "own.yaml", "--cores", "all", *([target] if target else []))
    return command(folder, *words), folder / "results" / "local"
