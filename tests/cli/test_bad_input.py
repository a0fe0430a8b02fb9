"""What people write wrongly: one message that names place, problem and remedy, before any work, and nothing lost."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time

import configurations
import pytest
import yaml
from coordinator import all_gone, workers
from typer.testing import CliRunner

from accelbench import config, errors, project
from accelbench.cli import app, commands, run
from accelbench.config import select
from accelbench.errors import InputError
from accelbench.kernels import catalog
from accelbench.measure import plan
from accelbench.store import files, formats
from accelbench.store.journal import Journal

pytestmark = pytest.mark.usefixtures("devices_looked_for_once")
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
PROTOCOL = {"processes": 1, "budget_s": 0.01, "min_samples": 5, "passes": 1, "sample_s": 0.0005}


class Place:
    """A folder with a kernel `twice`, a configuration own.yaml, and what is done with them."""

    def __init__(self, folder):
        self.folder, self.own = folder, folder / "own.yaml"
        self.kernel = folder / "kernels" / "twice"
        self.kernel.mkdir(parents=True)
        self.write({"kernel.py": KERNEL, "numpy_ufunc.py": DOC + RUN})
        self.configure({})

    def write(self, texts):
        """Write files of the kernel's folder; None removes one."""
        for name, text in texts.items():
            path = self.kernel / name
            if text is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text if isinstance(text, bytes) else text.encode())
        catalog._load.cache_clear()

    def configure(self, keys):
        given = {"kernels_path": [str(self.folder / "kernels")], "limits": False, "preset": "smoke"}
        self.own.write_text(yaml.safe_dump({**given, "protocol": PROTOCOL, **keys}))

    def plan(self):
        kernels, unusable = select.plan(config.read(self.own), self.own)
        for problem in unusable.values():
            raise problem
        return kernels

    def invoke(self, command, *arguments):
        """The finished command, which must not have ended with anything but a message."""
        where = ["--results", self.folder / "results"]
        if command != "tables":
            where += ["--configfile", self.own]
        if command == "report":
            where += ["--reports", self.folder / "reports"]
        result = CliRunner().invoke(commands.app, [str(word) for word in (command, *arguments, *where)])
        assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
        return result

    def refusal(self, command, *arguments):
        result = self.invoke(command, *arguments)
        assert result.exit_code == 2, result.output
        assert result.stderr.startswith("error: ")
        assert result.stderr.count("\n") == 1
        return result.stderr

    def sweep(self):
        """Everything up to the tables."""
        for command in (["machine"], ["build", "twice"], ["measure", "twice"], ["tables"]):
            result = self.invoke(*command)
            assert result.exit_code == 0, result.output

    def file(self, name):
        return self.folder / "results" / "local" / name

    def outcomes(self):
        lines = self.file("timings/twice.jsonl").read_text().splitlines()
        return {(r["implementation"], r["dtype"], r["size"]): r for r in map(json.loads, lines)}


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """A folder in which everything up to the tables has been made; tests work on copies of it."""
    place = Place(tmp_path_factory.mktemp("measured"))
    place.write(IN_C)
    place.sweep()
    return place


@pytest.fixture
def results(place, measured):
    """A place whose results are a copy of `measured`'s, kernel and all."""
    place.write(IN_C)
    shutil.copytree(measured.folder / "results", place.folder / "results")
    return place


def run_command(*words, cwd, workflow=project.ROOT, **options):
    """A finished process, started as from a shell in the folder `cwd`."""
    environment = {**os.environ, "PYTHONPATH": str(workflow / "workflow")}
    command = [sys.executable, "-m", *map(str, words)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300, env=environment, **options)


# The message itself


def test_a_message_is_no_longer_than_a_person_reads():
    error = InputError("kernel.py", "blah \ud800" * 1_000_000, "Correct it")
    assert str(error).startswith("kernel.py: blah \\ud800")
    assert str(error).endswith(". Correct it")
    assert len(str(error)) < 1100


def test_a_message_is_one_line_that_a_terminal_shows_as_it_is():
    error = InputError("a\nb", "red \x1b[31m, backwards \u202e, lost \udcff", "Do\n   this")
    assert str(error) == "a b: red \\x1b[31m, backwards \\u202e, lost \\udcff. Do this"
    assert errors.one_line("ä – µ") == "ä – µ"


# The configuration


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("processes: 3", "unknown key 'processes'. Keys here: "),
        ("protocol: {nope: 1}", "unknown key 'protocol.nope'. Keys here: budget_s, "),
        ("kernels: {twice: {size: [1]}}", "unknown key 'kernels.twice.size'. Keys here: block_sizes, "),
        ("machines: {local: {host: x}}", "unknown key 'machines.local.host'. Keys here: constraint, cores, gpu"),
        ("1: 2", "[1]: is no key"),
        # numbers that are none
        ("protocol: {budget_s: .nan}", "protocol.budget_s: must be a finite number (given: nan)"),
        ("protocol: {budget_s: .inf}", "protocol.budget_s"),
        ("protocol: {timeout_s: 1e30}", "protocol.timeout_s: must be less than or equal to 86400"),
        ("protocol: {budget_s: true}", "protocol.budget_s: must be a number (given: True)"),
        ("protocol: {budget_s: long}", "protocol.budget_s: must be a number (given: 'long')"),
        ("protocol: {processes: true}", "protocol.processes: must be a whole number (given: True)"),
        ("protocol: {processes: 0}", "protocol.processes: must be greater than 0"),
        ("protocol: {processes: '3'}", "protocol.processes: must be a whole number (given: '3')"),
        ("protocol: {min_samples: 100000000000}", "protocol.min_samples"),
        ("protocol: {precision_host: .nan}", "protocol.precision_host"),
        ("protocol: {memory_fraction: true}", "protocol.memory_fraction: must be a number (given: True)"),
        ("protocol: {timeout_s: 1e-320}", "protocol.timeout_s: must be greater than or equal to 0.1 (given: 1e-320)"),
        ("protocol: {precision_host: 1e-300}", "protocol.precision_host: must be greater than or equal to 0.000001"),
        ("protocol: {processes: 2147483647}", "protocol.processes: must be less than or equal to 1000"),
        ("protocol: {budget_s: 1:30.5}", "protocol.budget_s: must be a number (given: '1:30.5')"),
        ("protocol: {seed: -1}", "protocol.seed"),
        ("protocol: {seed: 1.0}", "protocol.seed: must be a whole number"),
        ("protocol: {seed: 99999999999999999999}", "protocol.seed"),
        ("protocol: {cache: warm}", "protocol.cache: must be 'hot' or 'cold' (given: 'warm')"),
        ("protocol: 3", "protocol: must be a mapping"),
        ("limits: 1", "limits: 1 is neither true nor false"),
        # sizes
        ("kernels: {twice: {sizes: [-1]}}", "kernels.twice.sizes[0]: must be greater than or equal to 0"),
        ("kernels: {twice: {sizes: [many]}}", "kernels.twice.sizes[0]: must be a whole number (given: 'many')"),
        ("kernels: {twice: {sizes: [1, '5']}}", "kernels.twice.sizes[1]: must be a whole number (given: '5')"),
        ("kernels: {twice: {sizes: [5.0]}}", "kernels.twice.sizes[0]"),
        ("kernels: {twice: {sizes: [1e3]}}", "kernels.twice.sizes[0]: must be a whole number (given: 1000.0)"),
        ("kernels: {twice: {sizes: [true]}}", "kernels.twice.sizes[0]"),
        ("kernels: {twice: {sizes: [.nan]}}", "kernels.twice.sizes[0]"),
        ("kernels: {twice: {sizes: [9223372036854775808]}}", "kernels.twice.sizes[0]: must be less than"),
        ("kernels: {twice: {sizes: []}}", "kernels.twice.sizes: is empty"),
        ("kernels: {twice: {sizes: 5}}", "kernels.twice.sizes: must be a list"),
        ("sizes: [1:30]", "sizes[0]: must be a whole number (given: '1:30')"),
        ("sizes: [010]", "sizes[0]: must be a whole number (given: '010')"),
        (f"sizes: [{'1, ' * 2000}]", "sizes: has more than 1000 entries"),
        ("sizes: [-1]", "sizes[0]: must be greater than or equal to 0"),
        # other lists
        ("kernels: {}", "kernels: is empty"),
        ("kernels: []", "kernels: is empty"),
        ("threads: []", "threads: is empty"),
        ("threads: [0]", "threads[0]: 0 is no number of threads"),
        ("threads: [ALL]", "threads[0]: 'ALL' is no number of threads"),
        (
            "threads: [2147483647]",
            "threads[0]: 2147483647 is no number of threads: write a whole number from 1 to",
        ),
        ("threads: [true]", "threads[0]: True is no number of threads"),
        ("threads: [2.0]", "threads[0]"),
        ("threads: [100000000000000000000]", "threads[0]"),
        ("threads: all", "threads: must be a list"),
        ("block_sizes: [0]", "block_sizes[0]: 0 is no block size"),
        ("block_sizes: [-64]", "block_sizes[0]"),
        ("block_sizes: [1e999]", "block_sizes[0]"),
        ("block_sizes: ['٣']", "block_sizes[0]"),
        ("block_sizes: [16x16]", "block_sizes: 16x16 has two dimensions"),
        ("block_sizes_2d: [16x16x16]", "block_sizes_2d[0]"),
        ("kernels: {twice: {block_sizes: [16x16]}}", "kernels.twice.block_sizes: 16x16 has two dimensions"),
        ("block_sizes_cpu: [16x16]", "block_sizes_cpu: 16x16 has two dimensions"),
        ("device: -1", "device: -1 is no GPU"),
        ("device: true", "device: True is no GPU"),
        ("device: ALL", "device: 'ALL' is no GPU"),
        # names that match nothing, or that no folder can have
        ("preset: Default", "preset: must be 'smoke', 'default' or 'lecture' (given: 'Default')"),
        ("kernels: [nope]", "kernels: no kernel 'nope'. Kernels here: twice"),
        ("kernels: ['../twice']", "'../twice' is not a kernel name"),
        ("kernels: ['a;rm -rf b']", "is not a kernel name"),
        ("kernels: [twicé]", "is not a kernel name"),
        ("kernels: [[twice]]", "is not a kernel name"),
        ("kernels: [{twice: {}}]", "settings of its own go into a mapping"),
        ("kernels: [1]", "1 is not a kernel name"),
        ("kernels: twice", "kernels: must be a mapping"),
        ("kernels: {twice: smoke}", "kernels.twice: must be a mapping"),
        ("kernels: {twice: false}", "kernels.twice: must be a mapping"),
        ("implementations: [fortran_*]", "implementations: 'fortran_*' matches none"),
        ("implementations: ['']", "implementations[0]: is empty text"),
        ("kernels: {twice: {implementations: [nope]}}", "'nope' matches none. It has: numpy_ufunc"),
        ("backends: [fortran]", "backends: no backend 'fortran'; there are "),
        ("dtypes: [float65]", "dtypes: no kernel has 'float65'"),
        ("dtypes: float64", "dtypes: must be a list"),
        ("kernels: {twice: {dtypes: [float16]}}", "'float16' is not one of its dtypes. It has: float64, float32"),
        ("machines: {'../x': {}}", "machines: '../x' is no machine's name"),
        ("machines: {'a$(b)': {}}", "machines: 'a$(b)' is no machine's name"),
        ("machines: {examples: {}}", "reports/examples holds something else"),
        (f"machines: {{{'a' * 65}: {{}}}}", "is no machine's name"),
        ("machines: [local]", "machines: must be a mapping"),
        ("build: {cc: 'gcc; rm'}", "build.cc: holds characters that cannot stand there"),
        ("build: {cc: -x}", "build.cc: holds characters that cannot stand there (given: '-x')"),
        ("build: {cflags: -O3}", "build.cflags: must be a list"),
        ('build: {cflags: ["\\0"]}', "build.cflags[0]"),
        ("build: {cuda_architectures: [90]}", "build.cuda_architectures[0]: must be text"),
        # the kernel's own numbers
        ("kernels: {twice: {options: {m: 3}}}", "kernels.twice.options: no option 'm'. It has: factor"),
        ("kernels: {twice: {options: {factor: []}}}", "kernels.twice.options.factor: is empty"),
        ("kernels: {twice: {options: {factor: true}}}", "kernels.twice.options.factor[0]: True is no finite number"),
        ("kernels: {twice: {options: {factor: .nan}}}", "kernels.twice.options.factor[0]: nan is no finite number"),
        ("kernels: {twice: {options: {factor: '3'}}}", "kernels.twice.options.factor[0]: '3' is no finite number"),
        ("kernels: {twice: {options: {factor: 2.5}}}", "kernels.twice.options.factor: 2.5 is no whole number"),
        ("kernels: {twice: {options: {factor: 0}}}", "kernels.twice.options.factor: 0 does not work: inputs fails"),
        # files that are something else
        ("a: [", "own.yaml:"),
        ("a: 1\na: 2", "own.yaml:3: is not YAML: 'a' is there twice"),
        ("protocol: {seed: 1, seed: 2}", "own.yaml:2: is not YAML: 'seed' is there twice"),
        ("preset: 2001-99-99", "is not YAML: month must be in 1..12"),
        ("preset: !custom smoke", "is not YAML"),
        ("preset: " + "[" * 5000, "own.yaml:2: is not YAML: it is nested more than 50 deep"),
        ("a: &a [*a]", "own.yaml:1: is not YAML: with its aliases written out it has more than 50000 values"),
        ("x: " * 50_000, "own.yaml: is longer than 100000 bytes"),
    ],
)
def test_configuration(place, text, told):
    path = "" if "kernels_path" in text else f"kernels_path: [{str(place.folder / 'kernels')!r}]\n"
    place.own.write_text(path + text)
    with pytest.raises(InputError) as caught:
        place.plan()
    assert told in str(caught.value)
    assert "own.yaml" in caught.value.where
    assert len(caught.value.remedy) > 10
    assert "\n" not in str(caught.value)


def test_fuzzed_configurations_are_each_accepted_or_one_message_at_once():
    counts = configurations.run(seed=20230308, count=150)
    wrong = {name: number for name, number in counts.items() if number and name != "configurations"}
    assert (counts["configurations"], wrong) == (150, {})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"- a", "is a list, not a mapping"),
        (b"42", "is a int, not a mapping"),
        (b"just text", "is a str, not a mapping"),
        (b"", "is empty. Write {} into it"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"\0", "is not YAML"),
        (b'!!python/object/apply:os.system ["true"]', "is not YAML"),
        (None, "cannot be read: No such file"),
    ],
)
def test_configuration_file_that_is_none(place, text, told):
    if text is None:
        place.own.unlink()
    else:
        place.own.write_bytes(text)
    for command in ("list", "run"):
        where = ["--configfile", place.own]
        result = CliRunner().invoke(commands.app, [command, *map(str, where)])
        assert result.exit_code == 2
        assert told in result.stderr
        assert str(place.own) in result.stderr


@pytest.mark.parametrize("path", ["/nowhere", "/etc/passwd", "~/no such folder", "../../nowhere"])
def test_kernels_path_that_is_no_folder(place, path):
    place.configure({"kernels_path": [path]})
    with pytest.raises(InputError, match=r"own\.yaml: kernels_path: there is no folder .*Create it, or correct"):
        place.plan()


def test_kernels_path_in_the_home_folder(place, monkeypatch):
    monkeypatch.setenv("HOME", str(place.folder))
    place.configure({"kernels_path": ["~/kernels"]})
    assert list(place.plan()) == ["twice"]


def test_a_section_without_keys_is_an_empty_one():
    assert config.parse({"protocol": None, "build": None, "machines": {"local": None}}) == config.Config()
    assert config.parse({"kernels": {"twice": None}}) == config.parse({"kernels": ["twice"]})


def test_what_is_given_twice_is_measured_once(place):
    sweep = {"sizes": [5, 5], "dtypes": ["float64"] * 2, "options": {"factor": [2, 2]}, "block_sizes": [64, "64"]}
    place.configure({"kernels": {"twice": sweep}, "threads": [1, 1]})
    given = config.read(place.own)
    assert given.threads == (1,)
    assert given.sweep("twice").model_dump(exclude={"implementations"}) == {
        "sizes": (5,),
        "dtypes": ("float64",),
        "options": {"factor": (2,)},
        "block_sizes": (64,),
    }


def test_every_command_checks_the_names_it_is_given(place):
    place.configure({"implementations": ["fortran_*"]})
    assert "matches none" in place.refusal("measure", "twice")
    assert not (place.folder / "results").exists()


# kernel.py


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (KERNEL, "", "KERNEL = Kernel(...) is missing"),
        (KERNEL, "def (", "kernel.py:1: syntax error: "),
        (KERNEL, "a\0b", "cannot contain null bytes"),
        (KERNEL, "raise SystemExit(3)", "kernel.py:1: importing it failed: SystemExit: 3"),
        (KERNEL, "import no_such_module", "kernel.py:1: importing it failed: ModuleNotFoundError"),
        (KERNEL, "raise ValueError('a\\nb')", "ValueError: a b"),
        ("title=", "titel=", "unexpected keyword argument 'titel'"),
        ('title="Twice"', "title=3", "title = 3"),
        ("smoke=(100,), ", "", "sizes for each of smoke, default, lecture"),
        ("smoke=(100,)", "smoke=100", "sizes['smoke'] = 100"),
        ("smoke=(100,)", "smoke=(True,)", "sizes['smoke'] = (True,)"),
        ("smoke=(100,)", "smoke=(1e3,)", "sizes['smoke'] = (1000.0,)"),
        ("smoke=(100,)", "smoke=()", "sizes['smoke'] = ()"),
        ("smoke=(100,)", "smoke=(10**30,)", "sizes['smoke']"),
        ('("float64", "float32")', '"float64"', "dtypes = 'float64'"),
        ('("float64", "float32")', "()", "dtypes = ()"),
        ('("float64", "float32")', '("float65",)', "'float65' is no numeric dtype's name"),
        ('("float64", "float32")', '("double",)', "Write 'float64'"),
        ('("float64", "float32")', "(np.float64,)", "is no numeric dtype's name"),
        ('("float64", "float32")', '("object",)', "'object' is no numeric dtype's name"),
        ('("float64", "float32")', '("float64",) * 2', "dtypes = ('float64', 'float64')"),
        ('baseline="numpy_ufunc"', 'baseline="numpy_nope"', "'numpy_nope' is not in this folder"),
        ('options={"factor": 2}', 'options={"factor": True}', "options['factor'] = True"),
        ('options={"factor": 2}', 'options={"factor": float("nan")}', "options['factor'] = nan"),
        ('options={"factor": 2}', "options={3: 2}", "options[3] = 2"),
        ('options={"factor": 2}', 'options=["factor"]', "options = ['factor']"),
        ('options={"factor": 2}', 'options={"factor": 2, "x": 1}', "'x' is an input and an option"),
        ('options={"factor": 2}', 'options={"factor": 2, "size": 1}', "an option is called 'size'"),
        ('options={"factor": 2}', 'options={"factor": 2}, block_dimensions=3', "block_dimensions = 3"),
        ('options={"factor": 2}', 'options={"factor": 2}, check_sizes=(-1,)', "check_sizes = (-1,)"),
        ('options={"factor": 2}', 'options={"factor": 2}, location="moon"', "location = 'moon'"),
        ('options={"factor": 2}', 'options={"factor": 2}, lectures="x"', "lectures = 'x'"),
        ("def flops(size)", "def flosp(size)", "the function flops is missing"),
        ("def flops(size): return size", "flops = int", "flops is no plain function"),
        ("inputs(size, dtype, rng, factor)", "inputs(size, dtype, rng, factro)", "inputs asks for 'factro'"),
        ("inputs(size, dtype, rng, factor)", "inputs(*numbers)", "inputs asks for 'numbers'"),
        ("reference(x, factor)", "reference(z)", "reference asks for 'z'. It can ask for: dtype, factor, size, x"),
        ("def tolerance()", "def tolerance(z)", "tolerance asks for 'z'"),
        ('return {"x": ', "return 1 / 0 #", "kernel.py:9: inputs fails for size=2, dtype='float64', factor=2: Zero"),
        ('return {"x": ', "return [1] #", "inputs returned the list [1], not a dictionary"),
        ('return {"x": ', 'return {"x": [1.0, 2.0]} #', "inputs returned the list [1.0, 2.0] as 'x'"),
        ('return {"x": ', 'return {"x": np.array([None])} #', "as 'x'"),
        ('return {"x": ', "return {3: np.zeros(2)} #", "inputs names 3"),
        ('(Output("y", (size,), dtype),)', '(("y", (size,), dtype),)', "outputs returned the tuple (('y', "),
        ('(Output("y", (size,), dtype),)', "()", "outputs returned the tuple ()"),
        ('(Output("y", (size,), dtype),)', "None", "outputs returned the NoneType None"),
        ('Output("y", (size,), dtype)', 'Output("y", size, dtype)', "the output 'y' has the shape 2"),
        ('Output("y", (size,), dtype)', 'Output("y", (-1,), dtype)', "the output 'y' has the shape (-1,)"),
        ('Output("y", (size,), dtype)', 'Output("y", (size,), "int37")', "'int37' is no numeric dtype's name"),
        ('Output("y", (size,), dtype)', 'Output("x", (size,), dtype)', "'x' is an input and an output"),
        ('Output("y", (size,), dtype)', 'Output("y", (size,), dtype, inout=True)', "the output 'y' is inout, but"),
        ("return factor * x", "return x[:1]", "reference returned the shape (1,) for 'y', whose shape is (2,)"),
        ("return factor * x", "return None", "reference returned the NoneType None for 'y'"),
        ("return factor * x", "return x, x", "reference returned 2 results for 1 outputs"),
        ("return factor * x", 'raise ValueError("no")', "kernel.py:11: reference fails for size=2"),
        ("tolerance(): return 0", "tolerance(): return -1", "tolerance returned -1 for 'y'"),
        ("tolerance(): return 0", 'tolerance(): return float("nan")', "tolerance returned nan for 'y'"),
        ("tolerance(): return 0", 'tolerance(): return float("inf")', "tolerance returned inf for 'y'"),
        ("tolerance(): return 0", "tolerance(): return np.zeros(7)", "tolerance returned the shape (7,)"),
        ("tolerance(): return 0", "tolerance(): return None", "tolerance returned the NoneType None"),
        ("tolerance(): return 0", "tolerance(): return 0, 0", "tolerance returned 2 bounds for 1 outputs"),
        ("return size * itemsize, size * itemsize", "return size", "bytes_moved returned the int 2"),
        ("return size * itemsize, size * itemsize", "return -1, 0", "bytes_moved returned the int -1"),
        ("flops(size): return size", 'flops(size): return float("nan")', "flops returned the float nan"),
        ("flops(size): return size", "flops(size): return 10**400", "flops returned a int"),
        ("def flops", "def bytes_held(size): return -8\ndef flops", "bytes_held returned the int -8"),
        ("def flops", "def bytes_held(x): return x.nbytes\ndef flops", "bytes_held"),
    ],
)
def test_specification(place, old, new, told):
    assert old in KERNEL
    place.write({"kernel.py": KERNEL.replace(old, new)})
    with pytest.raises(InputError) as caught:
        place.plan()
    assert told in str(caught.value)
    assert str(place.kernel / "kernel.py") in caught.value.where
    assert len(caught.value.remedy) > 8


def test_specification_of_unreadable_text(place):
    for text, told in [(b'"""\xff"""\n', "is not UTF-8 text at byte 3"), (b"\xef\xbb\xbf", "byte-order mark")]:
        place.write({"kernel.py": text + KERNEL.encode()})
        with pytest.raises(InputError, match=told):
            place.plan()


def test_a_specification_that_fails_at_one_size_only_says_which(place):
    limit = 'if size > 1000: raise ValueError("too many")\n    '
    head = "def inputs(size, dtype, rng, factor): "
    place.write({"kernel.py": KERNEL.replace(head, f"{head}\n    {limit}")})
    folder = place.plan()["twice"].kernel
    with pytest.raises(
        InputError, match=r"inputs fails for size=2000, dtype='float64', factor=2: ValueError: too many"
    ):
        folder.inputs(2000, "float64", None, {"factor": 2})


# Implementations


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        ({"kernel.py": None}, "no kernel.py in this kernel folder"),
        ({"numpy_ufunc.py": None}, "the baseline 'numpy_ufunc' is not in this folder"),
        ({"numpy_x.py": "def ("}, "numpy_x.py:1: syntax error"),
        ({"numpy_x.py": "a\0b"}, "cannot contain null bytes"),
        ({"numpy_x.py": DOC + "-" * 100_000 + "1\n" + RUN}, "numpy_x.py: cannot be parsed"),
        ({"numpy_x.py": ""}, "defines neither `run` nor `prepare`"),
        ({"numpy_x.py": b'"""\xff"""\n' + RUN.encode()}, "is not UTF-8 text at byte 3"),
        ({"numpy_x.py": b"\xef\xbb\xbf" + RUN.encode()}, "begins with a byte-order mark"),
        ({"fortran_x.py": RUN}, "begins with no backend"),
        ({"numpy.py": RUN}, "the name is a backend's alone"),
        ({"numpy_.py": RUN}, "the name is a backend's alone"),
        ({"Numpy-x.py": RUN}, "not an implementation name"),
        ({"numpy_é.py": RUN}, "not an implementation name"),
        ({"numpy_x\n.py": RUN}, "not an implementation name"),
        ({"cython_x.py": RUN}, "cython and .py do not go together"),
        ({"numpy_x.pyx": RUN}, "numpy and .pyx do not go together"),
        ({"cython_x.pyx": "cdef int a\n"}, "defines neither `run` nor `prepare`"),
        ({"cython_x.pyx": "FLAGS = (\nimport x\n" + RUN}, "cython_x.pyx:1: syntax error"),
        ({"cython_x.pyx": 'import x\nFLAGS = ("-O1",)\n' + RUN}, "cython_x.pyx:2: FLAGS stands too late"),
        ({"numpy_x.py": 'PARAMETERS = ("block_size")\n' + RUN}, "numpy_x.py:1: PARAMETERS is a str"),
        ({"numpy_x.py": 'PARAMETERS = tuple("a")\n' + RUN}, "PARAMETERS is not a literal"),
        ({"numpy_x.py": "PARAMETERS = {[]: 1}\n" + RUN}, "PARAMETERS is not a literal"),
        ({"numpy_x.py": "PARAMETERS += (1,)\n" + RUN}, "PARAMETERS is not a literal"),
        ({"numpy_x.py": 'PARAMETERS = ("unroll",)\n' + RUN}, "'unroll', and nothing says which values it takes"),
        ({"numpy_x.py": 'PARAMETERS: tuple = ("unroll",)\n' + RUN}, "nothing says which values it takes"),
        ({"numpy_x.py": 'PARAMETERS = {"unroll": ()}\n' + RUN}, "PARAMETERS['unroll'] = ()"),
        ({"numpy_x.py": 'PARAMETERS = {"unroll": (1, 1)}\n' + RUN}, "PARAMETERS['unroll'] = (1, 1)"),
        ({"numpy_x.py": 'PARAMETERS = {"unroll": ("a; rm",)}\n' + RUN}, "PARAMETERS['unroll'] has the value 'a; rm'"),
        ({"numpy_x.py": 'PARAMETERS = {"unroll": (1e999,)}\n' + RUN}, "has the value inf"),
        ({"numpy_x.py": 'PARAMETERS = {"block_size": (0,)}\n' + RUN}, "PARAMETERS['block_size'] has the value 0"),
        ({"numpy_x.py": 'PARAMETERS = {"threads": (1,)}\n' + RUN}, "Thread counts come from the configuration"),
        ({"numpy_x.py": 'PARAMETERS = {"size": (1,)}\n' + RUN}, "PARAMETERS names 'size'"),
        ({"numpy_x.py": 'PARAMETERS = {"a/b": (1,)}\n' + RUN}, "PARAMETERS names 'a/b'"),
        ({"numpy_x.py": "PARAMETERS = (3,)\n" + RUN}, "PARAMETERS = (3,)"),
        ({"numpy_x.py": 'SOURCES = ("a.c",)\n' + RUN, "a.c": "int a;"}, "nothing is built for numpy"),
        ({"numpy_x.py": 'VARIANTS = {"fast": ("-O3",)}\n' + RUN}, "FLAGS or VARIANTS, but nothing is built"),
        ({"ctypes_x.py": 'SOURCES = "a.c"\n' + RUN}, "SOURCES is a str"),
        ({"ctypes_x.py": 'SOURCES = ("a.c",)\n' + RUN}, "SOURCES names 'a.c', which is no file beside it"),
        ({"ctypes_x.py": 'SOURCES = ("../twice/a.c",)\n' + RUN}, "which is no file beside it"),
        ({"ctypes_x.py": 'SOURCES = ("/etc/passwd",)\n' + RUN}, "which is no file beside it"),
        ({"ctypes_x.py": 'SOURCES = ("-x.c",)\n' + RUN, "-x.c": "int a;"}, "SOURCES names '-x.c'"),
        ({"ctypes_x.py": 'SOURCES = ("a",)\n' + RUN, "a/b": ""}, "SOURCES names 'a'"),
        ({"ctypes_x.py": 'SOURCES = ("a.c", "a.c")\n' + RUN, "a.c": "int a;"}, "names a file twice"),
        ({"ctypes_x.py": 'SOURCES = ("a.c",)\n' + RUN, "a.c": b"/* \xff */"}, "a.c: is not UTF-8 text"),
        ({"ctypes_x.py": 'SOURCES = ("a.c",)\nFLAGS = "-O3"\n' + RUN, "a.c": ""}, "ctypes_x.py:2: FLAGS is a str"),
        ({"ctypes_x.py": 'SOURCES = ("a.c",)\nFLAGS = (3,)\n' + RUN, "a.c": ""}, "FLAGS = (3,)"),
        ({"ctypes_x.py": 'SOURCES = ("a.c",)\nVARIANTS = {"b": "-O3"}\n' + RUN, "a.c": ""}, "VARIANTS['b'] = '-O3'"),
        ({"ctypes_x.py": 'SOURCES = ("a.c",)\nVARIANTS = {3: ()}\n' + RUN, "a.c": ""}, "VARIANTS names 3"),
        (
            {"ctypes_x.py": 'SOURCES = ("a.c",)\nVARIANTS = {"y": ()}\n' + RUN, "ctypes_x_y.py": RUN, "a.c": ""},
            "'ctypes_x_y' is in ctypes_x.py too",
        ),
        ({"ctypes_x.py": 'SOURCES = ("a.c",)\nTOOLCHAIN = "make"\n' + RUN, "a.c": ""}, "TOOLCHAIN = 'make'"),
    ],
)
def test_implementation(place, texts, told):
    place.write(texts)
    with pytest.raises(InputError) as caught:
        place.plan()
    assert told in str(caught.value)
    assert str(place.kernel) in caught.value.where
    assert len(caught.value.remedy) > 8


@pytest.mark.parametrize("head", ["", '""""""\n', '"""   \n   """\n'])
def test_an_implementation_without_words_is_called_by_its_name(place, head):
    place.write({"numpy_x.py": head + RUN})
    assert place.plan()["twice"].implementations["numpy_x"].title == "numpy_x"


def test_an_implementations_words_cannot_command_a_terminal(place):
    place.write({"numpy_x.py": '"""Red \\x1b[31m."""\n' + RUN})
    assert place.plan()["twice"].implementations["numpy_x"].title == "Red \\x1b[31m."


def test_constants_of_a_pyx_are_found_behind_a_docstring_that_speaks_of_imports(place):
    text = '"""Doubling\n\nimport is a word here.\nfrom here on, too.\n"""\n\nFLAGS = ("-O1",)\n\nimport cython\n\n'
    place.write({"cython_x.pyx": text + "def run(double[:] x, double[:] y):\n    pass\n"})
    assert place.plan()["twice"].implementations["cython_x"].flags == ("-O1",)


def test_a_dangling_link_is_an_unreadable_file(place):
    (place.kernel / "numpy_x.py").symlink_to("/nowhere")
    with pytest.raises(InputError, match=r"numpy_x\.py: cannot be read: No such file"):
        place.plan()


def test_flags_never_reach_a_shell(place):
    flags = "; touch pwned", "$(touch pwned)", "`touch pwned`"
    place.write({**IN_C, "ctypes_c.py": f"FLAGS = {flags!r}\n" + IN_C["ctypes_c.py"].replace('"""In C."""', "")})
    for command in (["machine"], ["build", "twice"]):
        assert place.invoke(*command).exit_code == 0
    (artifact,) = formats.read(formats.Manifest, place.file("build/twice/c.json"), "")["artifacts"]
    assert artifact["outcome"] == "build_failed"
    assert "touch pwned" in artifact["log"]
    assert not list(place.folder.rglob("pwned"))


# What cannot be run is an outcome


def test_no_compiler_is_an_outcome_with_a_remedy(results):
    results.configure({"build": {"cc": "no-such-compiler"}})
    built = results.invoke("build", "twice")
    assert built.exit_code == 0
    assert "twice/ctypes_c: twice.c was not built" in built.stderr
    assert results.invoke("measure", "twice").exit_code == 0
    found = results.outcomes()
    assert found["ctypes_c", "float64", 100]["outcome"] == "build_failed"
    assert "no-such-compiler not found: install" in found["ctypes_c", "float64", 100]["reason"]
    assert "set build.cc" in found["ctypes_c", "float64", 100]["reason"]
    assert found["numpy_ufunc", "float64", 100]["outcome"] == "ok"


def test_a_pyx_with_a_syntax_error_is_an_outcome(place):
    place.write({"cython_x.pyx": DOC + "import cython\n\ndef run(double[:] x, double[:] y:\n    cdef\n"})
    assert place.invoke("machine").exit_code == 0
    assert "cython_x.pyx was not built" in place.invoke("build", "twice", "cython").stderr
    manifest = formats.read(formats.Manifest, place.file("build/twice/cython.json"), "")
    assert "cython_x.pyx:5" in manifest["artifacts"][0]["log"]


def test_sizes_beyond_all_memory_are_an_outcome_and_take_no_time(results):
    sizes = [100, 3_000_000_000_000, 2**63 - 1]
    results.configure({"kernels": {"twice": {"sizes": sizes}}, "threads": [1, 65_536]})
    begin = time.perf_counter()
    assert results.invoke("measure", "twice").exit_code == 0
    assert time.perf_counter() - begin < 60
    found = results.outcomes()
    assert {size for _, _, size in found} == set(sizes)
    assert found["numpy_ufunc", "float64", 100]["outcome"] == "ok"
    for size in sizes[1:]:
        assert found["numpy_ufunc", "float64", size]["outcome"] == "out_of_memory"
        assert "GB" in found["numpy_ufunc", "float64", size]["reason"]
    assert results.invoke("tables").exit_code == 0


# Result files


def damaged(whole):
    """{name: bytes} of a JSON file that was cut, swapped or edited."""
    data = json.loads(whole)
    found = {
        "cut": whole[: len(whole) // 2],
        "empty": b"",
        "binary": bytes(range(256)),
        "deep": b"[" * 100_000,
        "a list": b"[]",
        "a number": b"3",
        "another version": json.dumps({**data, "schema_version": 2}).encode(),
        "no version": json.dumps({k: v for k, v in data.items() if k != "schema_version"}).encode(),
    }
    for key in data:
        if key != "left_out":  # cards of before it was counted have none
            found[f"no {key}"] = json.dumps({k: v for k, v in data.items() if k != key}).encode()
        found[f"odd {key}"] = json.dumps({**data, key: {"odd": [None]}}).encode()
    return found


@pytest.mark.parametrize(
    ("name", "commands"),
    [
        ("machine.json", [["build", "twice"], ["measure", "twice"], ["tables"], ["report"], ["list"]]),
        ("build/twice/c.json", [["measure", "twice"]]),
        ("kernels/twice.json", [["tables"], ["report"]]),
    ],
)
def test_damaged_description(results, name, commands):
    path = results.file(name)
    for what, text in damaged(path.read_bytes()).items():
        path.write_bytes(text)
        for command in commands:
            message = results.refusal(*command)
            assert str(path) in message, (what, message)
            assert "Delete it and run" in message, (what, message)


def test_a_description_that_knows_nothing_of_a_backend(results):
    path = results.file("machine.json")
    described = files.read_json(path)
    del described["backends"]["ctypes"]
    files.write_json(path, described)
    assert "says nothing of the backend 'ctypes'" in results.refusal("measure", "twice")


@pytest.mark.parametrize("what", ["cut", "empty", "binary", "deep", "a list", "no recipe", "odd recipe", "no path"])
def test_a_damaged_mark_of_a_complete_build_is_a_build_again(results, what):
    (mark,) = results.file("build/twice/c").glob("*/complete.json")
    whole = mark.read_bytes()
    mark.write_bytes(damaged(whole)[what])
    assert results.invoke("build", "twice").exit_code == 0
    assert json.loads(mark.read_bytes())["path"] == json.loads(whole)["path"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (lambda line: line[: len(line) // 2], "is not a complete JSON object"),
        (lambda line: b"\xff\x00", "is not a complete JSON object"),
        (lambda line: b"[" * 100_000, "is not a complete JSON object"),
        (lambda line: b"3", "is not a complete JSON object"),
        (lambda line: line.replace(b'"schema_version":1', b'"schema_version":2'), "has schema_version 2, not 1"),
        (lambda line: line.replace(b'"outcome":"ok"', b'"outcome":"fine"'), "outcome: "),
        (lambda line: line.replace(b'"size":100', b'"size":1' + b"0" * 30), "size: 1000"),
        (lambda line: line.replace(b'"factor":2', b'"factor":NaN'), "options.factor"),
        (lambda line: line.replace(b'"device":"cpu"', b'"device":null'), "device: none, but the outcome is ok"),
        (lambda line: line.replace(b'"samples_s":[[', b'"samples_s":[[-1.0,'), "has a sample that is no time"),
        (lambda line: line + b"\n" + line, "repeats the case"),
    ],
)
def test_damaged_timings(results, line, told):
    path = results.file("timings/twice.jsonl")
    first, *rest = path.read_bytes().splitlines()
    assert line(first) != first
    path.write_bytes(b"\n".join([*rest, line(first)]))
    tables = {file: file.read_bytes() for file in results.file("tables").iterdir()}
    message = results.refusal("tables")
    assert told in message
    assert f"{path}:{len(rest) + 1}" in message
    assert {file: file.read_bytes() for file in results.file("tables").iterdir()} == tables


def test_timings_without_a_line(results):
    results.file("timings/twice.jsonl").write_bytes(b"")
    assert "twice.jsonl: is empty" in results.refusal("tables")


@pytest.mark.parametrize("table", ["timings", "best", "winners", "outcomes"])
def test_cut_table(results, table):
    path = results.file(f"tables/{table}.csv")
    whole = path.read_bytes()
    for text in (whole[: len(whole) // 2], b"", bytes(range(256)), whole.replace(b"kernel,", b"", 1)):
        path.write_bytes(text)
        message = results.refusal("report")
        assert str(path) in message
        _, remedy = message.split("Make the tables again: python -m accelbench ")
        result = CliRunner().invoke(commands.app, shlex.split(remedy))
        assert result.exit_code == 0, result.output
        assert path.read_bytes() == whole


@pytest.fixture
def no_start(monkeypatch):
    """Nothing may be started."""
    monkeypatch.setattr(run, "_clear_dead_lock", lambda directory: pytest.fail("Snakemake would have been started"))


def refused_run(place, *words):
    """The one line with which `run` ends before it has started anything or touched a result."""
    kept = {path: path.read_bytes() for path in place.folder.glob("results/**/*.*") if path.is_file()}
    words = ["run", *words, "--configfile", place.own, "--directory", place.folder, "--cores", "1"]
    result = CliRunner().invoke(commands.app, [str(word) for word in words])
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert kept == {path: path.read_bytes() for path in kept}
    return result.stderr


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("machine.json", "Delete it and run again as before"),
        ("kernels/twice.json", "Delete it and run again as before"),
        ("timings/twice.jsonl", "Delete it and run again as before"),
        ("tables/winners.csv", "Make the tables again: python -m accelbench tables --machine local --results "),
        ("identity.json", ""),  # what to do depends on how it is damaged
    ],
)
def test_a_damaged_result_stops_a_run_before_anything_starts(results, no_start, name, remedy):
    path = results.file(name)
    whole = path.read_bytes()
    for text in (whole[: len(whole) // 2], b"", b"3"):
        path.write_bytes(text)
        message = refused_run(results)
        assert str(path) in message
        assert remedy in message


# Devices


def test_patterns_that_match_no_device_are_told_of_and_an_error_where_none_matches(results, no_start):
    described = results.file("machine.json").read_bytes()
    results.configure({"devices": ["cpuu", "nonesuch*"]})
    for message in (refused_run(results), results.refusal("machine")):
        assert "devices: 'cpuu', 'nonesuch*' match no device here. Devices found: cpu" in message
        assert str(results.own) in message
    assert results.file("machine.json").read_bytes() == described


def test_a_device_that_is_not_here_is_told_of_and_the_rest_is_measured(results, capsys):
    described = files.read_json(results.file("machine.json"))
    for devices, told in [(["CPU", "nonesuch*"], "devices: 'nonesuch*' matches no device here"), (["*"], "")]:
        results.configure({"devices": devices})
        said = results.invoke("machine").stderr
        assert (told in said) if told else not said
        run._check_results(results.file(""), config.Machine(), config.read(results.own), results.own)
        said = capsys.readouterr().err
        assert (told in said and "Devices found: cpu" in said) if told else not said
    assert files.read_json(results.file("machine.json"))["backends"] == described["backends"]


def test_a_device_that_came_later_is_looked_for_again_before_it_is_an_error(results, monkeypatch, capsys):
    results.configure({"devices": ["new gpu"]})
    given = config.read(results.own)
    found = files.read_json(results.file("machine.json"))["backends"]
    found["cupy"]["devices"] = [{"name": "New GPU", "kind": "gpu", "index": {}}]
    monkeypatch.setattr(run, "probe", lambda: found)
    run._check_results(results.file(""), config.Machine(), given, results.own)
    assert not capsys.readouterr().err


def test_a_device_that_cannot_be_used_is_told_of_with_its_reason_and_what_helps():
    why = "Old CL: it builds no program (error: unknown target CPU 'generic'). What helps: apt install pocl-opencl-icd"
    found = {
        "numpy": {"devices": [{"name": "cpu", "kind": "cpu", "index": {}}], "reason": None},
        "cupy": {"devices": [], "reason": "no CUDA driver"},
        "pyopencl": {"devices": [], "reason": f"Other CL: loading it failed (SIGSEGV); {why}"},
    }
    with pytest.raises(InputError) as refused:
        plan.check_devices(config.Config(devices=["old*"]), found, "mine.yaml")
    assert "devices: 'old*' matches no device here that can be used (" in str(refused.value)
    assert why in str(refused.value)
    assert why in plan.check_devices(config.Config(devices=["cpu", "old*"]), found, "mine.yaml")
    for others in (["cpu", "nonesuch"], ["cpu", "no cuda"]):
        assert "used" not in plan.check_devices(config.Config(devices=others), found, "mine.yaml")


ONE, OTHER, NEXT = (
    {"name": f"GPU {p}.{d}", "kind": "gpu", "index": {"platform": p}} for p, d in [(0, 0), (1, 0), (1, 1)]
)


@pytest.mark.parametrize(
    ("gpus", "number", "remedy"),
    [
        ([], 3, None),  # written for a machine with GPUs
        ([ONE], 0, None),
        ([ONE], 1, "0 alone"),
        ([ONE, OTHER], 1, "0 alone"),
        ([ONE, OTHER, NEXT], 1, None),
        ([ONE, OTHER, NEXT], 2, "from 0 to 1"),
        ([ONE, OTHER, NEXT], "all", None),
    ],
)
def test_a_number_that_no_gpu_has_is_an_error_where_there_are_gpus(gpus, number, remedy):
    found = {"numpy": {"devices": [{"name": "cpu", "kind": "cpu"}]}, "pyopencl": {"devices": gpus}}
    given = config.Config(device=number)
    if remedy is None:
        assert plan.check_devices(given, found, "mine.yaml") is None
        return
    with pytest.raises(InputError) as refused:
        plan.check_devices(given, found, "mine.yaml")
    expected = f"mine.yaml: device: no GPU here is number {number}. Set device to all, or a number: {remedy}"
    assert str(refused.value) == expected


GARBAGE = {
    "a number": b"3",
    "a word": b'"case"',
    "a list": b'["case", "run"]',
    "nothing": b"null",
    "binary": bytes(range(256)),
    "zeros": bytes(100),
    "deep": b"[" * 100_000,
    "empty": b"{}",
    "no more than a case": b'{"case":"x"}',
    "a run that is none": b'{"run":3}',
}


def test_garbage_in_a_journal_is_passed_over_and_nothing_else_is_lost(results):
    path = results.file("journal/twice.jsonl")
    whole = path.read_bytes()
    before = Journal(path).read()
    path.write_bytes(b"\n".join([*GARBAGE.values(), whole]))
    after = Journal(path).read()
    assert (after.entries, after.runs) == (before.entries, before.runs)
    told = {number for number, _ in after.damaged}
    lines = path.read_bytes().split(b"\n")
    assert told == {i + 1 for i, line in enumerate(lines) if line.strip() and line not in whole.split(b"\n")}
    result = results.invoke("measure", "twice")
    assert result.exit_code == 0
    assert path.read_bytes() == b"\n".join([*GARBAGE.values(), whole]), "nothing was measured again"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"samples_s":[', b'"samples_s":["x",'),
        (b'"samples_s":[', b'"samples_s":[0.0,'),
        (b'"samples_s":[', b'"samples_s":[NaN,'),
        (b'"max_error":', b'"largest_error":'),
        (b'"timings":{', b'"timings":[],"others":{'),
        (b'"outcome":"ok"', b'"outcome":"fine"'),
        (b'"sitting":', b'"sitting":3,"other":'),
    ],
)
def test_an_entry_that_was_edited_is_measured_again(results, old, new):
    path = results.file("journal/twice.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    place = next(i for i, line in enumerate(lines) if b'"outcome":"ok"' in line)
    lines[place] = lines[place].replace(old, new)
    path.write_bytes(b"".join(lines))
    assert [number for number, _ in Journal(path).read().damaged] == [place + 1]
    assert results.invoke("measure", "twice").exit_code == 0
    assert path.read_bytes().startswith(b"".join(lines))
    assert len(path.read_bytes().splitlines()) > len(lines)
    assert {record["outcome"] for record in results.outcomes().values()} == {"ok", "unsupported"}


def test_a_journal_joined_with_itself_counts_each_sitting_once(results):
    path = results.file("journal/twice.jsonl")
    path.write_bytes(path.read_bytes() * 2)
    assert results.invoke("measure", "twice").exit_code == 0
    assert {len(record["sittings"]) for record in results.outcomes().values()} == {1}


# Places that cannot be written


def test_results_that_are_a_file(place):
    (place.folder / "results").write_text("mine")
    words = ["run", "--configfile", str(place.own), "--directory", str(place.folder)]
    result = CliRunner().invoke(commands.app, words)
    assert result.exit_code == 2
    assert f"{place.folder / 'results'}: is a file where a folder is needed. Move it away" in result.stderr
    assert (place.folder / "results").read_text() == "mine"


@pytest.mark.parametrize("name", ["journal", "tables", "machine.json"])
def test_a_file_where_a_folder_is_needed_and_the_other_way_round(results, name):
    path = results.file(name)
    if path.is_dir():
        shutil.rmtree(path)
        path.write_text("mine")
    else:
        path.unlink()
        path.mkdir()
    command = {"journal": ["measure", "twice"], "tables": ["tables"], "machine.json": ["machine"]}[name]
    assert str(path) in results.refusal(*command)


def test_links_are_followed_and_pipes_written_to(tmp_path):
    target, link, pipe = tmp_path / "there" / "table.csv", tmp_path / "link.csv", tmp_path / "pipe"
    target.parent.mkdir()
    target.write_text("before")
    link.symlink_to(target)
    files.write(link, "after")
    assert link.is_symlink()
    assert target.read_text() == "after"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    files.write(pipe, "after")
    assert os.read(reader, 100) == b"after"
    os.close(reader)
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["publish", "/proc/x/y", "--results", "{results}"], "/proc/x"),
        (["publish", "/proc/x", "--results", "{results}"], "/proc"),
        (["run", "--configfile", "{own}", "--directory", "/proc/x", "-n"], "/proc/x"),
        (["report", "--results", "{results}", "--reports", "/proc/x"], "/proc/x"),
        (["new", "--exercise", "esrf-1-profile", "--directory", "/proc/x"], "/proc/x"),
        (["new", "cube", "--directory", "/proc/x/y"], "/proc/x"),
        (["resume", "{results}/local", "--results", "/proc/x"], "/proc/x"),
        (["tables", "--results", "{results}", "--log", "/proc/x/log"], "/proc/x"),
    ],
)
def test_a_folder_that_cannot_be_made_is_named(results, command, told):
    words = [word.format(results=results.folder / "results", own=results.own) for word in command]
    result = CliRunner().invoke(commands.app, words)
    assert result.exit_code == 2, result.output
    assert result.stderr == (
        f"error: {told}: Permission denied. Choose a folder you may write, or correct its permissions\n"
    )


def test_a_device_that_takes_no_data_is_named(results):
    local = str(results.file(""))
    for command in (
        ["export", local, "--format", "csv", "--output", "/dev/full"],
        ["compare", local, local, "--csv", "/dev/full"],
    ):
        result = CliRunner().invoke(commands.app, command)
        assert result.exit_code == 2, result.output
        assert result.stderr.startswith("error: /dev/full: No space left on device. ")


def test_a_place_that_takes_no_files_is_one_error():
    with pytest.raises(OSError, match="/proc/here") as caught:
        files.write("/proc/here", "text")
    assert caught.value.errno in app.REFUSALS


LIMITED = """
import errno, resource, sys
from pathlib import Path
from accelbench.store import files
path = Path(sys.argv[1])
before = path.read_bytes()
resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 10,) * 2)
for write in (lambda: files.append_lines(path, ["x" * 100]), lambda: files.write(path, before + b"x" * 100)):
    try:
        write()
    except OSError as error:
        assert error.errno == errno.EFBIG, error
    else:
        sys.exit("nothing was refused")
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]
"""


def test_what_cannot_be_written_to_the_end_is_not_written_at_all(tmp_path):
    path = tmp_path / "twice.jsonl"
    path.write_bytes(b'"first"\n')
    environment = {**os.environ, "PYTHONPATH": str(project.ROOT / "workflow")}
    done = subprocess.run([sys.executable, "-c", LIMITED, path], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def small_disk(results, tmp_path_factory):
    """The folder of `results`, moved to a file system of 1 MiB; skipped where none can be mounted."""
    disk = tmp_path_factory.mktemp("disk")
    mounted = shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "none", disk], capture_output=True
    )
    if not mounted or mounted.returncode:
        pytest.skip("needs the right to mount a file system")
    try:
        shutil.copytree(results.folder, disk, dirs_exist_ok=True)
        yield disk
    finally:
        subprocess.run(["umount", disk], check=True)


def fill(disk):
    with (disk / "filler").open("wb", buffering=0) as stream:
        try:
            while stream.write(bytes(4096)):
                pass
        except OSError:
            pass


@pytest.mark.slow
def test_a_full_disk_stops_every_stage_with_one_message_and_costs_nothing_measured(small_disk, place):
    journal, timings = (
        small_disk / "results/local/journal/twice.jsonl",
        small_disk / "results/local/timings/twice.jsonl",
    )
    place.configure({"kernels": {"twice": {"sizes": [100, 200]}}})
    kept = {path: path.read_bytes() for path in small_disk.rglob("*") if path.is_file() and path.suffix != ".lock"}
    before = kept.pop(journal)
    fill(small_disk)
    for command in (
        ["measure", "twice", "--log", "results/local/logs/measure.log"],
        ["tables", "--log", "results/local/logs/tables.log"],
        ["report"],
        ["machine"],
        ["build", "twice"],
        ["run", "--cores", "1"],
    ):
        words = [] if command[0] == "tables" else ["--configfile", place.own]
        done = run_command("accelbench", *command, *words, cwd=small_disk)
        assert done.returncode == 2, done.stderr
        assert done.stderr.count("\n") == 1, done.stderr
        assert "No space left on device. Free some space and run again" in done.stderr
        # The journal's last block may have had room for a case or two: whole lines, which are kept and count.
        assert journal.read_bytes().startswith(before)
        assert journal.read_bytes().endswith(b"\n")
        assert {path: path.read_bytes() for path in kept} == kept
    (small_disk / "filler").unlink()
    done = run_command("accelbench", "measure", "twice", "--configfile", place.own, cwd=small_disk)
    assert done.returncode == 0, done.stderr
    assert journal.read_bytes().startswith(before)
    new = [json.loads(line)["case"] for line in journal.read_bytes()[len(before) :].splitlines() if b'"case"' in line]
    assert {case.split("/")[3] for case in new} == {"200"}
    assert {json.loads(line)["size"] for line in timings.read_bytes().splitlines()} == {100, 200}


@pytest.mark.slow
def test_a_disk_that_is_read_only(small_disk, place):
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    for command in (["measure", "twice"], ["tables"], ["machine"], ["run"]):
        words = [] if command[0] == "tables" else ["--configfile", place.own]
        done = run_command("accelbench", *command, *words, cwd=small_disk)
        assert done.returncode == 2, done.stderr
        assert done.stderr.count("\n") == 1, done.stderr
        assert "Read-only file system. Choose a folder that can be written" in done.stderr


@pytest.mark.slow
def test_an_interrupt_keeps_what_was_measured_and_leaves_no_worker(results):
    journal = results.file("journal/twice.jsonl")
    before = journal.read_bytes()
    results.configure({"protocol": {**PROTOCOL, "budget_s": 60.0, "min_samples": 1_000_000}})
    command = [sys.executable, "-m", "accelbench", "measure", "twice", "--configfile", str(results.own)]
    environment = {**os.environ, "PYTHONPATH": str(project.ROOT / "workflow")}
    with subprocess.Popen(
        command, cwd=results.folder, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
    ) as process:
        deadline = time.monotonic() + 60
        while not workers(process.pid):
            assert time.monotonic() < deadline
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=120)
    assert process.returncode == 130
    assert told.splitlines()[-1] == "interrupted: what was measured is kept"
    assert journal.read_bytes() == before
    assert all_gone(process.pid)


# Snakemake, started by hand


def snakemake(*words, cwd, workflow=project.ROOT):
    """The message of a Snakemake that must end with status 1 and no traceback."""
    words = ["snakemake", "-s", workflow / "Snakefile", "--cores", "1", *words]
    done = run_command(*words, cwd=cwd, workflow=workflow)
    told = done.stdout + done.stderr
    assert done.returncode == 1, told
    assert "Traceback" not in told
    assert told.count("WorkflowError") == 1
    assert not list(cwd.glob("results/*/*"))
    return told


@pytest.mark.slow
def test_bare_snakemake_refuses_its_own_configuration_in_one_message(tmp_path):
    copy = tmp_path / "workflow"
    for name in ("Snakefile", "workflow", "profiles"):
        source = project.ROOT / name
        shutil.copytree(source, copy / name) if source.is_dir() else shutil.copy(source, copy.mkdir() or copy)
    (copy / "config").mkdir()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for text, told in [
        ("preset: enormous", "preset: must be 'smoke', 'default' or 'lecture'"),
        ("a: [", "config.yaml:1: is not YAML"),
        ("limits: true\nlimits: false", "config.yaml:2: is not YAML: 'limits' is there twice"),
    ]:
        (copy / "config" / "config.yaml").write_text(text)
        assert told in snakemake(cwd=elsewhere, workflow=copy)


@pytest.mark.slow
def test_snakemake_refuses_what_a_person_gave_it_in_one_message(place):
    assert "with --config: kernels: no kernel 'nope'" in snakemake("--config", "kernels=[nope]", cwd=place.folder)
    place.own.write_text(place.own.read_text() + "sizes: [1:30]\n")  # which Snakemake's own reader takes for 90
    assert "sizes[0]: must be a whole number (given: '1:30')" in snakemake("--configfile", "own.yaml", cwd=place.folder)
    place.configure({})
    place.write({"kernel.py": KERNEL.replace("return factor * x", "return None")})
    assert "reference returned the NoneType None" in snakemake("--configfile", "own.yaml", cwd=place.folder)
    place.write({"kernel.py": KERNEL})
    (place.folder / "results").write_text("mine")
    assert "is a file where a folder is needed" in snakemake("--configfile", "own.yaml", cwd=place.folder)
