"""Tests that every implementation is shown, used or in lessons.yaml, and that every style of the lectures exists."""

import fnmatch
import re
from pathlib import Path

import pytest
import yaml

from accelbench import project
from accelbench.kernels import catalog, skeleton

KERNELS = {path.parent.name: catalog.load(path.parent) for path in (project.ROOT / "kernels").glob("*/kernel.py")}
LESSONS = yaml.safe_load(Path(__file__).with_name("lessons.yaml").read_text())
MOST_FILES = 940  # Maximum number of files of implementations
CONFIGURATIONS = [
    yaml.safe_load(path.read_text())
    for path in (project.ROOT / "config").glob("*.yaml")
    if path.name not in ("figures.yaml", "lessons.yaml")
]
FIGURES = yaml.safe_load((project.ROOT / "config" / "figures.yaml").read_text())["figures"]
FILES = {(name, i.path.stem) for name, kernel in KERNELS.items() for i in kernel.implementations.values()}
STYLES = [(style, *shown) for style, files in LESSONS["styles"].items() for shown in files.items()]


def select(kernel, pattern):
    """Return the files that a pattern selects, or none if it has wildcards and selects at least half of the files."""
    implementations = KERNELS[kernel].implementations.values()
    files = {(kernel, i.path.stem) for i in implementations if fnmatch.fnmatchcase(i.name, pattern)}
    return files if pattern.isidentifier() or 2 * len(files) < len({i.path for i in implementations}) else set()


def shown_by_configurations():
    for configuration in CONFIGURATIONS:
        kernels, usual = configuration["kernels"], configuration.get("implementations", ())
        for kernel in kernels:
            settings = kernels[kernel] if isinstance(kernels, dict) else None
            for pattern in (settings or {}).get("implementations", usual):
                yield from select(kernel, pattern)


def shown_by_figures():
    for figure in FIGURES:
        for sweep in figure.get("measure", ()):
            for pattern in sweep.get("implementations", ()):
                yield from select(sweep["kernel"], pattern)
            if figure.get("kind") == "ranking":
                yield from (file for file in FILES if file[0] == sweep["kernel"])
        for code in figure.get("code", ()):
            yield code["kernel"], code["implementation"]
        if figure.get("kind") == "profile":
            yield from (tuple(line.split("/")) for line in figure["lines"])


def used():
    """Yield baselines, tuned implementations, those whose sweeps they use, and solutions of exercises."""
    for name, kernel in KERNELS.items():
        yield from ((name, baseline) for baseline in kernel.spec.all_baselines)
        for implementation in kernel.implementations.values():
            if implementation.tuned_by:
                yield from ((name, implementation.path.stem), (name, implementation.tuned_by))
    for folder in skeleton.exercises().values():
        yield from ((folder.name, file.stem.removesuffix("_exercise")) for file in folder.glob("*_exercise.py*"))


def kept():
    yield from ((kernel, name) for kernel, names in LESSONS["keep"].items() for name in names)
    yield from (tuple(file.split("/")) for _, file, _ in STYLES)
    yield from (file for file in FILES if file[0] in LESSONS["every_style"] or file[1] in LESSONS["plain"])


def launches_cuda_source(kernel, name):
    """Return whether PyCUDA or cuda.core launches the implementation's CUDA C, from a file or a string."""
    implementation = KERNELS[kernel].implementations[name]
    compiled = any(source.endswith(".cu") for source in implementation.sources) or "source_module" in name
    return implementation.backend in ("pycuda", "cuda_core") and compiled


def test_the_number_of_implementations_is_limited():
    assert len(FILES) <= MOST_FILES


def test_every_implementation_is_shown_used_or_kept():
    assert sorted(FILES.difference(shown_by_configurations(), shown_by_figures(), used(), kept())) == []


def test_what_is_kept_exists():
    missing = {*kept(), *used()} - FILES
    assert sorted(missing) == []


def test_one_library_launches_a_cuda_source_but_in_five_kernels():
    named = {(kernel, name) for kernel, names in LESSONS["keep"].items() for name in names}
    named |= {tuple(file.split("/")) for _, file, _ in STYLES}
    further = {file for file in FILES - named if launches_cuda_source(*file)}
    assert sorted(file for file in further if file[0] not in LESSONS["launchers"]) == []


@pytest.mark.parametrize(("style", "file", "contents"), STYLES, ids=lambda value: value if "/" in value else "")
def test_style_is_shown_by(style, file, contents):
    kernel, name = file.split("/")
    text = KERNELS[kernel].implementations[name].path.read_text()
    assert re.search(contents, text), f"{file} does not show {style}"


def unused_sources():
    """Yield files of a kernel's folder that no implementation builds, includes or imports."""
    for kernel in KERNELS.values():
        needed = {"kernel.py"}
        for implementation in kernel.implementations.values():
            needed |= {implementation.path.name, *implementation.sources}
        files = {path.name: path for path in kernel.path.iterdir() if path.is_file()}
        for name, path in files.items():
            header = path.suffix == ".h" and f"{path.stem}.c" in needed
            named = rf"[\"<]{re.escape(name)}[\">]|from {path.stem} cimport"
            texts = (other.read_text() for other in files.values() if other != path)
            if name not in needed and not header and not any(re.search(named, text) for text in texts):
                yield f"{kernel.name}/{name}"


def test_every_native_source_is_used():
    assert sorted(unused_sources()) == []
