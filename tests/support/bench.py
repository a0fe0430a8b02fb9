"""A small kernel folder, into which tests write implementations, with its results folder and measuring steps."""

import textwrap
from contextlib import contextmanager
from uuid import uuid4

import pytest

from accelbench import config, measure, toolchains
from accelbench.config import select
from accelbench.kernels import catalog
from accelbench.model.machine import Machine
from accelbench.store import files, formats

KERNEL = '''
"""Doubling: y[i] = 2 x[i]."""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Doubling",
    size="number of elements",
    sizes={"smoke": (1000,), "default": (1000,), "lecture": (1000,)},
    dtypes=("float64",),
    baseline="numpy_multiply",
)


def inputs(size, dtype, rng):
    return {"x": rng.random(size).astype(dtype)}


def outputs(size, dtype):
    return (Output("y", (size,), dtype),)


def reference(x):
    return 2.0 * x


def tolerance():
    return 0.0


def bytes_moved(size, itemsize):
    return size * itemsize, size * itemsize


def flops(size):
    return size
'''

BASELINE = '''
"""Doubling with numpy.multiply."""

import numpy as np


def run(x, y):
    np.multiply(x, 2.0, out=y)
'''

PROTOCOL = {
    "repetitions": 1,
    "budget_s": 0.01,
    "min_rounds": 5,
    "sample_s": 0.0005,
    "sample_cache_s": 0.0005,
    "timeout_s": 6.0,
}


@contextmanager
def run_of_its_own():
    """Measure everything within this context as one separate run of the workflow."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("ACCELBENCH_RUN_ID", uuid4().hex)
        yield


class Bench:
    """A kernel folder, its results folder, and the steps of a measurement."""

    def __init__(self, folder, described):
        self.kernels, self.results = folder / "kernels", folder / "results" / "here"
        self.folder = self.kernels / "doubling"
        self.folder.mkdir(parents=True)
        self.write("kernel.py", KERNEL)
        self.write("numpy_multiply.py", BASELINE)
        files.write_json(self.results / "machine.json", described)
        self.settings = {"kernels_path": [str(self.kernels)], "peaks": False, "protocol": dict(PROTOCOL)}

    def write(self, name, text):
        (self.folder / name).write_text(textwrap.dedent(text).lstrip())
        catalog._load.cache_clear()

    def config(self):
        """Return the EffectiveConfig of the kernel."""
        return select.effective(config.parse(self.settings), "doubling")

    def build(self):
        folder = catalog.load(self.folder)
        home = self.results / "build" / folder.name
        devices = formats.read(Machine, self.results / "machine.json", "").backends["pyopencl"].devices
        for toolchain in toolchains.needed(folder):
            manifest = toolchains.build(folder, toolchain, home, config=self.config().build, devices=devices)
            formats.write(home / f"{toolchain}.json", manifest)

    def measure(self):
        """Build and measure. Return {implementation: Record}; with several sizes, {(implementation, size): Record}."""
        self.build()
        with run_of_its_own():
            records = measure.measure(self.config(), "here", self.results)
        several = len({r.size for r in records}) > 1
        return {(r.implementation, r.size) if several else r.implementation: r for r in records}

    def journal(self, number=1):
        """Return the path of a repetition's journal."""
        return self.results / "journal" / f"doubling.{number}.jsonl"

    def entries(self, number=None):
        """Return the entries of a repetition's journal in order; without a number, those of all repetitions."""
        most = self.config().config.protocol.repetitions.max
        entries = []
        for each in range(1, most + 1) if number is None else [number]:
            values, problems = files.read_lines(self.journal(each))
            assert not problems
            entries += [value for value in values if "case" in value]
        return entries
