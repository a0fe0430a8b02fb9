"""Tests of answers about results with given times; the expected answers are worked out by hand."""

import itertools
import math
import re
import statistics
from types import SimpleNamespace

import pytest
from pretended_results import GPU, about, record, save
from read_results import read
from scipy import stats

from accelbench.analysis.choosing import Best
from accelbench.analysis.verdicts import AMBIGUOUS, DIFFERENCE, Comparison, judge, more_repetitions
from accelbench.config.model import Protocol
from accelbench.decide import Answers, portfolio, remedies, words
from accelbench.decide.answer import CALLS, between
from accelbench.decide.portfolio import COMPILER, portfolios
from accelbench.decide.words import TONES, standing, strip
from accelbench.figures.style import ratio, seconds

ON_GPU = {"name": GPU["device"], "kind": "gpu"}
HOST = ("pinned", "pageable")


def steady(seconds):
    """Return times of three repetitions: `seconds`, 0.1 % more, and 0.1 % less."""
    return tuple(seconds * factor for factor in (1.0, 1.001, 0.999))


def host(name, seconds, size=1000, *, lines=10, startup_s=0.1, **fields):
    startup = {"import_s": startup_s}
    return record(name, size, compute=steady(seconds), source_lines=lines, startup=startup, **fields)


def gpu(name, seconds, ways, size=1000, *, lines=2, startup_s=2.0):
    """Return a record of a case on a GPU: calls take `seconds` with data on the device, `ways` with transfers."""
    kinds = dict.fromkeys(("compute", "throughput", "call"), steady(seconds))
    kinds |= dict.fromkeys(("end_to_end", "end_to_end_pinned"), steady(ways))
    return record(name, size, source_lines=lines, startup={"import_s": startup_s}, **kinds, **GPU)


SMALL = [
    host("numpy_thing", 1e-5, lines=3),
    host("cffi_openmp", 1e-6, lines=20),
    gpu("cupy_array", 5e-6, 9e-5),
]
LARGE = [
    host("numpy_thing", 1e-2, 10**7, lines=3),
    host("cffi_openmp", 1e-3, 10**7, lines=20),
    host("numba_parallel", 1.001e-3, 10**7, lines=8, startup_s=0.9),
    gpu("cupy_array", 2e-5, 3e-3, 10**7),
]


@pytest.fixture
def ask(tmp_path):
    """Return a function that saves records and returns the Answer for a size, a place of data and a number of calls."""
    folders = itertools.count()

    def answer(records, size, place, calls=1000, **more):
        devices = [ON_GPU] if any(each.device == GPU["device"] for each in records) else []
        answers = Answers(read(save(tmp_path / str(next(folders)), *records, devices=devices, **more)))
        (family,) = answers.sizes
        return answers.at(family, size, place=place, calls=calls)

    return answer


def names(answer, bests):
    return [words.named(answer, best) for best in bests]


def test_what_to_take_and_what_other_choices_cost(ask):
    told = ask([*SMALL, *LARGE], 10**7, "pinned")
    assert set(names(told, told.leaders)) == {"cffi_openmp", "numba_parallel"}
    assert words.named(told, told.least) == "numba_parallel"
    assert (
        "Staying with NumPy costs 9.00\N{NO-BREAK SPACE}ms a call: the best takes 90\N{NO-BREAK SPACE}% less."
        in words.details(told)
    )
    assert told.gpu_pays.crossover == "never"
    assert told.numpy_beaten.crossover == "always"
    assert told.total_s(told.soonest) == pytest.approx(0.1 + 1000 * 1e-3)


def test_headline_says_what_its_row_says(ask):
    told = ask([*SMALL, *LARGE], 1000, "pinned")
    first = told.ranking[0]
    assert words.headline(told) == (
        f"cffi_openmp: {seconds(first.seconds)} a call, {ratio(told.numpy.seconds / first.seconds)} as fast as NumPy; "
        f"proven: the next is {ratio(told.ranking[1].seconds / first.seconds)} slower."
    )


@pytest.mark.parametrize(("calls", "first"), [(1, "cffi_openmp"), (10, "cffi_openmp"), (10**6, "numba_parallel")])
def test_what_ties_stands_in_the_order_of_all_calls_with_starting_up(ask, calls, first):
    tie = [host("cffi_openmp", 1.01e-3, lines=20), host("numba_parallel", 1e-3, lines=8, startup_s=0.9)]
    told = ask([host("numpy_thing", 1e-2), *tie], 1000, "pageable", calls)
    assert (names(told, told.leaders)[0], len(told.leaders)) == (first, 2)
    assert told.total_s(told.leaders[0]) < told.total_s(told.leaders[1])
    assert any("ordered by the total time" in sentence for sentence in words.details(told))


def test_what_is_proven_slower_stands_in_the_order_of_its_time(ask):
    told = ask([*SMALL, *LARGE], 10**7, "pinned", 1)
    others = told.ranking[len(told.leaders) :]
    assert [best.seconds for best in others] == sorted(best.seconds for best in others)


@pytest.mark.parametrize(("calls", "told"), [(1, "1 call"), (10, "10 calls")])
def test_what_ends_first_with_starting_up_is_named(ask, calls, told):
    found = words.details(ask([*SMALL, *LARGE], 10**7, "resident", calls))
    assert any(sentence.startswith(f"Including start-up, cffi_openmp ends {told} first: in ") for sentence in found)


def test_a_gpu_pays_against_the_best_of_the_cores_from_a_size_in_a_bracket(ask):
    told = ask([*SMALL, *LARGE], 10**7, "resident")
    assert (told.gpu_pays.crossover, told.gpu_pays.below, told.gpu_pays.at) == ("from", 1000, 10**7)
    assert told.gpu_pays.between == 100_000
    assert words.named(told, told.best) == "cupy_array on H200"


@pytest.mark.parametrize(
    ("below", "at", "size"), [(1000, 10**7, 10**5), (128, 256, 200), (10**5, 10**7, 10**6), (1, 2, None), (0, 100, 50)]
)
def test_the_size_to_measure_lies_between_and_is_round(below, at, size):
    assert between(below, at) == size


@pytest.mark.parametrize(("calls", "best"), [(1, "cffi_openmp"), (3, "cffi_openmp"), (4, "cupy_array on H200")])
def test_kept_data_pay_for_the_way_once(ask, calls, best):
    """The first call takes 3 ms, later calls take 20 us. The mean is 1.013 ms for three calls and 0.765 ms for four."""
    told = ask([*SMALL, *LARGE], 10**7, "kept", calls)
    assert names(told, told.leaders)[0] == best
    on_gpu = next(each for each in told.ranking if each.case.on_accelerator)
    assert on_gpu.seconds == pytest.approx((3e-3 + (calls - 1) * 2e-5) / calls, rel=1e-4)


def test_kept_data_take_what_the_two_times_shown_elsewhere_make(ask):
    noisy = [record(name, 10**7, compute=own) for name, own in (("numpy_thing", (1e-2, 2e-2, 1e-2)), ("cffi_a", 3e-3))]
    kinds = dict.fromkeys(("compute", "throughput", "call"), (2e-5, 5e-5, 2.1e-5))
    ways = dict.fromkeys(("end_to_end", "end_to_end_pinned"), (3e-3, 3.5e-3, 9e-3))
    records = [*noisy, record("cupy_array", 10**7, **kinds, **ways, **GPU)]
    pinned, resident, kept = (
        next(each.seconds for each in ask(records, 10**7, place, 10).ranking if each.case.on_accelerator)
        for place in ("pinned", "resident", "kept")
    )
    assert kept == pytest.approx((pinned + 9 * resident) / 10)


def test_data_kept_for_one_call_go_there_and_back(ask):
    kept, pinned = (ask([*SMALL, *LARGE], 10**7, place, 1) for place in ("kept", "pinned"))
    for told in (kept, pinned):
        assert [best.seconds for best in told.ranking] == [best.seconds for best in pinned.ranking]
        assert words.headline(told) == words.headline(pinned)
    assert kept.gpu_pays == pinned.gpu_pays


def test_each_other_place_of_the_data_has_one_sentence(ask):
    told = words.details(ask([*SMALL, *LARGE], 10**7, "pinned"))
    found = [re.match(r"Data (\w+): (.*), ", sentence) for sentence in told]
    assert [(each[1], each[2]) for each in found if each] == [
        ("pageable", "cffi_openmp or numba_parallel"),
        ("kept", "cupy_array on H200"),
        ("resident", "cupy_array on H200"),
    ]


def test_without_numpy_the_reason_is_told(ask):
    why = record("numpy_thing", outcome="too_slow")
    told = ask([why, host("cffi_openmp", 1e-3)], 1000, "pageable")
    assert "NumPy has no time here: too slow, a call takes longer than max_call_s allows." in words.details(told)
    assert "as fast as NumPy" not in words.headline(told)


def test_without_rivals_on_the_cores_nobody_knows_whether_a_gpu_pays(ask):
    told = ask([*SMALL, LARGE[0], LARGE[3]], 10**7, "resident")
    assert told.gpu_pays.crossover == "never"  # at size 1000, the only one with a rival on the cores
    assert any(
        "not pay at 10³, the only size at which both sides were measured" in each for each in words.details(told)
    )
    assert words.headline(told).startswith("Undecided: cupy_array on H200: ")
    assert words.headline(told).endswith("the only measurements on the cores at this size are of numpy.")
    assert words.to_decide(told) == "--size 10000000 --backend cffi --backend numba"
    usual = told.answers.usual(told.family)
    assert (usual.size, usual.place) == (1000, "pinned")


def test_what_ties_with_numpy_gains_nothing(ask):
    told = ask([host("cffi_openmp", 1e-3), host("numpy_thing", 1.001e-3)], 1000, "pageable")
    assert words.headline(told).endswith("tie of 2.")
    assert "as fast as NumPy" not in words.headline(told)
    assert "Nothing is proven faster than NumPy." in words.details(told)
    assert not any("Staying with NumPy" in sentence for sentence in words.details(told))
    assert told.numpy_beaten.crossover is None or told.numpy_beaten.crossover == "never"


def test_one_size_is_not_every_size(ask):
    told = ask(SMALL, 1000, "pinned")
    assert words.bracket(told.numpy_beaten, "Leaving NumPy") == "Leaving NumPy pays at the only measured size."
    assert "A GPU instead of the cores does not pay at the only measured size, data pinned." in words.details(told)
    larger = ask([*SMALL[1:], *LARGE], 1000, "pinned")
    told = words.bracket(larger.numpy_beaten, "Leaving NumPy")
    assert told == "Leaving NumPy pays at 10⁷, the only size at which both sides were measured."


def test_one_repetition_proves_nothing(ask):
    records = [record(name, compute=s, repetitions=["p1"]) for name, s in (("numpy_thing", 1.0), ("cffi_api", 0.1))]
    told = ask(records, 1000, "pageable")
    assert names(told, told.leaders) == ["cffi_api"]
    assert words.headline(told).endswith("open: it was measured in one repetition.")
    assert "proven" not in words.headline(told)
    assert [standing(told, best) for best in told.ranking] == ["open", ""]


def test_marks_of_rows_agree_with_the_headline(ask):
    """The marks also agree with the headline if only NumPy was measured on the cores."""
    told = ask([*SMALL[::2]], 1000, "pinned")
    assert words.headline(told).startswith("Undecided: ")
    assert standing(told, told.best) == "open"
    proven = ask([host("numpy_thing", 9.0), host("cffi_a", 1.0), host("cffi_b", 2.0)], 1000, "pageable")
    assert words.headline(proven).endswith("proven: the next is 2.00× slower.")
    assert [standing(proven, best) for best in proven.ranking] == ["fastest", "", ""]


def test_what_scatters_is_open_until_so_many_more_repetitions(ask):
    scattered = [record(name, compute=own) for name, own in (("numpy_thing", 9.0), ("cffi_a", (1.0, 1.2, 1.1)))]
    told = ask([*scattered, record("cffi_b", compute=(1.3, 1.2, 1.35))], 1000, "pageable")
    more = words.repetitions_to_decide(told)
    assert 0 < more <= words.MOST_REPETITIONS
    assert words.headline(told).endswith(f"open: {words.plural(more, 'more repetition')} may decide it.")
    assert words.to_decide(told) == f"--config 'protocol={{repetitions: {{max: {3 + more}}}}}'"
    assert [standing(told, best) for best in told.ranking[:2]] == ["open", "open"]


@pytest.mark.parametrize(("centre", "half", "count"), [(0.10, 0.12, 5), (0.0, 0.05, 5), (0.05, 0.04, 3)])
def test_so_many_more_repetitions_decide(centre, half, count):
    """The half-width of the interval decreases as the inverse square root of the number of repetitions."""
    compared = judge(centre, half, half_next=half)
    more = more_repetitions(compared, count, DIFFERENCE)
    assert compared.verdict == AMBIGUOUS
    assert judge(centre, half * math.sqrt(count / (count + more)), half_next=half).verdict != AMBIGUOUS
    assert judge(centre, half * math.sqrt(count / (count + more - 1)), half_next=half).verdict == AMBIGUOUS
    assert more_repetitions(Comparison(1.0), count, DIFFERENCE) == 0


BASE = {"algorithm": "direct", "math": "strict", "target": "native"}
FAST = BASE | {"math": "fast"}
CLASSES = [
    host("numpy_thing", 1e-3, **BASE),
    host("numpy_tricky", 4e-4, **FAST),
    host("cffi_api", 5e-4, **BASE),
    host("cffi_fast", 1e-4, **FAST),
    host("numba_njit", 8e-4, **BASE),
    host("cython_blocked", 3e-4, **BASE | {"algorithm": "blocks"}),
    host("cffi_openmp", 5e-5, threads=8, **BASE),
]
MAIN = {
    "thing": {"baselines": ["numpy_thing", "numpy_tricky"], "algorithms": {"direct": "plain", "blocks": "by blocks"}}
}


@pytest.fixture
def base(ask):
    peak = ask(CLASSES, 1000, "pageable", kernels=MAIN)
    return peak.answers.at(peak.family, peak.size, place="pageable", base=True)


def test_base_compares_one_algorithm_strict_and_native_with_one_thread(base):
    """In base (main algorithm, strict, native, one thread), speedups are relative to the fastest NumPy in base."""
    assert names(base, base.ranking) == ["cffi_api", "numba_njit", "numpy_thing"]
    ratios = [words.speedup(base, best) for best in base.ranking]
    assert ratios == pytest.approx([2.0, 1.25, 1.0], rel=5e-3)
    assert ", 2.00× as fast as NumPy; proven: the next is 1.60× slower." in words.headline(base)
    assert "Without a version in base (hollow): cython." in words.details(base)


def test_peak_takes_whatever_is_right(base):
    peak = base.answers.at(base.family, base.size, place="pageable")
    assert names(peak, peak.ranking)[:2] == ["cffi_openmp", "cffi_fast"]
    assert words.speedup(peak, peak.best) == pytest.approx(8.0, rel=5e-3)
    assert peak.hollow == []


def test_a_time_is_the_same_in_base_and_peak(base):
    peak = base.answers.at(base.family, base.size, place="pageable")
    times = {best.case: best.seconds for best in peak.ranking}
    assert [best.seconds for best in base.ranking] == [times[best.case] for best in base.ranking]


def test_a_portfolio_in_base_has_backends_in_base_alone(base):
    (_, one), *more = (portfolio.of(base.answers, "pageable", 1000, base=own) for own in (True, False))
    assert (one.backends, one.share) == (("cffi",), pytest.approx(1.0))
    assert more[0][-1].backends == ("cffi",)
    assert [best.case.record.implementation for best in more[0][-1].bests] == ["cffi_openmp"]


def test_classes_that_are_not_recorded_make_no_base(ask):
    told = ask(SMALL, 1000, "pinned")
    assert not told.analysis.has_classes
    assert not any(answer.base for answer in told.answers.states(told.family, 1000, "pinned"))


def test_what_is_implausible_wins_nothing(ask):
    limit = record("numpy_read", 10**8, kernel="peak_read", compute=1.0, bytes_read=8e9, bytes_written=0.0)
    moved = {"bytes_read": 8e6, "bytes_written": 0.0}
    records = [
        host(name, s, 10**6, **moved) for name, s in (("numpy_thing", 9e-3), ("cffi_a", 2e-3), ("cffi_wrong", 1e-9))
    ]
    told = ask([*records, limit], 10**6, "pageable")
    assert names(told, told.ranking) == ["cffi_a", "numpy_thing", "cffi_wrong"]


def test_the_front_is_what_no_other_beats_in_both(ask):
    lines = {
        "numpy_thing": (9e-3, 3),
        "cffi_a": (2e-3, 9),
        "cffi_b": (3e-3, 9),
        "numba_a": (2.5e-3, 5),
        "cffi_c": (1e-3, 40),
    }
    told = ask([host(name, s, lines=count) for name, (s, count) in lines.items()], 1000, "pageable")
    assert names(told, told.front) == ["numpy_thing", "numba_a", "cffi_a", "cffi_c"]


def best(kernel, name, own):
    """Return a stand-in for a Best with the attributes that portfolios need; `own` is (seconds, lines of code)."""
    taken, lines = own
    return SimpleNamespace(
        seconds=taken,
        case=SimpleNamespace(record=SimpleNamespace(source_lines=lines, kernel=kernel, implementation=name)),
    )


def test_portfolios_are_the_best_of_their_number():
    problems = [
        {"numpy": (8.0, 1), "cffi": (2.0, 9), "cupy": (1.0, 5), "numba": (1.5, 3)},
        {"numpy": (9.0, 1), "cffi": (1.0, 9), "cupy": (3.0, 5), "numba": (1.1, 3)},
        {"numpy": (2.0, 1), "cupy": (2.5, 5)},
    ]
    asked = [
        {backend: best(f"kernel{n}", f"{backend}_way", told) for backend, told in own.items()}
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
    assert [each.case.record.implementation for each in found[-1].bests] == ["cupy_way", "cffi_way", "numpy_way"]


ARTIFACT = {"outcome": "ok", "path": "x.so", "log": "", "command": None, "seconds": 3.0, "recipe": "0", "page": None}


def test_what_must_be_installed_for_a_portfolio(ask):
    """The packages of the portfolio's backends and the compilers of its implementations must be installed."""
    built = {
        "implementation": "cffi_a",
        "source": "a.c",
        "device": None,
        "compiler": "gcc (Debian 12) 12.2.0",
        **ARTIFACT,
    }
    known = {"numpy_thing": about("numpy_thing"), "cffi_a": about("cffi_a", build=[built])}
    told = ask(
        [host("numpy_thing", 1e-2), host("cffi_a", 1e-3)],
        1000,
        "pageable",
        kernels={"thing": {"implementations": known}},
    )
    told.analysis.machine.backends["cffi"] = SimpleNamespace(versions={"cffi": "2.0.0"})
    for calls in CALLS:
        alone, with_cffi = portfolio.of(told.answers, "pageable", calls)
        assert portfolio.needs(told.answers, alone) == ""
        assert portfolio.needs(told.answers, with_cffi) == "pip install cffi, with gcc"


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


TOO_SLOW = "raise protocol: max_call_s in the configuration"
BLOCK = "the device does not support this block size"


@pytest.mark.parametrize(
    ("outcome", "fields", "cause", "remedy"),
    [
        ("unavailable", {"remedy": "pip install x"}, "why", "pip install x"),
        ("unavailable", {}, "why", "install what the library requires"),
        (
            "build_failed",
            {"reason": "x.c: no gcc", "cause": "no gcc", "remedy": "install gcc"},
            "no gcc",
            "install gcc",
        ),
        ("unsupported", {"reason": "block size 2048 exceeds 1024", "cause": BLOCK}, BLOCK, ""),
        ("unsupported", {}, "why", ""),
        ("too_slow", {}, "a call takes longer than max_call_s allows", TOO_SLOW),
        ("timeout", {}, "why", "raise protocol: timeout_s in the configuration"),
        ("crashed", {"reason": None}, "no reason was given", "try it again: python -m accelbench run --retry"),
    ],
)
def test_what_would_bring_a_time(outcome, fields, cause, remedy):
    told = record("numpy_thing", outcome=outcome, **{"reason": "why"} | fields)
    assert remedies.of_record(told) == (outcome, cause, remedy)
    assert set(re.findall(r"protocol: (\w+)", remedy)) <= Protocol.model_fields.keys()


def test_what_differs_by_its_subject_is_missing_for_one_reason():
    missing = {"outcome": "build_failed", "cause": "no gcc", "remedy": "install gcc", "timings": {}}
    rows = [record(f"cffi_{name}", reason=f"{name}.c: no gcc", **missing) for name in ("a", "b")]
    (found,) = remedies.of_problem([SimpleNamespace(record=row, ok=False) for row in rows])
    assert (found.who, found.cases, found.reason, found.remedy) == (("cffi_a", "cffi_b"), 2, "no gcc", "install gcc")


def test_a_strip_shows_how_far_samples_are_from_their_median():
    told = strip({"r1": {0: 1.0, 1: 1.0, 2: math.exp(0.01), 3: 1.0}, "r2": {0: 1.0, 1: math.exp(-10)}})
    middle = len(TONES) // 2
    assert [TONES.index(tone) - middle for tone in told] == [0, 2, 0, -middle]


def test_the_interval_is_of_the_samples_that_the_time_is_of():
    """Each repetition contributes samples of the case that the other repetitions choose."""
    samples = {"a": {0: 1.0, 1: 1.2, 2: 1.1}, "b": {0: 2.0, 1: 2.0, 2: 2.1}, "c": {0: 1.5, 1: 1.4, 2: 1.6}}
    best = Best(None, "compute", samples, {})
    logs = [math.log(s) for s in (1.1, 2.0, 1.5)]
    low, high = stats.t.interval(0.95, 2, statistics.fmean(logs), statistics.stdev(logs) / 3**0.5)
    assert best.interval == pytest.approx((math.exp(low), math.exp(high)))
    assert best.interval[0] < best.seconds < best.interval[1]
    assert Best(None, "compute", {"a": samples["a"]}, {}).interval is None
