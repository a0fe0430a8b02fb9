"""Tests of user-written backends and toolchains, and of typical mistakes in them.

Each mistake produces one message that names the file and a remedy, and affects only the cases that need the file.
"""

import dataclasses
import os
import sys
from types import SimpleNamespace

import pytest
from command_line import invoke

from accelbench import backends, config, discovery, project, toolchains
from accelbench.errors import InputError
from accelbench.kernels import catalog
from accelbench.machine import look
from accelbench.measure import checking
from accelbench.model.artifact import Artifact
from accelbench.model.limits import fits
from accelbench.rpc.messages import TruthKey
from accelbench.verify.truth import Truth
from accelbench.worker.__main__ import Worker, refusal

BACKEND = '''"""Own."""
from accelbench.backends import Device, Unavailable, host
from accelbench.model.device import DeviceLimits

BACKENDS = {"own": None}
PACKAGES = {"own": ("numpy",)}

def probe(backend):
    return [Device("cpu")]

class Session(host.Session):
    pass
'''
TOOLCHAIN = '''"""Own."""
import sys
from accelbench.toolchains.contract import BuildStep

TOOLCHAIN = "own"
SUFFIXES = (".own",)
PER_DEVICE = False

def built(implementation):
    return [source for source in implementation.sources if source.endswith(".own")]

def files(implementation, source):
    return [implementation.path.parent / source]

def flags(implementation, config):
    return implementation.flags

def version(implementation, config, device=None):
    return "own 1"

def step(task, folder):
    copy = "import shutil, sys; shutil.copy(*sys.argv[1:])"
    return BuildStep([sys.executable, "-c", copy, task.source, str(folder / "a.txt")], "a.txt")

def open(path):
    return path.read_text()
'''


@pytest.fixture
def plant(tmp_path, monkeypatch):
    """Return a function that adds a module to accelbench.backends or accelbench.toolchains for this test alone."""

    def planted(package, text, name="own"):
        folder = tmp_path / package.__name__.rpartition(".")[2]
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").touch()
        (folder / f"{name}.py").write_text(text)
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
        for cached in (backends.modules, toolchains.modules):
            cached.cache_clear()

    yield planted
    for cached in (backends.modules, toolchains.modules):
        cached.cache_clear()
    for name in [
        name for name in sys.modules if name.startswith(("accelbench.backends.own", "accelbench.toolchains.own"))
    ]:
        del sys.modules[name]


def test_a_backend_is_found_by_its_module_alone(plant):
    plant(backends, BACKEND)
    assert backends.of("own_loop") == "own"
    assert look.look("own").devices[0].name == "cpu"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"""Own."""', "def probe(:", "backends/own.py:1: syntax error: invalid syntax. Correct the file"),
        ("host\n", "hots\n", "backends/own.py:2: importing it failed: ImportError: cannot import name 'hots'"),
        ("import Device", "import jaxx, Device", "backends/own.py:2: importing it failed: ImportError"),
        ('"""Own."""', "import no_such_library", "import its libraries inside the functions that use them"),
        ('"""Own."""', "import xdrlib_of_ours", "import its libraries inside the functions that use them"),
        ("BACKENDS", "BACKEND", 'or None: BACKENDS = {"own": None}'),
        ('{"own": None}', '("own",)', "backends/own.py: BACKENDS = ('own',). Write the name of each backend"),
        ('{"own": None}', '{"own": "owm"}', "BACKENDS: there is no toolchain 'owm'. Use one of c, cffi, "),
        ('{"own": ("numpy",)}', '("jax")', "PACKAGES = 'jax'. Write a tuple of strings for each backend: PACKAGES ="),
        ("PACKAGES =", "ENVIRONMENT = 'Own'; PACKAGES =", "ENVIRONMENT = 'Own'. Write the name of the lock file in"),
        ("PACKAGES =", "ENVIRONMENT = 3; PACKAGES =", "ENVIRONMENT = 3. Write the name of the lock file in envs/"),
        ('("numpy",)', '("jax")', "PACKAGES = {'own': 'jax'}. Write a tuple of strings for each backend"),
        ("PACKAGES", "PACKAGE", "backends/own.py: PACKAGES is missing. Write a tuple of strings"),
        ("def probe", "def prob", "backends/own.py: probe is missing. Write probe(backend)"),
        ("PACKAGES", "once = 3; PACKAGES", "backends/own.py: once = 3. Write once(device, folder), or leave it out"),
        ("class Session", "class Sesion", "backends/own.py: Session is missing. Write class Session(OpenDevice)"),
        ("(host.Session)", "", "own.py: Session lacks load, empty, poison, release, copy_in, copy_out, intact"),
        ("    return [", "    [", "backends/own.py: probe returned None. It returns a list of Device, or raises"),
        ('[Device("cpu")]', 'Device("cpu")', "backends/own.py: probe returned Device(name='cpu'"),
        ('[Device("cpu")]', '["cpu"]', "backends/own.py: probe returned ['cpu']. It returns a list of Device"),
        ('Device("cpu")', 'Device("cpu", "CPU")', "Device.kind is 'CPU', not Literal['cpu', 'gpu'] (test_a"),
        ('Device("cpu")', "Device(0)", "Device.name is 0, not str (test_a"),
        ('Device("cpu")', 'Device("cpu", index=[0])', "Device.index is [0], not dict[str, int | str] (test_a"),
        ('Device("cpu")', 'Device("cpu", versions={1: {1}})', "Device.versions is {1: {1}}, not dict[str, str | None]"),
        ('Device("cpu")', 'Device("cpu", device_limits={"memory_bytes": 1})', "1}, not DeviceLimits (test_a"),
        ('Device("cpu")', 'Device("cpu", device_limits=DeviceLimits(cache_bytes=1.5))', "1.5, not int | None (test_a"),
        ('Device("cpu")', 'Device("cpu", device_limits=DeviceLimits(memory=1))', "unexpected keyword argument 'mem"),
        ('Device("cpu")', 'Devise("cpu")', "failed: NameError: name 'Devise' is not defined (test_a"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_backend_is_the_reason_why_it_is_unavailable(plant, old, new, told):
    assert old in BACKEND
    plant(backends, BACKEND.replace(old, new))
    said = look.look("own")
    assert not said.available
    assert told in said.reason
    assert "\n" not in said.reason
    assert backends.of("numpy_sum") == "numpy"
    assert look.look("numpy").available


def test_a_broken_backend_costs_its_own_implementations_only(plant, kernels):
    words = ["list", "--configfile", str(kernels.parent / "own.yaml")]
    invoke(*words)  # checks kernel.py in a process without the backend
    plant(backends, "BACKENDS = {'own': 'c'}\nthis is no Python\n")
    (kernels / "twice" / "own_loop.py").write_text('SOURCES = ("a.c",)\ndef run(x, y): pass\n')
    (kernels / "twice" / "a.c").write_text("int a;\n")
    catalog._load.cache_clear()
    listed = invoke(*words)
    assert listed.exit_code == 0, listed.output
    assert {"numpy_multiply", "own_loop"} <= set(listed.stdout.split())
    said = look.look("own")
    assert "own.py:2: syntax error" in said.reason
    bench = SimpleNamespace(folder=catalog.load(kernels / "twice"), machine=SimpleNamespace(probes={("", "own"): said}))
    told = []
    assert checking._verdicts(bench, "own_loop", told.append) == [False]
    assert told == [f"own_loop: unavailable: {said.reason}"]


@pytest.mark.parametrize(
    ("package", "text", "told"),
    [
        (backends, BACKEND, "/backends/own.py serves, too."),
        (backends, BACKEND.replace("def ", "de "), "serves the backend 'own', which"),
        (backends, BACKEND.replace('"own"', '"numpy"'), "'numpy', which accelbench/backends/host.py serves, too."),
        (toolchains, TOOLCHAIN, "/toolchains/own.py serves, too."),
        (
            toolchains,
            TOOLCHAIN.replace('"own"', '"c"'),
            "'c', which accelbench/toolchains/shared_library.py serves, too.",
        ),
    ],
)
def test_two_modules_of_one_name_are_refused(plant, kernels, package, text, told):
    plant(package, BACKEND if package is backends else TOOLCHAIN)
    plant(package, text, "own_2")
    for command in (["list"], ["run", "--cores", "1"]):
        done = invoke(*command, "--configfile", str(kernels.parent / "own.yaml"))
        assert done.exit_code == 2
        (line,) = done.stderr.splitlines()
        assert line.startswith("error: ")
        assert "/own_2.py: serves the " in line
        assert told in line
        assert line.endswith("Rename it in one of the two files, or remove one of the files")


def make(kernels, text='SOURCES = ("a.own",)\nTOOLCHAIN = "own"\ndef run(x, y): pass\n', out="out"):
    """Return the artifact that the toolchain `own` builds."""
    (kernels / "twice" / "cffi_own.py").write_text(text)
    (kernels / "twice" / "a.own").write_text("what it says")
    catalog._load.cache_clear()
    folder = catalog.load(kernels / "twice")
    assert kernels / "twice" / "a.own" in folder.native_sources()
    (entry,) = toolchains.build(folder, "own", kernels.parent / out, config=config.Build()).artifacts
    return entry


@pytest.mark.parametrize("has_built", [True, False])
def test_a_toolchain_is_found_by_its_module_alone(plant, kernels, has_built):
    """A toolchain without `built` builds the sources with its suffixes, except headers."""
    text = (
        TOOLCHAIN if has_built else TOOLCHAIN.replace("def built", "def unused").replace('(".own",)', '(".own", ".h")')
    )
    (kernels / "twice" / "a.h").touch()
    plant(toolchains, text)
    entry = make(kernels, 'SOURCES = ("a.own", "a.h")\nTOOLCHAIN = "own"\ndef run(x, y): pass\n')
    assert entry.outcome == "ok", entry.log
    assert toolchains.open_artifact(entry, kernels.parent / "out", "own") == "what it says"
    assert ".own" in toolchains.suffixes()


def test_an_edited_toolchain_builds_again(plant, kernels, monkeypatch):
    plant(toolchains, TOOLCHAIN)
    before = make(kernels).recipe
    monkeypatch.setattr(discovery, "code_digest", lambda file: "edited")
    assert make(kernels).recipe != before


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"""Own."""', "def :", "toolchains/own.py:1: syntax error: invalid syntax. Correct the file"),
        ('"""Own."""', "import pythrann", "No module named 'pythrann'. Every command imports this module: import its"),
        ("TOOLCHAIN =", "TOOLCHAINS =", 'toolchains/own.py: TOOLCHAIN is missing. Write its name, TOOLCHAIN = "name"'),
        ("def version", "def versions", "toolchains/own.py: version is missing. Add the function version; the"),
        ('return "own 1"', 'raise NameError("no pythran")', "own.py:19: version failed: NameError: no pythran"),
        ("PER_DEVICE = False", "PER_DEVICE = 0", "toolchains/own.py: PER_DEVICE = 0. Write True if each device"),
        ('(".own",)', '(".own")', "toolchains/own.py: SUFFIXES = '.own'. Write a tuple of the endings"),
        ("return BuildStep", "BuildStep", "toolchains/own.py: step returned None. It returns a BuildStep(["),
        (
            "return BuildStep([",
            "return BuildStep('python ' 'a.own', 'a') or ([",
            "step returned BuildStep(arguments='python a.own'",
        ),
        (
            "shutil.copy(*sys.argv[1:])",
            "pass",
            "the command succeeded, but did not write a.txt into the argument",
        ),
        ("shutil.copy(*sys.argv[1:])", "print('it cannot'); sys.exit(3)", "it cannot"),
        ("shutil.copy(*sys.argv[1:])", "sys.exit(3)", "the compiler ended with status 3"),
        ("[sys.executable", '["no-such-compiler"', "no-such-compiler: No such file or directory"),
        (
            "task.source",
            "task.sources",
            "AttributeError: 'Task' object has no attribute 'sources'. It returns a BuildStep",
        ),
    ],
)
def test_a_mistake_in_a_toolchain_is_the_reason_of_a_failed_build(plant, kernels, old, new, told):
    assert old in TOOLCHAIN
    plant(toolchains, TOOLCHAIN.replace(old, new))
    entry = make(kernels)
    assert entry.outcome == "build_failed"
    assert told in entry.log
    assert "Traceback" not in entry.log


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("    return [source for", "    [source for", "own.py: built returned None. It returns a list of those names"),
        ("return implementation.flags", 'return "-O3"', "own.py: flags returned '-O3'. It returns a list of strings"),
        ("return [implementation.path.parent / source]", "return source", "own.py: files returned 'a.own'. It returns"),
        ("implementation.path.parent", "implementation.folder", "own.py:13: files failed: AttributeError"),
    ],
)
def test_what_a_toolchain_says_of_its_sources_is_checked(plant, kernels, old, new, told):
    assert old in TOOLCHAIN
    plant(toolchains, TOOLCHAIN.replace(old, new))
    with pytest.raises(InputError) as caught:
        make(kernels)
    assert told in str(caught.value)


TIMERS = "def timers(self, call): return {'compute': lambda loops, lead=False: %s}"
HEALTHY = "KeyError: 'no such case'"


@pytest.mark.parametrize(
    ("method", "told"),
    [
        ("pass", HEALTHY),
        (
            "variables = staticmethod(lambda device, threads: None)",
            "variables returned None. It returns a dictionary of",
        ),
        (
            "variables = staticmethod(lambda device, threads: {'A': 1})",
            "variables returned {'A': 1}. It returns a dicti",
        ),
        ("def gpu(self): return 0", "gpu returned 0. It returns a text or None; the docstring of accelbench/backends"),
        ("def __init__(self, *_): self.queue, self._guards = None, {}", "own.py: Session has no stream. Set it in "),
        (
            "def settings(self): pass",
            "settings returned None. It returns a dictionary of values that JSON can represent",
        ),
        (
            "def settings(self): return {'a': {1}}",
            "settings returned {'a': {1}}. It returns a dictionary of values that JSON",
        ),
        (
            "def empty(self, shape, dtype): super().empty(shape, dtype)",
            "empty returned None. It returns an array of the",
        ),
        ("def empty(self, shape, dtype): return 'x'", "empty returned 'x'. It returns an array of the requested shape"),
        (
            "def load(self, *_): pass",
            "load returned None. It returns the value of case.artifact(source)",
        ),
        (
            "def timers(self, call): super().timers(call)",
            "timers returned None. It returns {kind of time: function}",
        ),
        (
            "def timers(self, call): return {'Compute': max}",
            "timers returned {'Compute': <built-in function max>}. It ret",
        ),
        (
            "def timers(self, call): return {'compute': 0.1}",
            "timers returned {'compute': 0.1}. It returns {kind of",
        ),
        (TIMERS % "None", "timers: 'compute' returned None. It returns seconds per call"),
        (TIMERS % "'0.1'", "timers: 'compute' returned '0.1'. It returns seconds per call"),
        (TIMERS % "-1.0", "timers: 'compute' returned -1.0. It returns seconds per call"),
        (TIMERS % "float('nan')", "timers: 'compute' returned nan. It returns seconds per call"),
        ("def launch_facts(self, call): return {'registers': 3}", "launch_facts returned {'registers': 3}. It returns"),
        ("def intact(self, array): pass", "intact returned None. It returns True or False"),
        ("def copy_out(self, value, into=None): pass", "copy_out returned None. It returns a NumPy array or a number"),
        ("def explain(self, error): return 'why'", "explain returned 'why'. It returns (outcome, reason), (outcome, "),
        ("def explain(self, error): return 'mine', 'why'", "explain returned ('mine', 'why'). It returns (outcome, "),
        ("def wait(self, result): self.nothing()", "'Session' object has no attribute 'nothing' (own.py:12)"),
    ],
)
def test_a_mistake_in_what_a_session_returns_is_the_reason_of_its_cases(plant, tmp_path, method, told):
    plant(backends, BACKEND.replace("    pass", f"    {method}"))
    outcome, reason, *_ = first_failure(tmp_path, asks_for_artifact="load" in method)
    assert outcome == "error"
    assert told in reason
    assert told == HEALTHY or "own.py" in reason


BUILT = Artifact(
    implementation="own_copy",
    source="a.c",
    device=None,
    outcome="ok",
    path="a.so",
    log="",
    seconds=0,
    compiler="",
    recipe="",
)


def first_failure(folder, asks_for_artifact):
    """Return (outcome, reason, ...) of the first request that fails in a worker with the backend `own`."""
    file = folder / "own_copy.py"
    asked = "case.artifact('a.c')" if asks_for_artifact else "None"
    file.write_text(f"def prepare(case):\n    {asked}\n    def run(x, out): out[:] = x\n    return run\n")
    recipe = {"file": str(file), "backend": "own", "device": backends.Device("cpu"), "threads": 1}
    recipe["module"] = backends.modules()["own"].__name__
    recipe |= {
        "unbuilt": [],
        "artifacts": {"a.c": BUILT},
        "build_folder": "",
        "once_folder": "",
        "toolchain": "c",
        "memory_bytes": 0,
        "variant": None,
    }
    names = {"size": 100, "dtype": "float64", "options": {}}
    case = names | {"parameters": {}, "tuned": None}
    transfer = catalog.load_specification(project.ROOT / "kernels" / "transfer")
    truth = Truth(transfer, TruthKey(folder="", problem="transfer", **names, seed=1, which=0, exact=False))
    inputs = dataclasses.replace(truth.message(), file=os.dup(truth.file), location="host")
    truth.close()
    questions = [("open", recipe), ("environment", {}), ("load", {"problem": "p", "inputs": inputs})]
    questions += [("prepare", {"problem": "p", "handle": "c", **case}), ("first_call", {"handle": "c"})]
    questions += [("sample", {"handle": "c", "loops": {"compute": 1}, "primed": [], "cold": False})]
    questions += [("facts_of_samples", {"handle": "no such case"})]
    worker = Worker()
    for name, arguments in questions:
        try:
            getattr(worker, name)(**arguments)
        except Exception as error:
            return refusal(worker, error)
    return None


@pytest.fixture
def kernels(tmp_path):
    """Return a folder of kernels with one kernel. A configuration beside it names the folder."""
    from accelbench.kernels import skeleton

    folder = tmp_path / "kernels"
    skeleton.write_kernel(folder / "twice")
    (tmp_path / "own.yaml").write_text(f"kernels_path: [{str(folder)!r}]\n")
    return folder


@pytest.mark.parametrize(
    ("value", "kind", "fitting"),
    [
        (3, int, True),
        (True, int, False),
        (None, int | None, True),
        (type("Text", (str,), {})("a"), str, True),
        (("a", 1), tuple[str, ...], False),
        ({"a": 1, "b": "c"}, dict[str, int | str], True),
        ({1: "c"}, dict[str, str], False),
        ([[1, 2], []], list[list[int]], True),
    ],
)
def test_types_of_answers_are_checked(value, kind, fitting):
    assert fits(value, kind) == fitting
