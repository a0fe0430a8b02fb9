"""The machine's page: the measured instances and the protocol."""

import re

import pytest
from examples import EXAMPLES, RENDERED
from pretended_results import record, save
from read_results import published_table, write_report, write_tables
from report_page import Page, read_pages

from accelbench.model.instance import Instance
from accelbench.model.names import PROTOCOL_VERSION
from accelbench.report import method

pytestmark = pytest.mark.usefixtures("svg_alone")
DEVICES = [{"name": "NVIDIA H200 #1", "kind": "gpu"}, {"name": "NVIDIA H200 #2", "kind": "gpu"}]


def measuring(instance, repetitions, started="2026-01-01T00:00:00+00:00"):
    about = {"started": started, "wall_s": 1.0, "in_samples_s": 0.5, "cases": 1, "command": "", "commit": None}
    named = {"instance": instance.name, "hardware": instance.model_dump()} if instance else {}
    about |= {"dirty": None, "config": {}, "run": "r", "repetitions": repetitions, "protocol_version": PROTOCOL_VERSION}
    return about | named


def page_of(folder, *records, runs=(), devices=(), baselines=()):
    about = {"title": "numpy_thing", "backend": "numpy", "variant": None, "threads": False, "parameters": [],
             "toolchain": None, "flags": [], "source_lines": 1, "files": [], "build": []}  # fmt: skip
    thing = {"implementations": {r.implementation: about for r in records if r.kernel == "thing"}}
    thing |= {"runs": list(runs), "baselines": list(baselines)}
    save(folder / "here", *records, devices=devices, kernels={"thing": thing})
    write_tables(folder / "here")
    return read_pages(write_report(folder / "here", folder / "reports" / "here"))


def facts(text):
    return dict(re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", text))


CARDS = [Instance(name=f"card{n}", stepping="8", gpus=[f"GPU-{n}{n}{n}{n}{n}{n}{n}{n}-0000"]) for n in (1, 2)]


def test_page_says_how_many_instances_repetitions_come_from(tmp_path):
    """The page lists each instance once, in the order of measurement."""
    later = measuring(CARDS[0], ["p1"], "2026-01-02T00:00:00+00:00")
    runs = [later, measuring(CARDS[1], ["p2", "p3"]), measuring(CARDS[1], [], "2026-01-03T00:00:00+00:00")]
    text = page_of(tmp_path, record("numpy_thing", compute=1.0), runs=runs)
    told = facts(text)["Instances"]
    assert told == "card2 (stepping 8, GPUs GPU-22222222); card1 (stepping 8, GPUs GPU-11111111)"
    assert "The repetitions come from 2 instances of this machine" in text


@pytest.mark.parametrize("instance", [CARDS[0], None])
def test_page_counts_no_instances_where_there_is_one_or_none_known(tmp_path, instance):
    text = page_of(tmp_path, record("numpy_thing", compute=1.0), runs=[measuring(instance, ["p1", "p2", "p3"])])
    assert facts(text).get("Instance") == (instance and str(instance))
    assert "instances of this machine" not in text


def test_a_backend_that_is_there_and_has_no_time_says_what_would_help(tmp_path):
    remedy = "install gcc or set build.cc in the configuration"
    numpy, ran = record("numpy_thing", compute=1.0), record("pyopencl_thing", compute=1.0)
    failed = record("pyopencl_more", outcome="build_failed", remedy=remedy)
    told = f"None of its cases has a time: {remedy}"
    assert told in page_of(tmp_path, numpy, failed)
    assert told not in page_of(tmp_path / "ran", numpy, failed, ran)


def test_headline_and_figures_show_times_of_the_same_place_of_the_data(tmp_path):
    """Without a GPU, these times include the time in which an implementation converts host arrays."""
    numpy = record("numpy_thing", compute=0.476)
    converting = record("numba_thing", compute=0.09, call=0.09, end_to_end=0.119)
    text = page_of(tmp_path, numpy, converting, baselines=["numpy_thing"])
    page = Page(text)
    assert "numba_thing: 119\N{NO-BREAK SPACE}ms a call, 4.00× as fast as NumPy" in text
    overview = page.table("Numbers of: Peak: the best of each backend over NumPy at the largest size, float64")
    times = page.table("Numbers of: Time at size 10³, float64")
    assert next(row for row in overview if row[0] == "numba")[1].startswith("4.00×")
    assert next(row for row in times if row[0] == "numba_thing")[1].startswith("119")
    assert [row["end to end"] for row in page.cases("thing") if row["implementation"] == "numba_thing"] == [0.119]


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.parametrize("machine", RENDERED)
def test_cases_that_were_not_quiet_are_counted_without_peaks(machine):
    table = published_table(machine)
    own = table[(table.outcome == "ok") & ~table.kernel.str.startswith("peak_")]
    told = re.search(r"<dd>(\d+) of (\d+) cases: other", (EXAMPLES / machine / "machine.html").read_text("utf-8"))
    assert (int(told[1]), int(told[2])) == ((own.noisy == True).sum(), len(own))  # noqa: E712


def test_repetitions_are_those_of_most_times(tmp_path):
    """The page gives the number of repetitions that most times have.

    A baseline may have more, since it is sampled with every group of a kernel's cases.
    """
    names = ("p1", "p2", "p3", "p4")
    numpy = record("numpy_thing", compute=1.0, repetitions=names)
    others = [record(name, compute=1.0, repetitions=names[:2]) for name in ("cffi_api", "ctypes_c")]
    text = page_of(tmp_path, numpy, *others, runs=[measuring(None, list(names))])
    assert "The whole measurement is repeated in fresh processes (2 here)." in text


@pytest.mark.processes
@pytest.mark.parametrize("today", [PROTOCOL_VERSION, PROTOCOL_VERSION + 1])
def test_page_marks_what_an_older_protocol_measured(tmp_path, monkeypatch, today):
    monkeypatch.setattr(method, "PROTOCOL_VERSION", today)
    text = page_of(tmp_path, record("numpy_thing", compute=1.0), runs=[measuring(None, ["p1", "p2", "p3"])])
    marks = re.findall(r'<p class="note">Old: (.*?)</p>', text)
    told = f"measured by version {PROTOCOL_VERSION} of the protocol (current: {today})."
    assert marks == ([told] if today > PROTOCOL_VERSION else [])


def an_hour_apart(*runs):
    """Return metadata of runs that started an hour apart; each argument lists the repetitions of one run."""
    return [
        measuring(CARDS[0], list(names)) | {"run": names[0], "started": f"2026-01-01T{10 + n}:00:00+00:00"}
        for n, names in enumerate(runs)
    ]


@pytest.mark.processes
def test_what_two_runs_differ_by_is_seen_where_there_are_two(tmp_path):
    """Run-to-run variation is estimated from two runs.

    Ratios of one run differ from those of the other by a factor of 1.02718; its logarithm is 0.0268. The median
    absolute deviation is 0.6745 standard deviations, so the standard deviation is 0.0398, less the part that
    repetitions explain.
    """
    names = ("p1", "p2", "p3", "p4")
    numpy = [record("numpy_thing", n, compute=1.0, repetitions=names) for n in range(1, 21)]
    cffi = [record("cffi_api", n, compute=(1.0, 1.0, 1.02718, 1.02718), repetitions=names) for n in range(1, 21)]
    runs = an_hour_apart(names[:2], names[2:])
    told = facts(page_of(tmp_path, *numpy, *cffi, runs=runs))["Two runs of this machine differ by"]
    percent = re.fullmatch(r"([\d.]+)\N{NO-BREAK SPACE}% \(times on cores\), estimated from 2 runs", told)[1]
    assert 3.4 <= float(percent) <= 4.0


@pytest.mark.processes
def test_runs_that_differ_by_no_more_than_repetitions_are_said_to(tmp_path):
    names = ("p1", "p2", "p3", "p4")
    numpy = [record("numpy_thing", n, compute=1.0, repetitions=names) for n in range(1, 21)]
    cffi = [record("cffi_api", n, compute=(1.0, 1.02, 1.0, 1.02), repetitions=names) for n in range(1, 21)]
    runs = an_hour_apart(names[:2], names[2:])
    told = facts(page_of(tmp_path, *numpy, *cffi, runs=runs))["Two runs of this machine differ by"]
    assert told == (
        "1.0\N{NO-BREAK SPACE}% (times on cores), the assumed minimum: 2 runs differ by at most this "
        "beyond the variance of their repetitions"
    )


def test_several_baselines_are_named(tmp_path):
    times = {"numpy_thing": {10: 1.0, 100: 3.0}, "numpy_other": {10: 2.0, 100: 2.0}, "numpy_mere": {10: 0.1, 100: 0.1}}
    numpy = [record(name, n, compute=s) for name, own in times.items() for n, s in own.items()]
    cffi = [record("cffi_api", n, compute=0.5) for n in (10, 100)]
    text = page_of(tmp_path, *numpy, *cffi, baselines=["numpy_other"])
    told = " ".join(re.sub(r"<[^>]+>", "", text).split())
    assert "Baseline: the fastest at each size of numpy_other, numpy_thing" in told
    rows = {(row["implementation"], row["size"]): row["baseline"] for row in Page(text).cases("thing")}
    assert rows["cffi_api", 10] == "numpy_thing"
    assert rows["cffi_api", 100] == "numpy_other"
