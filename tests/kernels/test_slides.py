"""Kernels as slides: the median is short, what is long marks its idea, what is tuned stands beside something plain."""

import re
from pathlib import Path
from statistics import median

import pytest

from accelbench.pages import source

ROOT = Path(__file__).parents[2] / "kernels"
FILES = [
    file
    for file in sorted(ROOT.glob("*/*.*"))
    if file.name != "kernel.py" and file.suffix in (".py", ".pyx", ".c", ".h", ".cu", ".cl")
]
IMPLEMENTATIONS = [file for file in FILES if file.suffix in (".py", ".pyx")]
SLIDE = 40  # lines
# What an implementation would say of sizes, types and modules, were it not the case and the session that do.
NOISE = re.compile(r"run\.module|-\(-case\.size // (case\.)?block|\{\"float(64|32)\": \"?(ctypes\.c_)?(double|float)\W")


def name(file):
    return f"{file.parent.name}/{file.name}"


def text(file):
    return file.read_text(encoding="utf-8")


def test_median_implementation_has_14_lines():
    assert median(len(text(file).splitlines()) for file in IMPLEMENTATIONS) <= 14


@pytest.mark.parametrize("file", [file for file in FILES if len(text(file).splitlines()) > SLIDE], ids=name)
def test_long_file_marks_its_idea(file):
    assert any(idea for idea, _ in source.parts(file.name, text(file)))


def test_ideas_end_before_the_next_begins():
    for file in FILES:
        marks = [match[1] for line in text(file).splitlines() if (match := re.search(r"\W (idea:|end of idea)", line))]
        assert marks == ["idea:", "end of idea"] * (len(marks) // 2), file


@pytest.mark.parametrize("suffix", ["packed", "runs", "register_tiled", "one_launch"])
def test_tuned_has_a_plain_one_beside_it(suffix):
    tuned = [file for file in IMPLEMENTATIONS if re.fullmatch(rf"\w+_(raw|jit)_{suffix}", file.stem)]
    assert tuned
    for file in tuned:
        plain = file.stem.removesuffix(f"_{suffix}")
        assert any(file.with_stem(name).is_file() for name in (plain, f"{plain}_naive")), file


def test_case_counts_blocks_and_names_types():
    assert not [file for file in IMPLEMENTATIONS if NOISE.search(text(file))]
