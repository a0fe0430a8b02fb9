"""Answers from times written down here, worked out by hand."""

import itertools
import math
import re
import statistics
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest
from scipy import stats

from accelbench import decide
from accelbench.analysis.analysis import Family
from accelbench.analysis.choices import Best
from accelbench.config.model import Protocol
from accelbench.decide import remedies, words
from accelbench.decide.answer import between
from accelbench.decide.choices import (
    COMPILER,
    FIRST,
    IMPLAUSIBLE,
    NO_VERDICT,
    SLOWER,
    TONES,
    Candidate,
    FamilyChoices,
    SizeChoices,
    Timed,
    _sure,
    strip,
)
from accelbench.decide.portfolio import Fastest, portfolios
from accelbench.figures.speedup_map import Cell
from accelbench.report import heatmaps
from accelbench.toolchains import compiler
from accelbench.toolchains.compiler import BuildError

PLACES = {"pinned": "pinned", "pageable": "pageable", "kept": "kept", "resident": "resident"}


def timed(seconds, standing=SLOWER, width=0.01):
    return Timed(seconds, seconds * (1 - width), seconds * (1 + width), standing, 3, 0, 5, 1.0)


def candidate(name, resident, pinned=None, *, first=(), lines=10, startup_s=0.1):
    """On the GPU where `pinned` is another time; `first` are the places where nothing is proven faster."""
    times = {"resident": resident, "pinned": pinned or resident, "pageable": pinned or resident}
    made = {place: timed(seconds, FIRST if place in first else SLOWER) for place, seconds in times.items()}
    return Candidate(
        name=name,
        backend=name.split("_")[0],
        device="H200" if pinned else "",
        place="nvidia-h200" if pinned else "cpu",
        gpu=pinned is not None,
        baseline=name.startswith("numpy"),
        lines=lines,
        startup_s=startup_s,
        timed=made,
    )


HOST = ("pinned", "pageable")
SMALL = [
    candidate("numpy_sum", 1e-5, lines=3),
    candidate("cffi_openmp", 1e-6, first=(*HOST, "resident"), lines=20),
    candidate("cupy_array", 5e-6, 9e-5, lines=2, startup_s=2.0),
]
LARGE = [
    candidate("numpy_sum", 1e-2, lines=3),
    candidate("cffi_openmp", 1e-3, first=HOST, lines=20),
    candidate("numba_parallel", 1.005e-3, first=HOST, lines=8, startup_s=0.9),
    candidate("cupy_array", 2e-5, 3e-3, first=("resident",), lines=2, startup_s=2.0),
]


def over_numpy(candidates):
    """The same, with their speedups over the baseline among them."""
    numpy = next((c for c in candidates if c.baseline), None)
    return [
        replace(
            c, timed={p: replace(t, speedup=numpy and numpy.timed[p].seconds / t.seconds) for p, t in c.timed.items()}
        )
        for c in candidates
    ]


def choices(*problems, options=""):
    found = [SizeChoices(size, over_numpy(candidates), []) for size, candidates in problems]
    return decide.Choices("box", PLACES, [FamilyChoices(Family("sum", "float64", options, "float64"), found)])


def ask(found, size, place, calls=1000):
    return decide.answer(found, decide.State("sum", "float64", "", size, place, calls))


def test_what_to_take_and_what_other_choices_cost():
    told = ask(choices((1000, SMALL), (10**7, LARGE)), 10**7, "pinned")
    assert [choice.name for choice in told.leaders] == ["cffi_openmp", "numba_parallel"]
    assert told.least.name == "numba_parallel"
    assert told.numpy.loss_s == pytest.approx(9e-3)
    assert (
        "Staying with NumPy costs 9.00\N{NO-BREAK SPACE}ms a call, 90\N{NO-BREAK SPACE}% of its time." in told.sentences
    )
    assert told.gpu_pays.crossover == "never"
    assert told.numpy_beaten.crossover == "always"
    assert told.soonest.all_s == pytest.approx(0.1 + 1000 * 1e-3)


@pytest.mark.parametrize(("calls", "told"), [(1, "1 call is"), (2, "2 calls are")])
def test_one_call_is_done_and_several_are(calls, told):
    found = ask(choices((1000, SMALL), (10**7, LARGE)), 10**7, "resident", calls)
    assert any(
        sentence.startswith(f"With starting up, {told} done first by cffi_openmp:") for sentence in found.sentences
    )


def test_a_gpu_pays_against_the_best_of_the_cores_from_a_size_in_a_bracket():
    told = ask(choices((1000, SMALL), (10**7, LARGE)), 10**7, "resident")
    assert (told.gpu_pays.crossover, told.gpu_pays.below, told.gpu_pays.at) == ("from", 1000, 10**7)
    assert told.gpu_pays.between == 100_000
    assert told.best.name == "cupy_array on H200"


@pytest.mark.parametrize(
    ("below", "at", "size"), [(1000, 10**7, 10**5), (128, 256, 200), (10**5, 10**7, 10**6), (1, 2, None), (0, 100, 50)]
)
def test_the_size_to_measure_lies_between_and_is_round(below, at, size):
    assert between(below, at) == size


@pytest.mark.parametrize(
    ("calls", "best"), [(1, "cffi_openmp"), (3, "cffi_openmp"), (4, "cupy_array on H200"), (1000, "cupy_array on H200")]
)
def test_kept_data_pay_for_the_way_once(calls, best):
    """Of n calls one takes 3 ms, the others 20 µs: 1.013 ms each of three, 0.765 ms of four."""
    told = ask(choices((10**7, LARGE)), 10**7, "kept", calls)
    assert told.best.name == best
    gpu = next(choice for choice in told.ranking if choice.candidate.gpu)
    assert gpu.seconds == pytest.approx((3e-3 + (calls - 1) * 2e-5) / calls)


def test_kept_data_tie_where_intervals_overlap():
    told = ask(choices((10**7, LARGE[:3])), 10**7, "kept")
    assert [choice.name for choice in told.leaders] == ["cffi_openmp", "numba_parallel"]


def test_data_kept_for_one_call_go_there_and_back():
    found = choices((10**7, LARGE))
    kept, pinned = (ask(found, 10**7, place, 1) for place in ("kept", "pinned"))
    assert kept.ranking == pinned.ranking
    assert kept.leaders == pinned.leaders
    assert kept.first == pinned.first
    assert kept.gpu_pays == pinned.gpu_pays
    assert kept.gpu_at["kept"] == kept.gpu_at["pinned"]


@pytest.mark.parametrize(
    ("told_s", "seconds"),
    [(1.06e-3, 1.06e-3), (0.95e-3, 0.95e-3), (2e-3, 1.005e-3), (0.5e-3, 1e-3)],  # those that lead take 1 and 1.005 ms
)
def test_what_is_told_of_those_that_lead_is_near_what_they_take_themselves(told_s, seconds):
    """In two repetitions that disagree the others' choice is something else, and its time another one's."""
    found = choices((10**7, LARGE))
    (family,) = found.families
    reported = decide.choices.Reported(told_s, told_s / 9, told_s * 9, 4.0)
    problems = [replace(family.problems[0], fastest={"pinned": reported})]
    told = ask(replace(found, families=[replace(family, problems=problems)]), 10**7, "pinned")
    assert told.first.seconds == seconds
    own = next((choice for choice in told.leaders if choice.seconds == seconds), None)
    if own:
        assert (told.first.low, told.first.high, told.first.speedup) == (own.timed.low, own.timed.high, own.speedup)
    else:
        assert told.first == reported


def test_the_lowest_time_leads_too_where_rounds_say_otherwise():
    first = [candidate("cffi_a", 1e-3, first=("resident",)), candidate("cffi_b", 0.96e-3)]
    told = ask(choices((10**7, [LARGE[0], *first])), 10**7, "resident")
    assert [choice.name for choice in told.leaders] == ["cffi_b", "cffi_a"]
    once = replace(first[1], timed={"resident": timed(0.96e-3, NO_VERDICT)})
    told = ask(choices((10**7, [LARGE[0], first[0], once])), 10**7, "resident")
    assert [choice.name for choice in told.leaders] == ["cffi_a"], "of one repetition nobody knows"


def test_without_numpy_the_reason_is_told():
    found = choices((10**7, LARGE[1:]))
    (family,) = found.families
    why = remedies.Missing(("numpy_sum", "numpy_other"), 2, "too_slow", "a call takes longer than 0.1 s", "raise it")
    problems = [replace(family.problems[0], missing=[replace(why, who=("cupy_raw",)), why])]
    told = ask(replace(found, families=[replace(family, problems=problems)]), 10**7, "pinned")
    assert "NumPy has no time here: too slow, a call takes longer than 0.1 s." in told.sentences
    assert not any("NumPy has no time" in sentence for sentence in ask(found, 10**7, "pinned").sentences)


def test_without_rivals_on_the_cores_nobody_knows_whether_a_gpu_pays():
    found = choices((1000, SMALL), (10**7, [LARGE[0], LARGE[3]]))
    told = ask(found, 10**7, "resident")
    assert told.gpu_pays.crossover == "never"  # at the one size that tells
    assert any("not pay at 10³, the one size with both sides measured" in sentence for sentence in told.sentences)
    assert told.sentences[-1].startswith(
        "Nothing but numpy was measured on the cores at this size, so whether the GPU pays"
    )
    command = "python -m accelbench run --kernel sum --size 10000000 --backend cffi --backend numba"
    assert told.sentences[-1].endswith(f"is not known ({command}).")
    assert decide.default_state(found, "sum").size == 1000
    assert decide.default_state(found, "sum").place == "pinned"


def test_what_scatters_far_is_no_tie_with_what_is_faster_than_it_by_far():
    """Kept data, from two times each: the third may be as fast as the first, but is behind the second, which is not."""
    best, second, wide = (
        candidate(name, seconds) for name, seconds in (("cffi_a", 1e-3), ("cffi_b", 2e-3), ("cffi_c", 3e-3))
    )
    wide.timed.update(dict.fromkeys(wide.timed, timed(3e-3, NO_VERDICT, width=0.9)))
    for one in (best, second):
        one.timed.update({place: replace(t, standing=NO_VERDICT) for place, t in one.timed.items()})
    told = ask(choices((10**7, [wide, second, best])), 10**7, "kept")
    assert [choice.name for choice in told.ranking] == ["cffi_a", "cffi_b", "cffi_c"]
    assert [choice.name for choice in told.leaders] == ["cffi_a"]


def test_what_ties_with_numpy_gains_nothing():
    tie = [candidate("cffi_openmp", 1e-3, first=HOST), candidate("numpy_sum", 1.2e-3, first=HOST)]
    told = ask(choices((10**7, tie)), 10**7, "pinned")
    assert told.sentences[0].endswith("a call. None is proven faster than NumPy.")
    assert not any("Staying with NumPy" in sentence for sentence in told.sentences)
    assert told.numpy_beaten.crossover == "never"


def test_sizes_that_nothing_but_numpy_had_say_nothing_of_leaving_it():
    alone = [candidate("numpy_sum", 5e-2, first=HOST), candidate("cupy_array", 1e-4, 6e-2)]
    told = ask(choices((1000, SMALL), (10**8, alone)), 1000, "pinned")
    assert (told.numpy_beaten.crossover, told.numpy_beaten.up_to) == ("always", 1000)


def test_one_size_is_not_every_size():
    told = ask(choices((1000, SMALL)), 1000, "pinned")
    assert words.bracket(told.numpy_beaten, "Leaving NumPy") == "Leaving NumPy pays at the one size measured."
    assert words.bracket(told.gpu_pays, "The GPU") == "The GPU does not pay at the one size measured."
    assert any(
        sentence.startswith("The GPU does not pay at the one size measured, data pinned; at this size")
        for sentence in told.sentences
    )
    larger = ask(choices((1000, [c for c in SMALL if not c.baseline]), (10**7, LARGE)), 1000, "pinned")
    told = words.bracket(larger.numpy_beaten, "Leaving NumPy")
    assert told == "Leaving NumPy pays at 10⁷, the one size with both sides measured."


def test_sizes_without_numpy_say_nothing_of_leaving_it():
    """Where it was too slow nobody knows by how much; the page opens where it is compared with."""
    found = choices((1000, SMALL), (10**8, [candidate("cffi_openmp", 1e-3, first=HOST)]))
    assert ask(found, 1000, "pinned").numpy_beaten.up_to == 1000
    assert decide.default_state(found, "sum").size == 1000


@pytest.mark.parametrize(("high", "sure"), [(1.05, 3), (1.2, 2), (1.6, 1)])
def test_what_scatters_far_is_not_sure(high, sure):
    assert _sure(1.0, high, [False] * 6) == sure


def test_what_is_implausible_wins_nothing():
    fast = candidate("cupy_wrong", 1e-9, 1e-9)
    fast.timed.update(dict.fromkeys(fast.timed, timed(1e-9, IMPLAUSIBLE)))
    told = ask(choices((10**7, [*LARGE, fast])), 10**7, "pinned")
    assert told.best.name == "cffi_openmp"
    assert told.ranking[-1].name == "cupy_wrong on H200"


def test_portfolios_are_the_best_of_their_number():
    """Against every set there is, by their definition."""
    problems = [
        {"numpy": (8.0, 1), "cffi": (2.0, 9), "cupy": (1.0, 5), "numba": (1.5, 3)},
        {"numpy": (9.0, 1), "cffi": (1.0, 9), "cupy": (3.0, 5), "numba": (1.1, 3)},
        {"numpy": (2.0, 1), "cupy": (2.5, 5)},
    ]
    asked = [
        {backend: Fastest(f"kernel{n}", f"{backend}_way", *told) for backend, told in own.items()}
        for n, own in enumerate(problems)
    ]
    found = portfolios(asked, {"numpy"})
    assert [len(one.backends) for one in found] == [0, 1, 2]
    for one in found:
        shares = []
        for chosen in itertools.combinations(("cffi", "cupy", "numba"), len(one.backends)):
            least = [min(own[name][0] for name in ("numpy", *chosen) if name in own) for own in problems]
            ratios = [min(s for s, _ in own.values()) / mine for own, mine in zip(problems, least, strict=True)]
            shares.append(math.prod(ratios) ** (1 / 3))
        assert one.share == pytest.approx(max(shares))
    assert found[-1].backends == ("cffi", "cupy")
    assert found[-1].lines == 5 + 9 + 1
    assert [one.name for one in found[-1].fastest] == ["cupy_way", "cffi_way", "numpy_way"]


def three_kernels():
    """Of each another backend is the fastest, by far."""
    packages = {"numpy": "numpy", "cffi": "cffi", "numba": "numba, llvmlite", "cupy": "cupy-cuda13x"}
    families = []
    for kernel, best in (("sum", "cffi"), ("sort", "numba"), ("fft", "cupy")):
        times = {name: 1e-3 if name == best else 1e-1 for name in ("cffi", "numba", "cupy")}
        several = [
            replace(candidate(f"{name}_way", s), compilers=("gcc",) * (name == "cffi")) for name, s in times.items()
        ]
        problem = SizeChoices(1000, [candidate("numpy_way", 1.0), *several], [])
        families.append(FamilyChoices(Family(kernel, "float64", "", "float64"), [problem]))
    return decide.Choices("box", PLACES, families, packages)


def learn(*kernels):
    """What to learn over some kernels, by its backends."""
    told = decide.answer(three_kernels(), decide.State("sum", "float64", "", 1000, "pinned", learn=kernels))
    return {one.backends: one for one in told.portfolios}


def test_portfolios_are_over_the_kernels_that_are_chosen():
    assert list(learn()) == [(), ("cffi",), ("cffi", "cupy"), ("cffi", "cupy", "numba")]
    assert list(learn("sort")) == [(), ("numba",)]
    over_two = learn("sum", "fft")
    assert list(over_two)[-1] == ("cffi", "cupy")
    assert over_two["cffi",].share == pytest.approx((1e-3 / 1e-1) ** 0.5)
    assert [(one.kernel, one.name) for one in over_two["cffi",].fastest] == [("sum", "cffi_way"), ("fft", "cffi_way")]


def test_what_must_be_installed_for_a_portfolio():
    """Packages of its backends, and compilers of what counts."""
    assert words.needs(learn()[()]) == ""
    assert words.needs(learn()["cffi", "cupy", "numba"]) == "pip install cffi cupy-cuda13x numba llvmlite, with gcc"
    assert words.needs(learn("sort")["numba",]) == "pip install numba llvmlite"


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("gcc (Debian 12.2.0-14+deb12u1) 12.2.0, cffi 2.1.1", "gcc"), ("nvcc V13.0.88", "nvcc"),
        ("NVRTC 13.0, CuPy 13.6.0", "NVRTC"), ("GNU Fortran (Debian 12.2.0-14) 12.2.0, numpy 2.4.6", "GNU Fortran"),
        ("Apple clang version 17.0.0 (clang-1700.0.13.3)", "Apple clang"),
        ("Debian clang version 14.0.6, cffi 2.1.1", "Debian clang"),
    ],
)  # fmt: skip
def test_a_compiler_is_named_without_its_version(told, name):
    assert COMPILER.match(told)[0] == name


@pytest.mark.parametrize(
    ("outcome", "reason", "remedy"),
    [
        ("unavailable", "package pycuda not installed: pip install pycuda", "pip install pycuda"),
        (
            "unavailable",
            "package x not installed: .venv-x/bin/python -m pip install x",
            ".venv-x/bin/python -m pip install x",
        ),
        ("unavailable", "the environment jax is not there: make install LOCK=jax", "make install LOCK=jax"),
        (
            "unavailable",
            "no NVIDIA driver: libcuda.so.1 not found",
            "needs a computer with an NVIDIA GPU and its driver",
        ),
        (
            "too_slow",
            "one call takes 0.5 s, the limit max_call_s is 0.1 s",
            "raise protocol: max_call_s in the configuration",
        ),
        ("timeout", "no answer within 60 s", "raise protocol: timeout_s in the configuration"),
        (
            "unavailable",
            "no gfortran: install it (Debian, Ubuntu: apt install gfortran) or set build.fc in the configuration",
            "apt install gfortran",
        ),
        ("crashed", "killed by signal 11", "try it again: python -m accelbench run --retry"),
    ],
)
def test_a_reason_has_a_remedy(outcome, reason, remedy):
    assert remedies.remedy(outcome, reason) == remedy
    assert set(re.findall(r"protocol: (\w+)", remedy)) <= Protocol.model_fields.keys()


@pytest.mark.parametrize("find", [partial(compiler.locate, key="cc"), partial(compiler.version_of, key="fc")])
def test_what_a_compiler_is_missing_for_is_one_reason(find):
    with pytest.raises(BuildError) as missing:
        find("no-such-compiler")
    rows = [SimpleNamespace(outcome="build_failed", reason=f"{name}: {missing.value}") for name in ("a.f90", "b.c")]
    assert {remedies.reason_of(row) for row in rows} == {("build_failed", str(missing.value))}
    faulty = SimpleNamespace(outcome="build_failed", reason="a.c: a.c:3: error: x was not found")
    assert remedies.reason_of(faulty) == ("build_failed", faulty.reason)


def test_a_strip_shows_how_far_samples_are_from_their_median():
    told = strip({"r1": {0: 1.0, 1: 1.0, 2: math.exp(0.01)}, "r2": {0: 1.0, 1: math.exp(-10)}})
    middle = len(TONES) // 2
    assert [[TONES.index(tone) - middle for tone in own] for own in told.split(" ")] == [[0, 0, 2], [0, -middle]]


def test_the_interval_is_of_the_samples_that_the_time_is_of():
    """Of each repetition those of the case that the others chose, whichever case that was."""
    samples = {"a": {0: 1.0, 1: 1.2, 2: 1.1}, "b": {0: 2.0, 1: 2.0, 2: 2.1}, "c": {0: 1.5, 1: 1.4, 2: 1.6}}
    best = Best(None, SimpleNamespace(samples=samples), "compute", 2)
    logs = [math.log(s) for s in (1.1, 2.0, 1.5)]
    low, high = stats.t.interval(0.95, 2, statistics.fmean(logs), statistics.stdev(logs) / 3**0.5)
    assert best.interval == pytest.approx((math.exp(low), math.exp(high)))
    assert best.interval[0] < best.seconds < best.interval[1]
    assert Best(None, SimpleNamespace(samples={"a": samples["a"]}), "compute", 2).interval is None


def test_a_time_without_numpy_beside_it_stands_above_what_has_none():
    shown = [Cell(None, "too slow"), Cell(None, heatmaps.NO_BASELINE), Cell(0.5), Cell(2.0)]
    assert max(shown[:2], key=heatmaps._rank) is shown[1]
    assert sorted((shown[3], shown[1], shown[0], shown[2]), key=heatmaps._rank) == shown
