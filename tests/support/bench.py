"""A small kernel folder that tests plant implementations into, and a machine to measure it on."""

import textwrap

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
    "processes": 1,
    "budget_s": 0.01,
    "min_samples": 5,
    "passes": 1,
    "sample_s": 0.0005,
    "sample_cache_s": 0.0005,
    "timeout_s": 6.0,
}


class Bench:
    """A kernel folder, its results folder, and what is done with them."""

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
        """The EffectiveConfig of the kernel."""
        return select.effective(config.parse(self.settings), "doubling")

    def build(self):
        folder = catalog.load(self.folder)
        home = self.results / "build" / folder.name
        devices = formats.read(Machine, self.results / "machine.json", "").backends["pyopencl"].devices
        for toolchain in toolchains.needed(folder):
            manifest = toolchains.build(folder, toolchain, home, config=self.config().build, devices=devices)
            formats.write(home / f"{toolchain}.json", manifest)

    def measure(self):
        """{implementation: Record}, or {(implementation, size): Record} where several sizes are measured."""
        self.build()
        records = measure.measure(self.config(), "here", self.results)
        several = len({r.size for r in records}) > 1
        return {(r.implementation, r.size) if several else r.implementation: r for r in records}

    def entries(self):
        """The journal's entries, in order."""
        values, problems = files.read_lines(self.results / "journal" / "doubling.jsonl")
        assert not problems
        return [value for value in values if "case" in value]
