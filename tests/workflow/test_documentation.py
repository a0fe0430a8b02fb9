"""The documentation's examples work: the tests run the files and commands that its pages show."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import scratch_python
import yaml

from accelbench import backends, config, project
from accelbench.backends import cuda
from accelbench.kernels import catalog
from accelbench.lectures import entries
from accelbench.measure import checking
from accelbench.store import files

PAGES = sorted(
    [
        *project.ROOT.glob("*.md"),
        *(project.ROOT / "docs").glob("*.md"),
        project.ROOT / "config" / "README.md",
        project.ROOT / "exercises" / "README.md",
        project.ROOT / "results" / "README.md",
    ]
)
SECONDS = {"preset": "smoke", "peaks": False, "dtypes": ["float64"], "threads": ["all"]} | {
    "protocol": {"repetitions": 1, "startup": False, "budget_s": 0.02, "min_rounds": 5}
}


def section(page, title):
    """Return a page's text from a heading to the next one of the same level."""
    text = (project.ROOT / page).read_text()
    start = re.search(rf"^(##+) {re.escape(title)}$", text, re.M)
    following = re.search(rf"^{start[1]} ", text[start.end() :], re.M)
    return text[start.end() :][: following.start() if following else None]


def shown_files(text):
    """Return {path: content} of the code blocks that follow a line with a file's name."""
    return dict(re.findall(r"^`([\w./]+)`:\n\n```\w+\n(.*?)^```$", text, re.M | re.S))


def shown_commands(text):
    return "".join(re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S))


def anchor(heading):
    """Return the anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


class Checkout:
    """A copy of the workflow that tests add files to."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("workflow", "kernels", "config", "envs", "profiles"):
            shutil.copytree(project.ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(project.SNAKEFILE, folder)

    def write(self, text):
        """Write the files that `text` shows and return their paths."""
        files = shown_files(text)
        for path, content in files.items():
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / path).write_text(content)
        return set(files)

    def run(self, script, status=0):
        """Run a script in the checkout and return its output, with the error messages if `status` is not 0."""
        python = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        environment = {**os.environ, "PATH": python, "PYTHONPATH": str(self.folder / "workflow")}
        done = subprocess.run(
            ["bash", "-e", "-c", script], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + (done.stderr if status else "")

    def outcomes(self):
        """Return {implementation: set of outcomes} from the table of timings."""
        timings = pd.read_csv(self.folder / "results" / "local" / "tables" / "timings.csv")
        return timings.groupby("implementation")["outcome"].agg(set).to_dict()


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A checkout with the additions of docs/kernel.md, measured in seconds instead of minutes."""
    checkout = Checkout(tmp_path_factory.mktemp("documentation") / "checkout")
    text = section("docs/kernel.md", "A kernel") + section("docs/kernel.md", "An implementation")
    checkout.written = checkout.write(text)
    config = checkout.folder / "cube.yaml"
    config.write_text(config.read_text() + yaml.safe_dump(SECONDS))
    checkout.told = checkout.run(shown_commands(text))
    return checkout


@pytest.mark.parametrize("page", ["docs/kernel.md", "docs/clusters.md", "exercises/README.md"])
def test_every_configuration_that_is_shown_is_one(page):
    blocks = re.findall(r"^```yaml\n(.*?)^```$", (project.ROOT / page).read_text(), re.M | re.S)
    shown = [block for block in map(yaml.safe_load, blocks) if isinstance(block, dict)]  # entries of figures are a list
    assert shown
    for given in shown:
        config.parse(given, page)


def test_a_kernel_and_an_implementation_are_added(checkout):
    assert checkout.written > {"kernels/cube/kernel.py", "kernels/cube/numpy_multiply.py", "kernels/cube/numba_njit.py"}
    for name in ("numpy_multiply", "numba_njit"):
        assert f"{name} on cpu: right (48 problems)" in checkout.told
    assert {"numpy_multiply": {"ok"}, "numba_njit": {"ok"}}.items() <= checkout.outcomes().items()
    page = checkout.folder / "reports" / "local" / "index.html"
    assert "numba_njit" in page.read_text()


def test_the_recipes_are_for_real_numbers_and_integers(checkout):
    kernel = catalog.load_specification(checkout.folder / "kernels" / "cube")
    assert kernel.spec.dtypes == ("float64", "float32", "int64", "int32")


def test_journals_carried_to_another_folder_are_continued(checkout, tmp_path):
    """A journal that is copied to another folder is continued there, as docs/results.md says of rented machines.

    This test precedes the tests that add implementations, since the journal lacks these implementations.
    """
    journal = Path("results", "local", "journal", "cube.1.jsonl")
    timings = Path("results", "local", "timings", "cube.jsonl")
    (tmp_path / journal).parent.mkdir(parents=True)
    for name in (journal, Path("results", "local", "machine.json")):
        shutil.copy(checkout.folder / name, tmp_path / name)
    before = (tmp_path / journal).read_text()
    checkout.run(f"python -m accelbench run --configfile cube.yaml --directory '{tmp_path}' {timings}")
    assert (tmp_path / journal).read_text() == before
    assert (tmp_path / timings).read_text() == (checkout.folder / timings).read_text()


@pytest.mark.slow
def test_an_implementation_with_native_sources_is_added(checkout):
    """The implementations in CFFI, ctypes and Cython that the page shows are right for every dtype of the kernel."""
    text = section("docs/implementation.md", "An implementation with native sources")
    files = ("cffi_api.py", "ctypes_c.py", "cython_typed.pyx", "cube.c", "cube.h")
    assert checkout.write(text) == {f"kernels/cube/{name}" for name in files}
    told = checkout.run(shown_commands(text))
    for name in ("cffi_api", "cffi_api_fast", "ctypes_c", "cython_typed"):
        assert f"{name} on cpu: right (48 problems)" in told


@pytest.mark.slow
def test_a_kernel_of_other_dtypes_begins_as_new_writes_it(checkout):
    checkout.run("python -m accelbench new started")
    file = checkout.folder / "kernels" / "started" / "kernel.py"
    text = file.read_text()
    known = ("float64", "float32", "float16", "int64", "int32", "int8", "uint8")
    file.write_text(text.replace('("float64", "float32")', repr(known)))
    assert file.read_text() != text
    assert "numpy_multiply on cpu: right (84 problems)" in checkout.run("python -m accelbench check started")


OFF_BY_A_NORM = """

def run(x, y):
    y[...] = x.astype("float64") ** 3
    if y.dtype.kind == "f" and y.size:
        y[0] += SHARE * (y**2).sum() ** 0.5
"""


@pytest.mark.slow
def test_a_kernel_is_judged_by_a_norm(checkout):
    """The functions on the page check results by their norm. The test puts them into a copy of the kernel."""
    (shown,) = re.findall(
        r"^```python\n(.*?)^```$", section("docs/kernel.md", "A result that is judged by its norm"), re.M | re.S
    )
    shutil.copytree(checkout.folder / "kernels" / "cube", checkout.folder / "kernels" / "by_norm")
    file = checkout.folder / "kernels" / "by_norm" / "kernel.py"
    before, after = re.split(r"def tolerance.*?(?=def bytes_moved)", file.read_text(), flags=re.DOTALL)
    file.write_text(f"{before}{shown}\n\n{after}")
    for name, share in (("numpy_near", "5e-7"), ("numpy_far", "2e-6")):
        files.write(
            file.with_name(f"{name}.py"), '"""Off by a part of the norm."""' + OFF_BY_A_NORM.replace("SHARE", share)
        )
    for name in ("numpy_multiply", "numpy_near"):
        assert f"{name} on cpu: right (48 problems)" in checkout.run(f"python -m accelbench check by_norm/{name}")
    said = checkout.run("python -m accelbench check by_norm/numpy_far", status=1)
    assert re.search("float64, size 1: wrong_result: norm of the error: .* exceeds the tolerance", said), said


TAKEN = '''"""Outputs as in the table of docs/kernel.md."""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Outputs", size="elements", sizes={"smoke": (9,), "default": (9,), "lecture": (9,)},
    dtypes=("float64", "int32"), baseline="numpy_filled", mixable=False, smallest=3,
)


def inputs(size, dtype, rng):
    return {"x": np.sort(9 * rng.random(size)).astype(dtype), "z": np.arange(size).astype(dtype), "a": np.float64(2)}


def outputs(size, dtype):
    outs = Output("y", (size,), dtype), Output("z", (size,), dtype, inout=True), Output("total", (), dtype)
    return (*outs, Output("count", (), "int64"))


def reference(x, z):
    return -x, z + x, x.sum(), x.size


def tolerance(expected, dtype):
    allowed = 1e-12 if dtype == "float64" else 0
    return allowed, allowed, allowed, 0


def bytes_moved(size, itemsize):
    return 2 * size * itemsize, 2 * size * itemsize


def flops(size):
    return size
'''
FILLED = {
    "numpy_filled": "def run(x, z, a, y):\n    y[...] = -x\n    z += x\n    return x.sum(), x.size\n",
    "numpy_returned": "def run(x, z, a, y):\n    return -x, z + x, x.sum(), x.size\n",
    "numpy_partial": "def run(x, z, a, y):\n    y[1:] = -x[1:]\n    z += x\n    return x.sum(), x.size\n",
    "numpy_into_input": "def run(x, z, a, y):\n    y[...] = -x\n    z += x\n    x[0] = 0\n    return x.sum(), x.size\n",
}


def test_outputs_are_filled_returned_and_changed_in_place_as_the_page_says(checkout):
    files.write(checkout.folder / "kernels" / "taken" / "kernel.py", TAKEN)
    for name, text in FILLED.items():
        files.write(checkout.folder / "kernels" / "taken" / f"{name}.py", f'"""One way."""\n\n\n{text}')
    for name in ("numpy_filled", "numpy_returned"):
        assert f"{name} on cpu: right (18 problems)" in checkout.run(f"python -m accelbench check taken/{name}")
    said = checkout.run("python -m accelbench check taken/numpy_partial", status=1)
    assert "probably never written: " in said
    assert "read-only" in checkout.run("python -m accelbench check taken/numpy_into_input", status=1)


NUMEXPR = """import sys

use_vml, set_num_threads, get_num_threads = False, print, int


def evaluate(text, out):
    out[...] = eval(text, {}, sys._getframe(1).f_locals)
"""  # stand-in for numexpr, used if .venv-numexpr does not exist


@pytest.fixture(scope="module")
def extended(checkout):
    """The output of the commands in docs/backend.md, in a checkout whose backend numexpr is removed and added again."""
    for pattern in ("workflow/accelbench/backends/numexpr.py", "envs/numexpr.*", "kernels/*/numexpr_*.py"):
        for file in checkout.folder.glob(pattern):
            file.unlink()
    said = checkout.run("python -m accelbench new cube numexpr_evaluate", status=2)
    assert "the name does not begin with a backend" in said
    text = section("docs/backend.md", "A backend")
    checkout.added = checkout.write(text)
    shutil.copy(project.ROOT / "envs" / "numexpr.lock", checkout.folder / "envs")  # `make lock` makes this file
    made, place = project.ROOT / ".venv-numexpr", checkout.folder / ".venv-numexpr"
    if made.is_dir():
        place.symlink_to(made.resolve())
    else:
        scratch_python.make(place, packages=["numpy"], numexpr="2.0")
        files.write(next(place.glob("lib/*/site-packages")) / "numexpr.py", NUMEXPR)
    return checkout.run(shown_commands(text))


@pytest.mark.slow
def test_a_backend_is_added_with_its_environment(checkout, extended):
    """A backend needs a module, a file that names its library, and an implementation.

    The module and the list of libraries on the page are the project's own.
    """
    module, needed = "workflow/accelbench/backends/numexpr.py", "envs/numexpr.in"
    assert checkout.added == {module, needed, "kernels/cube/numexpr_evaluate.py"}
    for file in (module, needed):
        assert (checkout.folder / file).read_text() == (project.ROOT / file).read_text()
    assert "numexpr_evaluate on cpu: right" in extended
    assert checkout.outcomes()["numexpr_evaluate"] == {"ok"}
    assert "numexpr_evaluate" in (checkout.folder / "reports" / "local" / "index.html").read_text()
    described = files.read_json(checkout.folder / "results" / "local" / "machine.json")
    assert described["environments"]["numexpr"]["backends"]["numexpr"]["available"]


RUSTC = """#!/bin/sh
# A stand-in for Rust's compiler: the same functions in C.
[ "$1" = --version ] && exec echo rustc 1.0
while [ "$1" != -o ]; do shift; done
gcc -shared -fPIC -x c - -o "$2" <<END
void cube_float64(const double *x, double *y, long n) { for (long i = 0; i < n; i++) y[i] = x[i] * x[i] * x[i]; }
void cube_float32(const float *x, float *y, long n) { for (long i = 0; i < n; i++) y[i] = x[i] * x[i] * x[i]; }
void cube_int64(const long *x, long *y, long n) { for (long i = 0; i < n; i++) y[i] = x[i] * x[i] * x[i]; }
void cube_int32(const int *x, int *y, long n) { for (long i = 0; i < n; i++) y[i] = x[i] * x[i] * x[i]; }
END
"""


def stand_in(checkout, package, **modules):
    """Write a stand-in for a distribution that is not installed, so that a checkout finds it."""
    for name, text in modules.items():
        files.write(checkout.folder / "workflow" / package / f"{name}.py", text)
    for name in (package, f"{package}lib"):
        about = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
        files.write(checkout.folder / "workflow" / f"{name}-1.0.dist-info" / "METADATA", about)


@pytest.mark.slow
def test_a_backend_whose_calls_return_early_is_added(checkout):
    """Calls that return early are timed to the end of their work; a backend without `wait` is refused with a remedy."""
    text = section("docs/backend.md", "A backend whose calls return before their work is done")
    assert checkout.write(text) == {"workflow/accelbench/backends/futures.py", "kernels/cube/futures_submit.py"}
    assert "futures_submit on cpu: right" in checkout.run(shown_commands(text))
    backend = checkout.folder / "workflow" / "accelbench" / "backends" / "futures.py"
    backend.write_text(re.sub(r"    def wait.*?\n\n", "", backend.read_text(), flags=re.DOTALL))
    said = checkout.run(shown_commands(text), status=1)
    assert "wrong_result: run returned a Future with a method result" in said
    assert "define wait(result) in the Session of the backend" in said


def test_a_toolchain_is_added(checkout, tmp_path, monkeypatch):
    text = section("docs/backend.md", "A toolchain")
    if shutil.which("rustc") is None:
        files.write(tmp_path / "rustc", RUSTC)
        (tmp_path / "rustc").chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    module = "workflow/accelbench/toolchains/rust.py"
    assert {path for path in checkout.write(text) if "/toolchains/" in path} == {module}
    assert (checkout.folder / module).read_text() == (project.ROOT / module).read_text()
    told = checkout.run(shown_commands(text))
    assert "ctypes_rust on cpu: right" in told


def test_table_is_added_by_one_file(checkout):
    text = section("docs/adding.md", "A table")
    assert checkout.write(text) == {"workflow/accelbench/analysis/tables/fastest.py"}
    header, *rows = checkout.run(shown_commands(text)).splitlines()
    assert header == "kernel,case,compute_s"
    assert [row.split("/")[0] for row in rows] == ["cube,cube"]


def test_format_is_added_by_one_file(checkout):
    text = section("docs/adding.md", "A format for other tools")
    assert checkout.write(text) == {"workflow/accelbench/export/formats/markdown.py"}
    header, _, *rows = checkout.run(shown_commands(text)).splitlines()
    assert header == "| case | median in s |"
    assert any(row.startswith("| cube/numpy_multiply/") for row in rows)


@pytest.mark.slow
def test_a_figure_is_added(checkout, extended):
    """A figure's entry is appended as docs/adding.md says, and shows the implementation of the new backend.

    A later mistake in the entry removes no existing picture.
    """
    text = section("docs/adding.md", "A figure")
    (entry,) = re.findall(r"^```yaml\n(.*?)^```$", text, re.M | re.S)
    file = checkout.folder / "config" / "figures.yaml"
    declared = file.read_text()
    file.write_text(declared + entry)
    command = f"{shown_commands(text).strip()} --configfile cube.yaml"
    checkout.run(command)
    picture = checkout.folder / "reports" / "local" / "figures" / "cube-ways.svg"
    drawn = picture.read_text()
    assert "<svg" in drawn
    assert all(name in drawn for name in ("numba_njit", "numexpr_evaluate"))
    file.write_text(declared + entry.replace("kernel: cube", "kernel: no_such_cube"))
    said = checkout.run(command, status=1)
    assert "config/figures.yaml: cube-ways: there is no kernel no_such_cube" in said
    assert picture.read_text() == drawn


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(project.ROOT)) for page in PAGES])
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if "://" in target:
            continue
        path, _, fragment = target.partition("#")
        file = page.parent / path if path else page
        assert file.exists(), target
        if fragment:
            assert fragment in {anchor(heading) for heading in re.findall(r"^#+ (.*)$", file.read_text(), re.M)}, target


def test_what_check_tries_is_said():
    *most, last = checking.SIZES
    said = f"sizes {', '.join(map(str, most))} and {last}, each with four random inputs"
    assert said in Path(project.ROOT, "docs", "kernel.md").read_text()
    assert checking.SEEDS == 4


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(project.ROOT)) for page in PAGES])
def test_commands_that_are_named_exist(page):
    from accelbench.cli import commands

    known = {command.name or command.callback.__name__ for command in commands.app.registered_commands} | {"lecture"}
    named = set(re.findall(r"python -m accelbench ([a-z]+)", page.read_text()))
    assert named <= known


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(project.ROOT)) for page in PAGES])
def test_targets_of_make_that_are_named_exist(page):
    known = set(re.findall(r"^([a-z-]+):", Path(project.ROOT, "Makefile").read_text(), re.M))
    assert set(re.findall(r"(?:`|^    )make ([a-z-]+)", page.read_text(), re.M)) <= known


@pytest.mark.parametrize(("title", "minutes"), [("One hour", 60), ("Three hours", 180), ("A day", 360)])
def test_lessons_are_as_long_as_they_say_and_show_what_there_is(title, minutes):
    rows = re.findall(r"^\| (\d+) \| [^|]*\| ([^|]*)\| ([^|]*)\|$", section("docs/course.md", title), re.M)
    assert sum(int(length) for length, *_ in rows) == minutes
    figures = {name for _, shown, _ in rows for name in re.findall("`([^`]*)`", shown)}
    assert figures <= entries.read().keys()
    assert figures
    lessons = config.read_data(project.ROOT / "config" / "lessons.yaml")
    own = {"One hour": lessons["1h"], "Three hours": lessons["3h"], "A day": lessons["day"][len(lessons["3h"]) :]}
    assert set(own[title]) == figures
    assert lessons["day"] == lessons["3h"] + own["A day"]
    asked = {name for *_, done in rows for name in re.findall(r"`((?:cupy101|esrf|firenze)-[^`]*)`", done)}
    assert asked <= {path.name for path in project.EXERCISES.iterdir()}


def test_how_long_the_smoke_sweep_takes_is_told_alike():
    names = ("README.md", "docs/start.md", "config/README.md", "config/smoke.yaml", "notebooks/first-look.ipynb")
    for name in names:
        text = re.sub(r'(\\n",)?\s+["#]?', " ", (project.ROOT / name).read_text(encoding="utf-8"))  # one line of prose
        assert "about 90 seconds on two cores, 120 with a GPU" in text, name
        assert not re.search(r"[Tt]wo minutes|three minutes|takes (a|two) minute", text), name


def test_the_table_of_clocks_has_every_library_of_today_that_computes_on_gpus():
    """The table lists the libraries of separate environments whose Session or ON_GPU derives from cuda.Session."""
    text = (project.ROOT / "docs" / "evidence.md").read_text()
    table = text.partition("| library | the library's tool |")[2].split("\n\n")[0]
    told = {row.split(" | ")[0].strip("| ").lower().replace(".", "_") for row in table.splitlines()[2:]}
    sessions = {
        name: getattr(module.Session, "ON_GPU", module.Session)
        for name, module in backends.modules().items()
        if backends.environment(name)
    }
    on_gpus = {name for name, session in sessions.items() if issubclass(session, cuda.Session)}
    assert told == {"pytorch" if name == "torch" else name for name in on_gpus}


def test_results_folder_is_in_a_clone_with_its_description_alone(tmp_path):
    """A clone's results folder has only its description, and `make distclean` restores that state."""
    for name in (".gitignore", "Makefile", "results/README.md"):
        files.write(tmp_path / name, (project.ROOT / name).read_bytes())
    files.write(tmp_path / "results/local/machine.json", "x")
    files.write(tmp_path / "reports/local/index.html", "x")
    files.write(tmp_path / "reports/examples/cpu/index.html", "x")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    listed = ["git", "ls-files", "--others", "--exclude-standard", "results"]
    assert subprocess.check_output(listed, cwd=tmp_path, text=True).split() == ["results/README.md"]
    for name in ("envs", "kernels", "tests", "workflow"):
        (tmp_path / name).mkdir()
    subprocess.run(["make", "distclean"], cwd=tmp_path, check=True, capture_output=True)
    left = {str(path.relative_to(tmp_path)) for top in ("results", "reports") for path in (tmp_path / top).rglob("*.*")}
    assert left == {"results/README.md", "reports/examples/cpu/index.html"}
