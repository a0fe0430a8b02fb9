"""What is sampled beside the cases of a problem: references and peaks."""

from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from accelbench.measure import rounds, watch
from accelbench.store import files

GPU = "Some GPU"


class Fake:
    """In place of a Companion's CaseRunner: whatever is asked takes a microsecond."""

    alive = True

    def sample(self, case, loops):
        return {"compute": 1e-6}

    def close(self):
        self.alive = False


def companion(kernel, device="cpu", peak=None, size=watch.CACHED):
    case = SimpleNamespace(id=f"{kernel}/{device}", device=device, threads=None if device == GPU else 1, size=size)
    return watch.Companion(case, Fake(), 1, peak, 8.0)


@pytest.fixture
def leaving(monkeypatch):
    """The peaks that cases are held against, to be filled in; and a Bench with a GPU beside its cores."""
    wanted = {}
    monkeypatch.setattr(watch, "_wanted_peaks", lambda bench, cases: {name: set(of) for name, of in wanted.items()})
    bench = SimpleNamespace(device=lambda case: SimpleNamespace(on_host=case.device == "cpu"))
    bench.footprint = SimpleNamespace(working_set=lambda problem: problem)
    bench.steps = SimpleNamespace(step=lambda name: nullcontext())
    return wanted, bench


def case(device, touched=1000):
    """That touches so many bytes in a call."""
    return SimpleNamespace(device=device, problem=touched)


def sampled(watching, cases):
    """(references, peaks) of a problem beside which everything was sampled once."""
    for companion in [each for kind in watching.begin(cases) for each in kind]:
        companion.sample(1)
    found = watching.watched("problem", "r1")
    return set(found.references), [(peak.name, peak.device) for peak in found.peaks]


def test_a_device_has_a_reference_where_its_cases_stay_in_its_cache(leaving):
    """Beside those that leave it their peak serves; beside cases on the host there is none."""
    wanted, bench = leaving
    watching = watch.Watch(bench, [companion("read"), companion("copy", GPU, "copy"), companion("triad", GPU, "triad")])
    assert sampled(watching, [case("cpu"), case(GPU)]) == ({"read/cpu", f"copy/{GPU}"}, [])
    assert sampled(watching, [case("cpu")]) == ({"read/cpu"}, [])
    wanted["triad"] = {(GPU, None)}
    assert sampled(watching, [case("cpu"), case(GPU)]) == ({"read/cpu"}, [("triad", GPU)])


def test_memory_has_a_reference_where_cases_on_the_host_need_it(leaving):
    wanted, bench = leaving
    large, copy = companion("large", size=watch.LARGE), companion("copy", peak="copy", size=10**8)
    watching = watch.Watch(bench, [companion("read"), large, copy])
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
    monkeypatch.setattr(watch, "_start_references", lambda bench, companions, sizes: None)
    monkeypatch.setattr(
        watch, "_start_peaks", lambda bench, name, places, companions: found.update((name, place) for place in places)
    )
    with watch.watching(bench, [case("cpu"), case(GPU)]):
        assert found == started


def test_a_problem_that_leaves_the_cache_has_the_machines_bandwidth_beside_it(bench):
    """That of copying, as it reads as much as it writes, over arrays that the cache does not hold."""
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
    assert peak["moved_bytes"] >= max(watch.LEAST_BYTES, watch.BEYOND * 2**20) * 0.99
    assert 3 <= len(peak["samples_s"]) == len(set(peak["rounds"])) <= rounds.PEAK_ROUNDS
    assert all(1e8 < peak["moved_bytes"] / seconds < 1e12 for seconds in peak["samples_s"]), "no memory is like that"
