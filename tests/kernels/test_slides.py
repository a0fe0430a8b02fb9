"""Tests that sources fit on slides: most are short, long ones mark their idea, tuned ones have a plain counterpart."""

import re
from pathlib import Path
from statistics import median

import pytest

from accelbench.pages import source

ROOT = Path(__file__).parents[2]
FILES = [
    file
    for parent in ("kernels", "workflow/peaks")
    for file in sorted((ROOT / parent).glob("*/*.*"))
    if file.name != "kernel.py" and file.suffix in (".py", ".pyx", ".c", ".h", ".cu", ".cl")
]
IMPLEMENTATIONS = [file for file in FILES if file.suffix in (".py", ".pyx")]
SLIDE = 34  # Maximum length of a slide, in lines
# Code that belongs in KernelCase and Session: block counts, types and modules
NOISE = re.compile(
    r"run\.module|\{\"float(64|32)\": \"?(ctypes\.c_)?(double|float)\W"
    # divisions that round up: use case.blocks for blocks, math.ceil for anything else
    r"|-\s*\(\s*-|// ?-|- 1\) ?// ?[\w.]+ ?\+ ?1\b|\+ ?[^()\n]+ ?- ?1\) ?//"
    r"|ceil\([^\n]*\b(case\.)?block(_size)?\b|// ?(case\.)?block(_size)? ?\+ ?1"
)
# Suffixes of tuned implementations, and of their plain counterparts
TUNED = re.compile(r"(\w+?)_(packed|runs|tiled|register_tiled|one_launch|fused|streaming)")
PLAIN = ("", "_naive", "_jit", "_openmp", "_parallel")


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


@pytest.mark.parametrize("file", [file for file in IMPLEMENTATIONS if TUNED.fullmatch(file.stem)], ids=name)
def test_tuned_has_a_plain_one_beside_it(file):
    plain = TUNED.fullmatch(file.stem)[1]
    assert any(file.with_stem(plain + addition) in IMPLEMENTATIONS for addition in PLAIN)


def test_every_suffix_names_something():
    tuned = {match[2] for file in IMPLEMENTATIONS if (match := TUNED.fullmatch(file.stem))}
    assert tuned == set(re.search(r"\((packed[^)]*)\)", TUNED.pattern)[1].split("|"))


@pytest.mark.parametrize(
    "spelling",
    [
        "grid = -(-case.size // block)",
        "grid = -(-n // case.block_size)",
        "grid = - ( -n // 256)",
        "grid = -(n // -block)",
        "grid = (n + block - 1) // block",
        "grid = (n + case.block_size - 1) // case.block_size",
        "grid = (case.size - 1) // block + 1",
        "grid = math.ceil(case.size / block)",
        "grid = int(np.ceil(case.size / case.block_size))",
        "grid = case.size // case.block_size + 1",
    ],
)
def test_noise_is_heard_however_it_is_spelled(spelling):
    assert NOISE.search(spelling)


def test_case_counts_blocks_and_names_types():
    assert not [file for file in IMPLEMENTATIONS if NOISE.search(text(file))]
