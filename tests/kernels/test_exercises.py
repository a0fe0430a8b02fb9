"""Tests of the lectures' exercises: skeletons, completed skeletons, and the steps of a student up to the report.

Other tests in this folder check the solutions, like every implementation.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import opencl_here
import pandas as pd
import pytest
import yaml
from command_line import invoke
from report_page import read_pages
from run_implementation import Runner

from accelbench import config, project
from accelbench.config.select import EffectiveConfig
from accelbench.kernels import catalog, skeleton
from accelbench.kernels.implementation import read_implementation
from accelbench.measure import checking
from accelbench.store import files

pytestmark = pytest.mark.usefixtures("devices_looked_for_once")
KERNELS = project.ROOT / "kernels"
EXERCISES = {
    (folder.name, file.stem.removesuffix("_exercise")): (name, file)
    for name, folder in skeleton.exercises().items()
    for file in sorted(folder.glob("*.py*"))
}


def part(file, begin, end):
    """Return the text of a solution from `begin` up to `end`."""
    text = (KERNELS / file).read_text()
    return text[text.index(begin) : text.index(end)]


# Code that a student writes into the skeletons. Its native code is simpler than that of the tuned solutions.
PYTHON = part("inside_polygon/python_tuples.py", "    crossings = 0", "\n\ndef run")
TYPED = part("inside_polygon/cython_typed.pyx", "    cdef Py_ssize_t i, after", "\n\ndef run")
METHOD = part("inside_polygon/cython_class.pyx", "        cdef Py_ssize_t i, after", "\n    def make_mask")
ROWS = part("inside_polygon/cython_class.pyx", "        cdef Py_ssize_t x, y", "\n\ndef convert")
MAKE_MASK = "    def make_mask(self, uint8_t[:, ::1] mask):\n"
PIXEL = """
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    bool corner = false, odd = false;
    for (long i = 0; i < vertices; i++) {
        const int2 a = polygon[i], b = polygon[(i + 1) % vertices], low = a.y < b.y ? a : b, high = a.y < b.y ? b : a;
        corner |= a.x == x && a.y == y;
        if (low.y < y && y <= high.y)
            odd ^= (x - low.x) * (high.y - low.y) <= (y - low.y) * (high.x - low.x);
    }
    mask[y * width + x] = corner || odd;
"""
ELEMENT = "const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = "
PRODUCT = """
    const long long column = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long row = (long long)blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n)
        return;
    real sum = 0;
    for (long long k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    out[row * n + column] = sum;
"""
TILE = """
        a_tile[y][x] = row < n && start + x < n ? a[row * n + start + x] : 0;
        b_tile[y][x] = start + y < n && column < n ? b[(start + y) * n + column] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += a_tile[y][k] * b_tile[k][x];
        __syncthreads();
"""
BLOCKS = [("blocks = 1 ", "blocks = max(1, -(-case.size // case.block_size)) ")]
ANSWERS = {
    "python_tuples": [("    return False\n", PYTHON)],
    "cython_tuples": [("    return False ", PYTHON + "    ")],
    "cython_typed": [("    return False ", TYPED + "    ")],
    "cython_class": [("        return False ", METHOD + "        "), (MAKE_MASK, MAKE_MASK + ROWS)],
    "cython_openmp": [
        ("from libc", "from cython.parallel cimport prange\nfrom libc"),
        ("range(mask.shape[0])", "prange(mask.shape[0], nogil=True)"),
    ],
    "pyopencl_raw": [
        ("(columns, rows)  #", "(-(-max(1, width) // columns) * columns, -(-max(1, height) // rows) * rows)  #"),
        ("    /* Which", PIXEL + "    /* Which"),
    ],
    "cupy_raw": [*BLOCKS, ("/* Which", f"{ELEMENT} x1[i] * x2[i] + b; /* Which")],
    "cupy_raw_naive": [
        ("grid = (1, 1)", "grid = tuple(max(1, -(-case.size // extent)) for extent in case.block_size)"),
        ("    /* Which", PRODUCT + "    /* Which"),
    ],
    "cupy_raw_tiled": [("        /* Load", TILE + "        /* Load")],
    "pycuda_source_module": [*BLOCKS, ("/* out =", f"{ELEMENT} a * x[i] + y[i]; /* out =")],
    "numba_cuda_vectorize": [("return x ", "return a * x + y ")],
}
ON_THE_HOST = [key for key in EXERCISES if key[0] == "inside_polygon"]
ON_GPUS = [key for key in EXERCISES if key[0] != "inside_polygon"]
BLOCK_SIZES = {"cupy_raw_naive": (8, 4), "cupy_raw_tiled": (16, 16)}


@pytest.mark.parametrize("key", EXERCISES, ids="/".join)
def test_an_exercise_declares_the_algorithm_of_its_solution(key):
    """Without ALGORITHM, the page would compare the exercise with implementations of the kernel's main algorithm."""
    _, file = EXERCISES[key]
    solution = KERNELS / key[0] / file.name.replace("_exercise", "")
    (own, *_), (solved, *_) = read_implementation(file), read_implementation(solution)
    assert own.algorithm == solved.algorithm


def fill_in(file):
    """Write the answers into an exercise's file and its native source, and delete the line that raises."""
    implementation, *_ = read_implementation(file)  # the rest are copies for other backends
    paths = {file, *(file.parent / source for source in implementation.sources)}
    texts = {path: re.sub(r".*raise NotImplementedError.*\n", "", path.read_text()) for path in paths}
    for said, answer in ANSWERS[implementation.name.removesuffix("_exercise")]:
        (path,) = [path for path, text in texts.items() if text.count(said) == 1]
        texts[path] = texts[path].replace(said, answer)
    for path, text in texts.items():
        path.write_text(text)


def narrow(folder):
    """Make the images of a copied inside_polygon 16 pixels wide, since plain Python takes 20 s for square ones."""
    file = folder / "kernel.py"
    assert file.read_text().count('"width": 0') == 1
    file.write_text(file.read_text().replace('"width": 0', '"width": 16'))


def accelbench(*arguments, cwd):
    path = os.pathsep.join([str(project.ROOT / "workflow"), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, "-m", "accelbench", *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=300)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def check(*kernels):
    """Return the output of `check` on all implementations in these folders, built without optimisation to save time."""
    config = {"build": {"cflags": ["-O0"], "opencl_flags": ["-cl-opt-disable"], "cuda_architectures": ["sm_90"]}}
    output = ""
    with pytest.MonkeyPatch.context() as there:
        there.chdir(kernels[0].parent)
        there.setattr(checking, "SEEDS", 1)
        there.setattr(checking, "RACING_S", 0.0)  # measure/test_checking.py tests race conditions
        there.setattr(checking, "RACING_CALLS", 1)
        Path("check.yaml").write_text(yaml.safe_dump(config))
        for kernel in kernels:
            output += invoke("check", kernel, "--configfile", "check.yaml").stdout
    return output


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    """Return a folder with the kernels that have exercises: for each, kernel.py, the baselines and the exercises."""
    root = tmp_path_factory.mktemp("exercises")
    for kernel in {kernel for kernel, _ in EXERCISES}:
        folder = catalog.load(KERNELS / kernel)
        (root / kernel).mkdir()
        for file in (folder.file, *(folder.implementations[name].path for name in folder.spec.all_baselines)):
            shutil.copy(file, root / kernel)
    narrow(root / "inside_polygon")
    for name in skeleton.exercises():
        result = invoke("new", "--exercise", name, "--directory", root)
        assert result.exit_code == 0, result.output
    return root


@pytest.fixture(scope="module")
def told_of_skeletons(kernels, devices_looked_for_once):
    return check(*(folder for folder in sorted(kernels.iterdir()) if folder.is_dir()))


@pytest.fixture(scope="module")
def filled_in(kernels, tmp_path_factory):
    """Return a copy of the folder `kernels` with all exercises completed."""
    root = shutil.copytree(kernels, tmp_path_factory.mktemp("done") / "kernels")
    for kernel, name in EXERCISES:
        fill_in(next((root / kernel).glob(f"{name}_exercise.py*")))
    return root


@pytest.fixture(scope="module")
def told_of_filled_in(filled_in):
    return check(filled_in / "inside_polygon")


def test_every_exercise_is_listed_with_its_solution():
    readme = (project.EXERCISES / "README.md").read_text()
    shown = invoke("new", "--exercise", "list").stdout
    assert {name for _, name in EXERCISES} == set(ANSWERS)
    for (kernel, name), (exercise, file) in EXERCISES.items():
        solution, begun = catalog.load(KERNELS / kernel).implementations[name], read_implementation(file)[0]
        assert (begun.backend, begun.toolchain) == (solution.backend, solution.toolchain)
        assert re.search(rf"^{exercise} +{kernel}/{name} ", shown, re.M)
        assert re.search(rf"^\| `{exercise}` .*`{kernel}/{name}`", readme, re.M)


def test_what_the_readme_goes_on_with_is_the_exercise_it_begins():
    commands = re.findall(r"^    python -m accelbench (.*)$", (project.EXERCISES / "README.md").read_text(), re.M)
    (begun,) = (re.search(r"--exercise (esrf\S+)", command)[1] for command in commands if "--exercise esrf" in command)
    written = {file.stem for file in skeleton.exercises()[begun].glob("*.py*")}
    named = [set(re.findall(r"\w+_exercise\b", command)) for command in commands]
    assert sum(map(bool, named)) == 2, "not two commands name exercises, as check and profile should"
    assert set().union(*named) == written
    (profiled,) = (command.split()[1:4] for command in commands if command.startswith("profile"))
    kernel, *names = profiled
    known = catalog.load(KERNELS / kernel).implementations.keys() | written
    assert set(names) <= known


def needs_its_device(name):
    """Skip the test of an OpenCL implementation if there is no OpenCL device."""
    if name.startswith("pyopencl"):
        opencl_here.devices()


@pytest.mark.slow
@pytest.mark.parametrize(("kernel", "name"), ON_THE_HOST)
def test_check_says_what_a_skeleton_lacks(told_of_skeletons, kernel, name):
    needs_its_device(name)
    place = rf"^{name}_exercise on .*"
    assert re.search(rf"{place}, size 0: unsupported: .*, then delete this line", told_of_skeletons, re.M)
    assert re.search(rf"{place}: unsupported for all \d+ problems, so no result was checked$", told_of_skeletons, re.M)


@pytest.mark.slow
@pytest.mark.parametrize(("kernel", "name"), ON_GPUS)
def test_without_a_gpu_a_skeleton_is_still_compiled(told_of_skeletons, kernels, kernel, name):
    if f"{name}_exercise on " in told_of_skeletons:
        assert re.search(rf"^{name}_exercise on .*: unsupported: .* then delete this line", told_of_skeletons, re.M)
    else:
        compiled = catalog.load(kernels / kernel).implementations[f"{name}_exercise"].toolchain is not None
        assert re.search(rf"^{name}_exercise: not filled in yet: .*, then delete this line$", told_of_skeletons, re.M)
        assert (f"{name}_exercise: compiles" in told_of_skeletons) == compiled


@pytest.mark.slow
@pytest.mark.parametrize(("kernel", "name"), ON_THE_HOST)
def test_an_exercise_that_is_done_is_right(told_of_filled_in, kernel, name):
    needs_its_device(name)
    assert re.search(rf"^{name}_exercise on .*: right \(\d+ problems.*\)$", told_of_filled_in, re.M), told_of_filled_in


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(("kernel", "name"), [key for key in ON_GPUS if not key[1].startswith("numba")])
def test_cuda_exercises_that_are_done_are_right(filled_in, tmp_path, kernel, name, dtype):
    """The CUDA C++ of completed exercises runs on the host, launched by the Python code of the exercise."""
    folder = catalog.load(filled_in / kernel)
    run = Runner(folder, tmp_path)
    for size in (1, 16, 35):
        inputs = folder.inputs(size, dtype, rng=np.random.default_rng(size), options={})
        (expected,) = folder.expected(size, dtype, options={}, inputs=inputs)
        (bound,) = folder.tolerance(size, dtype, options={}, inputs=inputs, expected=(expected,))
        (out,) = run(f"{name}_exercise", dtype, inputs, BLOCK_SIZES.get(name, 16))
        assert (np.abs(out - expected) <= bound).all(), size


def test_numba_exercise_that_is_done_has_the_right_formula(filled_in):
    """The completed exercise is compiled for the host, as numba.vectorize needs a GPU for CUDA."""
    text = (filled_in / "saxpy" / "numba_cuda_vectorize_exercise.py").read_text()
    assert text.count(', target="cuda"') == 1
    exec(text.replace(', target="cuda"', ""), scope := {})
    x, y = np.arange(5.0), np.arange(5.0)[::-1]
    assert (scope["saxpy"](2.0, x, y) == 2 * x + y).all()


@pytest.mark.gpu
@pytest.mark.parametrize(("kernel", "name"), ON_GPUS)
def test_on_a_gpu_an_exercise_that_is_done_is_right(filled_in, kernel, name):
    output = check(filled_in / kernel)
    assert re.search(rf"^{name}_exercise on .*: right", output, re.M), output


def test_check_says_what_is_wrong(tmp_path):
    """`check` reports unwritten elements, writes outside the output, misspelt names and compiler errors."""
    folder = tmp_path / "twice"
    skeleton.write_kernel(folder)
    loop = '"""Too short."""\ndef run(x, y):\n    for i in range(len(x) - 1):\n        y[i] = x[i] + x[i]\n'
    (folder / "python_short.py").write_text(loop)
    (folder / "python_long.py").write_text(
        '"""Too long."""\nimport ctypes\ndef run(x, y):\n    y[:] = x + x\n'
        "    ctypes.memset(y.ctypes.data + y.nbytes, 0, 1)\n"
    )
    (folder / "ctypes_c.py").write_text('"""In C."""\nSOURCES = ("twice.c",)\ndef run(x, y):\n    pass\n')
    (folder / "twice.c").write_text("int twice(void)\n{\n    return undeclared_name;\n}\n")
    (folder / "python_name.py").write_text('"""A misspelt name."""\ndef run(x, y):\n    y[:] = x + z\n')
    output = check(folder)
    assert "error: NameError: name 'z' is not defined (python_name.py:3)\n" in output
    assert re.search(
        r"^python_short .*, size 2: wrong_result: y: 1 of 2 .* at \[1\] is nan, .*; elements probably never written: 1",
        output,
        re.M,
    )
    assert re.search(r"^python_long .*, size 2: wrong_result: it wrote outside y, whose shape is \(2,\)", output, re.M)
    assert re.search(r"^ctypes_c .*: build_failed: twice.c: .*\n(    .*\n)*    .*return undeclared_name;", output, re.M)
    assert output.count("python_short on cpu: float") == 3
    assert "python_short on cpu: 22 problems wrong, 2 right\n" in output
    assert "numpy_multiply on cpu: right (24 problems)\n" in output


def test_what_never_ends_is_tried_once(tmp_path, monkeypatch):
    monkeypatch.setattr(checking, "DEADLINE_S", 3.0)
    monkeypatch.chdir(tmp_path)
    skeleton.write_kernel(tmp_path / "twice")
    (tmp_path / "twice" / "python_loop.py").write_text(
        '"""Endless."""\nimport time\ndef run(x, y):\n    while True:\n        time.sleep(1)\n'
    )
    lines = []
    own = EffectiveConfig.of(config.parse({}), catalog.load(tmp_path / "twice"))
    assert not checking.check(own, ["python_loop"], lines.append)
    assert re.match("python_loop on cpu: float64, size 0: timeout: ", lines[0])
    assert lines[1:] == [
        "python_loop on cpu: the remaining problems are not checked, since each may also reach the timeout",
        "python_loop on cpu: 1 problem wrong, 0 right",
    ]


# Steps of a student, from `new` to the report


@pytest.mark.slow
def test_from_the_start_to_the_report(tmp_path, described):
    files.write_json(tmp_path / "results/local/machine.json", described)
    begun = accelbench("new", "--exercise", "esrf-1-profile", "--directory", "mine", cwd=tmp_path)
    assert "Edit, then: python -m accelbench check mine/inside_polygon/python_tuples_exercise.py" in begun.stdout
    file = Path("mine", "inside_polygon", "python_tuples_exercise.py")
    narrow((tmp_path / file).parent)

    first = accelbench("check", file, cwd=tmp_path)
    assert first.returncode == 1
    assert "write inside(), then delete this line" in first.stdout

    text = (tmp_path / file).read_text()
    (tmp_path / file).write_text(re.sub(r".*raise NotImplementedError.*\n", "", text))
    wrong = accelbench("check", file, cwd=tmp_path)
    assert wrong.returncode == 1
    assert re.search(r"size 1: wrong_result: mask: .* the worst at \[0, \d+\] is 0, expected 1", wrong.stdout)

    (tmp_path / file).write_text(text)
    fill_in(tmp_path / file)
    right = accelbench("check", file, cwd=tmp_path)
    assert right.returncode == 0, right.stdout
    assert "python_tuples_exercise on cpu: right" in right.stdout

    own = {"kernels_path": [str(tmp_path / "mine")], "preset": "smoke", "peaks": False, "backends": ["python"]}
    own["protocol"] = {"repetitions": 1, "budget_s": 0.02, "min_rounds": 5}
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(own))
    done = accelbench("run", "--configfile", "mine.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    timings = pd.read_csv(tmp_path / "results" / "local" / "tables" / "timings.csv").set_index("implementation")
    assert timings.loc[["python_tuples_exercise", "python_tuples", "numpy_scanline"], "outcome"].eq("ok").all()
    assert timings.loc["python_tuples_exercise", "speedup"] < 1
    assert "python_tuples_exercise" in read_pages(tmp_path / "reports" / "local" / "index.html")

    arguments = ("inside_polygon", "python_tuples_exercise", "--configfile", "mine.yaml")
    profiled = accelbench("profile", *arguments, cwd=tmp_path)
    assert profiled.returncode == 0, profiled.stderr
    profiles = "".join(path.read_text() for path in (tmp_path / "results" / "local" / "profile").glob("*/*.json"))
    assert "python_tuples_exercise" in profiles
    assert "inside" in profiles


def test_nothing_that_was_begun_is_overwritten(kernels):
    result = invoke("new", "--exercise", "esrf-3-class", "--directory", kernels)
    assert result.exit_code == 2
    assert "already exists" in result.stderr


@pytest.mark.parametrize("arguments", [("--exercise", "esrf-9"), (), ("saxpy", "--exercise", "esrf-3-class")])
def test_new_refuses_what_is_no_exercise(tmp_path, arguments):
    result = invoke("new", *arguments, "--directory", tmp_path)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert "list" in result.stderr or "esrf-1-profile" in result.stderr
    assert not list(tmp_path.iterdir())
