"""Tests of figures that show the sizes of CuPy's memory pools."""

import shutil

import pytest
from lecture_figures import put, shown

from accelbench.lectures import entries, measured, page
from accelbench.lectures.own import cupy101

WALKED = {  # {step: (bytes used, bytes held, free pinned blocks)} of CuPy 14.2.0 on an H200
    "at the start": (0, 0, 0), "an array of 400 bytes": (512, 512, 0), "the array is gone": (0, 512, 0),
    "all blocks are freed": (0, 0, 0),
}  # fmt: skip


def walked(home, steps):
    shutil.rmtree(home / "lectures", ignore_errors=True)
    own = entries.find("cupy101-pool")
    rows = [{"step": step, **dict(zip(("used", "held", "pinned"), n, strict=True))} for step, n in steps.items()]
    put(home, own, [], pool={"device": "NVIDIA H200", "cupy": "14.2.0", "rows": rows})
    return own, shown(home, own)


@pytest.mark.parametrize("figure", ["cupy101-pool", "esrf-mask"])
def test_figure_of_which_a_file_says_nothing_is_without_numbers(home, figure):
    own = entries.find(figure)
    put(home, own, [])
    view = shown(home, own)
    assert (view.complete, view.summary) == (False, "Not made here: not measured")


def test_pools_get_a_verdict_beside_what_the_slide_says(home):
    own, view = walked(home, WALKED)
    assert view.table.rows[1] == ["an array of 400 bytes", *"512 24,009,728 512 512 6,000,000,512 512 1 1 0".replace(
        ",", "\N{NARROW NO-BREAK SPACE}").split(" ")]  # fmt: skip
    assert view.sentences == [
        "Holds: bytes used are the same as in the slide's comments: 0, 512, 0 and 0.",
        "Holds: bytes held are the same as in the slide's comments: 0, 512, 512 and 0.",
        "Does not hold: free pinned blocks are 0, 1, 1 and 0 in the slide's comments, and 0, 0, 0 and 0 here.",
        "Does not hold: free pinned blocks are 1, 1, 1 and 0 in the printed output, and 0, 0, 0 and 0 here.",
        "Holds: changes of the bytes used from step to step are the same as in the printed output: 512, −512 and 0.",
    ]
    assert "NVIDIA H200" in page.hardware(own, measured.read(home, own), view.device)
    as_promised = WALKED | {"an array of 400 bytes": (1024, 512, 1), "the array is gone": (0, 512, 1)}
    _, view = walked(home, as_promised)
    assert [sentence.split(":")[0] for sentence in view.sentences] == [
        "Does not hold", "Holds", "Holds", "Does not hold", "Does not hold"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("free", "told"),
    [
        (1, "a pinned block becomes free only when pinned memory is requested (1 free)"),
        (0, "no pinned block becomes free even when"),
    ],
)
def test_pool_block_on_its_way_back_is_looked_at(home, free, told):
    steps = list(WALKED.items())
    _, view = walked(home, dict([*steps[:3], ("pinned memory is asked for", (0, 512, free)), *steps[3:]]))
    assert f"With CuPy 14.2.0, {told}" in view.sentences[-1]


FAKE_CUPY = """
from types import SimpleNamespace

class Pool:
    used = held = 0
    limit = None
    def used_bytes(self): return self.used
    def total_bytes(self): return self.held
    def free_all_blocks(self): self.held = self.used
    def set_limit(self, size): self.limit = size

class Array:
    def __del__(self): pool.used -= 512

class Pinned:
    free, waiting = 0, 0
    def n_free_blocks(self): return self.free
    def free_all_blocks(self): self.free = self.waiting = 0

class OutOfMemoryError(Exception): pass

pool, pinned = Pool(), Pinned()
def get_default_memory_pool(): return pool
def get_default_pinned_memory_pool(): return pinned
def array(on_host):
    assert on_host.nbytes == 400
    pool.used += 512
    pool.held = max(pool.held, pool.used)
    pinned.waiting += 1
    return Array()
def empty(size, dtype):
    if size > pool.limit: raise OutOfMemoryError
def alloc(size):
    assert size > 512, "a smaller array would reuse the freed block"
    pinned.free, pinned.waiting = pinned.free + pinned.waiting, 0
    return object()
__version__ = "0"
cuda = SimpleNamespace(
    Device=lambda: SimpleNamespace(synchronize=lambda: None), alloc_pinned_memory=alloc,
    memory=SimpleNamespace(OutOfMemoryError=OutOfMemoryError),
    runtime=SimpleNamespace(getDeviceProperties=lambda number: {"name": b"a GPU"}))
"""


def test_pool_walk_takes_the_slides_steps(tmp_path, monkeypatch):
    """Like CuPy's pool, FAKE_CUPY frees a pinned block only at the next allocation of pinned memory."""
    (tmp_path / "cupy.py").write_text(FAKE_CUPY)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    seen = cupy101.walk()
    assert seen["device"] == "a GPU"
    assert [tuple(row.values()) for row in seen["rows"]] == [
        ("at the start", 0, 0, 0),
        ("an array of 400 bytes", 512, 512, 0),
        ("the array is gone", 0, 512, 0),
        ("pinned memory is asked for", 0, 512, 1),
        ("all blocks are freed", 0, 0, 0),
        ("twice the limit was asked for, and refused", 0, 0, 0),
    ]
    steps = [row["step"] for row in seen["rows"]]
    assert [*cupy101.COMMENTED] == [*cupy101.PRINTED] == [step for step in steps if step in WALKED]
