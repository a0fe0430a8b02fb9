"""A kernel `twice` and commands as from a shell, for tests that run in a folder of their own."""

import json
import os
import re
import subprocess
import sys

import yaml
from dry_run import dry_run

from accelbench import project

KERNEL = """
import numpy as np
from accelbench.kernel import Kernel, Output

KERNEL = Kernel(title="Twice", size="elements", sizes=dict(smoke=(100,), default=(100,), lecture=(100,)),
                dtypes=("float64", "float32"), baseline="numpy_ufunc")
def inputs(size, dtype, rng): return {"x": rng.random(size).astype(dtype)}
def outputs(size, dtype): return (Output("y", (size,), dtype),)
def reference(x): return 2 * x
def tolerance(): return 0
def bytes_moved(size, itemsize): return size * itemsize, size * itemsize
def flops(size): return size
"""


def command(*arguments):
    return [sys.executable, "-m", *map(str, arguments)]


def shell(*arguments, cwd, **options):
    """A finished process, started as from a shell in the folder `cwd`."""
    environment = {**os.environ, "PYTHONPATH": str(project.ROOT / "workflow")}
    return subprocess.run(
        command(*arguments), cwd=cwd, capture_output=True, text=True, timeout=540, env=environment, **options
    )


def snakemake(*arguments, cwd, snakefile=project.SNAKEFILE):
    return shell("snakemake", "-s", snakefile, *arguments, cwd=cwd)


def plan(*arguments, cwd, **options):
    """{rule: number of jobs} of a dry run."""
    done = dry_run(*arguments, cwd=cwd, **options)
    assert done.returncode == 0, done.stderr
    return {name: int(count) for name, count in re.findall(r"^(\w+) {2,}(\d+)$", done.stdout + done.stderr, re.M)}


def settings(*arguments, cwd, **options):
    """The settings a dry run would measure the kernel `twice` with."""
    return settings_told(dry_run("-p", *arguments, cwd=cwd, **options))


def settings_told(done):
    """The settings in what a finished dry run told."""
    assert done.returncode == 0, done.stderr
    found = re.findall(r"accelbench measure twice .*--settings '([^']*)'", done.stdout + done.stderr)
    return json.loads(found[0])


def write_config(place, **keys):
    data = {"preset": "smoke", "peaks": False, "kernels_path": [str(place / "my kernels")], **keys}
    path = place / "own.yaml"
    path.write_text(yaml.safe_dump(data))
    return path


def write_module(place, used=project.SNAKEFILE, **keys):
    """A workflow of its own that uses this one as a module, for the kernels in `my kernels`."""
    config = {"peaks": False, "kernels_path": [str(place / "my kernels")], **keys}
    (place / "Snakefile").write_text(f"""
module bench:
    snakefile: {str(used)!r}
    config: {config!r}
    prefix: "sub"
use rule * from bench as bench_*
rule mine:
    default_target: True
    input: "sub/reports/local/index.html"
""")
