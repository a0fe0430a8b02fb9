"""A folder with a kernel `twice`, a configuration and optional results, for tests of commands."""

import json

import yaml
from command_line import invoke

from accelbench import config
from accelbench.config import select
from accelbench.kernels import catalog

KERNEL = '''"""Doubling."""
import numpy as np
from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Twice", size="elements", sizes=dict(smoke=(100,), default=(100,), lecture=(100,)),
    dtypes=("float64", "float32"), baseline="numpy_ufunc", options={"factor": 2},
)
def inputs(size, dtype, rng, factor): return {"x": rng.random(size).astype(dtype) / (factor / factor)}
def outputs(size, dtype): return (Output("y", (size,), dtype),)
def reference(x, factor): return factor * x
def tolerance(): return 0
def bytes_moved(size, itemsize): return size * itemsize, size * itemsize
def flops(size): return size
'''
DOC = '"""As it is."""\n'
RUN = "def run(x, y):\n    y[:] = x + x\n"
IN_C = {
    "twice.c": "#include <stdint.h>\n"
    "void twice(const double *x, double *y, int64_t n) { for (int64_t i = 0; i < n; i++) y[i] = 2 * x[i]; }\n",
    "ctypes_c.py": '''"""In C."""
import ctypes

SOURCES = ("twice.c",)

def prepare(case):
    if case.dtype != "float64":
        raise NotImplementedError("float64 only")
    twice = ctypes.CDLL(case.artifact("twice.c")).twice
    twice.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
    twice.restype = None
    return lambda x, y: twice(x.ctypes.data, y.ctypes.data, x.size)
''',
}
PROTOCOL = {"repetitions": 1, "budget_s": 0.01, "min_rounds": 5, "sample_s": 0.0005}


class Place:
    """A folder with a kernel `twice` and a configuration own.yaml, with methods that run commands on them."""

    def __init__(self, folder):
        self.folder, self.own = folder, folder / "own.yaml"
        self.kernel = folder / "kernels" / "twice"
        self.kernel.mkdir(parents=True)
        self.write({"kernel.py": KERNEL, "numpy_ufunc.py": DOC + RUN})
        self.configure({})

    def write(self, texts):
        """Write {name: text} to files of the kernel's folder; the text None removes a file."""
        for name, text in texts.items():
            path = self.kernel / name
            if text is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text if isinstance(text, bytes) else text.encode())
        catalog._load.cache_clear()

    def configure(self, keys):
        given = {"kernels_path": [str(self.folder / "kernels")], "peaks": False, "preset": "smoke"}
        self.own.write_text(yaml.safe_dump({**given, "protocol": PROTOCOL, **keys}))

    def plan(self):
        kernels, unusable = select.plan(config.read(self.own), self.own)
        for problem in unusable.values():
            raise problem
        return kernels

    def invoke(self, command, *arguments):
        """Run a command and return its result. Assert that it did not end with an unexpected exception."""
        where = ["--results", self.folder / "results"]
        if command != "tables":
            where += ["--configfile", self.own]
        if command == "report":
            where += ["--reports", self.folder / "reports"]
        result = invoke(command, *arguments, *where)
        assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
        return result

    def refusal(self, command, *arguments):
        result = self.invoke(command, *arguments)
        assert result.exit_code == 2, result.output
        assert result.stderr.startswith("error: ")
        assert result.stderr.count("\n") == 1
        return result.stderr

    def sweep(self):
        """Run all stages up to the tables."""
        for command in (["machine"], ["build", "twice"], ["measure", "twice"], ["tables"]):
            result = self.invoke(*command)
            assert result.exit_code == 0, result.output

    def file(self, name):
        return self.folder / "results" / "local" / name

    def outcomes(self):
        lines = self.file("timings/twice.jsonl").read_text().splitlines()
        return {(r["implementation"], r["dtype"], r["size"]): r for r in map(json.loads, lines)}


def refused_run(place, *words):
    """Return the error message of a `run` that is refused. Assert that it changes no existing result."""
    kept = {path: path.read_bytes() for path in place.folder.glob("results/**/*.*") if path.is_file()}
    words = ["run", *words, "--configfile", place.own, "--directory", place.folder, "--cores", "1"]
    result = invoke(*words)
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert kept == {path: path.read_bytes() for path in kept}
    return result.stderr
