"""Tests of reference cases and peaks, which are sampled beside the cases of a problem."""

from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from accelbench import config, project
from accelbench.config import select
from accelbench.measure import plan, references, rounds
from accelbench.measure.plan import Problem
from accelbench.store import files, load

GPU = "Some GPU"
EXAMPLE = project.ROOT / "reports" / "examples" / "cpu"


class Fake:
    """Stand-in for a ReferenceCase's CaseRunner. Each sample gives one microsecond per call."""

    alive = True

    def sample(self, case, loops):
        return {"compute": 1e-6}

    def close(self):
        self.alive = False


def companion(kernel, device="cpu", peak=None, size=references.CACHED):
    case = SimpleNamespace(id=f"{kernel}/{device}", device=device, threads=None if device == GPU else 1, size=size)
    return references.ReferenceCase(case, Fake(), 1, peak, 8.0)


@pytest.fixture
def leaving(monkeypatch):
    """Return (wanted, stand-in for a Bench). Tests write the peaks that cases need to `wanted`.

    wanted  {peak: {(device, threads)}}
    """
    wanted = {}
    monkeypatch.setattr(
        references, "_wanted_peaks", lambda bench, cases: {name: set(of) for name, of in wanted.items()}
    )
    bench = SimpleNamespace(device=lambda case: SimpleNamespace(on_host=case.device == "cpu"))
    bench.footprint = SimpleNamespace(working_set=lambda problem: problem)
    bench.steps = SimpleNamespace(step=lambda name: nullcontext())
    return wanted, bench


def case(device, touched=1000):
    """Return a case whose calls touch `touched` bytes."""
    return SimpleNamespace(device=device, problem=touched)


def sampled(watching, cases):
    """Sample what `cases` need once. Return ({id of a reference case}, [(peak, device)])."""
    for companion in [each for kind in watching.begin(cases) for each in kind]:
        companion.sample(1)
    found = watching.watched("problem", "r1")
    return set(found.references), [(peak.name, peak.device) for peak in found.peaks]


def test_a_device_has_a_reference_where_its_cases_stay_in_its_cache(leaving):
    """A device has a reference case if its cases fit into its cache. For larger cases, a peak is sampled instead.

    A device without cases has no reference case.
    """
    wanted, bench = leaving
    watching = references.ReferenceSampler(
        bench, [companion("read"), companion("copy", GPU, "copy"), companion("triad", GPU, "triad")]
    )
    assert sampled(watching, [case("cpu"), case(GPU)]) == ({"read/cpu", f"copy/{GPU}"}, [])
    assert sampled(watching, [case("cpu")]) == ({"read/cpu"}, [])
    wanted["triad"] = {(GPU, None)}
    assert sampled(watching, [case("cpu"), case(GPU)]) == ({"read/cpu"}, [("triad", GPU)])


def test_memory_has_a_reference_where_cases_on_the_host_need_it(leaving):
    wanted, bench = leaving
    large, copy = companion("large", size=references.LARGE), companion("copy", peak="copy", size=10**8)
    watching = references.ReferenceSampler(bench, [companion("read"), large, copy])
    assert sampled(watching, [case("cpu"), case(GPU, 10**9)]) == ({"read/cpu"}, [])
    assert sampled(watching, [case("cpu"), case("cpu", 10**8)]) == ({"read/cpu", "large/cpu"}, [])
    wanted["copy"] = {("cpu", 1)}
    assert sampled(watching, [case("cpu", 10**9)]) == ({"read/cpu"}, [("copy", "cpu")])


@pytest.mark.parametrize(
    ("beside", "started"),
    [
        ({}, {("copy", (GPU, None))}),
        ({"copy": {("cpu", 1)}}, {("copy", ("cpu", 1)), ("copy", (GPU, None))}),
        ({"triad": {(GPU, None)}}, {("triad", (GPU, None))}),
    ],
)
def test_each_device_has_one_that_can_be_sampled(leaving, monkeypatch, beside, started):
    (wanted, bench), found = leaving, set()
    wanted |= beside
    monkeypatch.setattr(references, "_start_references", lambda bench, companions, sizes: None)
    monkeypatch.setattr(
        references, "_start_peaks", lambda bench, name, places, **_: found.update((name, place) for place in places)
    )
    with references.watching(bench, [case("cpu"), case(GPU)]):
        assert found == started


TIMES = {("raw", 128): 3.0, ("raw", 512): 2.0, ("sum", None): 1.0, ("broken", None): None, ("elsewhere", None): 0.5}


class Starting:
    """Stand-in for a ReferenceStarter with CuPy's and PyOpenCL's implementations on a GPU. TIMES gives their times."""

    rivals, started = references.ReferenceStarter.rivals, set()

    def __init__(self, bench, kernel):
        on_gpu = {"device": GPU, "threads": None}
        self.planned = [
            SimpleNamespace(
                id=f"{name}/{block}",
                implementation=name,
                backend="pyopencl" if name == "elsewhere" else "cupy",
                block={"block_size": block} if block else {},
                **on_gpu,
            )
            for name, block in TIMES
        ]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def sized(self, case):
        return case

    def start(self, case, *, peak):
        self.started.add(case.id)
        seconds = TIMES[case.implementation, case.block.get("block_size")]
        runner = RUNNERS.setdefault(case.implementation, Fake())
        if seconds is None:
            runner.close()
        return seconds and references.ReferenceCase(case, runner, 1, peak, 8.0, seconds)


RUNNERS = {}


@pytest.mark.parametrize(("fastest", "name", "block"), [(1.0, "sum", {}), (2.5, "raw", {"block_size": 512})])
def test_a_peak_is_of_the_fastest_way_there(monkeypatch, fastest, name, block):
    """A peak is measured with the fastest implementation and block size of a backend. The other workers end.

    On an H200, one implementation of `read` reaches 2.8 TB/s, but another one reaches 4.2 TB/s.
    """
    RUNNERS.clear()
    monkeypatch.setattr(references, "ReferenceStarter", Starting)
    monkeypatch.setitem(TIMES, ("sum", None), fastest)
    kept = []
    references._start_peaks(None, "read", places={(GPU, None)}, known=set(), companions=kept)
    ((companion,),) = [kept]
    assert (companion.case.implementation, companion.case.block, companion.peak) == (name, block, "read")
    assert {each for each, runner in RUNNERS.items() if runner.alive} == {name}


def test_what_an_earlier_repetition_found_to_be_the_fastest_is_started_alone(monkeypatch):
    monkeypatch.setattr(references, "ReferenceStarter", Starting)
    monkeypatch.setattr(Starting, "started", set())
    RUNNERS.clear()
    kept = []
    references._start_peaks(None, "read", places={(GPU, None)}, known={"raw/512", "of another peak"}, companions=kept)
    assert [companion.case.id for companion in kept] == ["raw/512"]
    assert Starting.started == {"raw/512"}


def test_arrays_of_a_peak_exceed_the_cache():
    """The input array of a peak exceeds the cache by a fixed factor, even if the result is a single element."""
    case = SimpleNamespace(problem=Problem("peak_read", {}, 1, "float64"))
    cache = 60 << 20
    footprint = SimpleNamespace(cache_bytes=lambda case: cache, arrays=lambda problem: 8 * problem.size + 8)
    starter = SimpleNamespace(_bench=SimpleNamespace(footprint=footprint))
    size = references.ReferenceStarter._elements_beyond_caches(starter, case)
    assert 8 * size == pytest.approx(references.BEYOND * cache, rel=1e-6)


@pytest.mark.processes
def test_a_problem_that_leaves_the_cache_has_the_machines_bandwidth_beside_it(bench):
    """Beside a problem that exceeds the cache, the peak `copy` is sampled.

    The kernel `doubling` reads as much as it writes, like copying.
    """
    machine = files.read_json(bench.results / "machine.json")
    machine["cpu"]["caches"]["L3"] = 1 << 20
    files.write_json(bench.results / "machine.json", machine)
    bench.settings |= {"sizes": [1000, 1_000_000], "peaks": True, "threads": [1]}
    bench.measure()
    values, _ = files.read_lines(bench.journal())
    watched = {value["watched"]["problem"]: value["watched"] for value in values if "watched" in value}
    assert [w["peaks"] for problem, w in watched.items() if problem.endswith("/1000")] == [[]]
    ((peak,),) = [w["peaks"] for problem, w in watched.items() if problem.endswith("/1000000")]
    assert (peak["name"], peak["device"], peak["threads"]) == ("copy", "cpu", 1)
    assert peak["moved_bytes"] >= max(references.LEAST_BYTES, references.BEYOND * 2**20) * 0.99
    assert 3 <= len(peak["samples_s"]) == len(set(peak["rounds"])) <= rounds.PEAK_ROUNDS
    assert all(1e8 < peak["moved_bytes"] / seconds < 1e12 for seconds in peak["samples_s"]), "implausible bandwidth"
    assert peak["case"].endswith("/cpu/threads=1")


@pytest.mark.parametrize(
    ("name", "cache_bytes", "expected"),
    [
        ("peak_copy", 1 << 40, set()),
        ("peak_copy", 1 << 10, {"numpy_copyto", "cffi_openmp", "cffi_openmp_unprefetched"}),
        ("peak_matmul", 1 << 40, {"numpy_matmul"}),
    ],
)
def test_a_peak_is_measured_with_one_backend_and_bandwidth_only_beyond_the_cache(name, cache_bytes, expected):
    data = {"kernels": {"vector_sum": {"sizes": [100_000]}}}
    own = select.effective(config.parse(data), name)
    described = load.read_machine(EXAMPLE)
    cpu = described.cpu.model_copy(update={"caches": {"L3": cache_bytes}})
    planned = plan.cases(own, described.model_copy(update={"cpu": cpu}))
    assert {case.implementation for case in planned if case.device == "cpu"} == expected
