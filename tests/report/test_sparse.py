"""Reports of few results and of damaged files, and reports that replace an older one."""

import json
import math
import re
import shutil

import pretended_results.cpu
import pytest
from read_results import write_report
from report_page import Page, read_pages

from accelbench.errors import InputError


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = pretended_results.cpu.write(tmp_path_factory.mktemp("results") / "local")
    return folder


@pytest.mark.processes
@pytest.mark.usefixtures("as_svg")
def test_size_alone_is_drawn_as_a_ranking(results, tmp_path):
    folder = _only(results, tmp_path / "results", "monte_carlo_pi", lambda r: r if r["size"] == 10**7 else None)
    index = write_report(folder, tmp_path / "report")
    page = Page(read_pages(index))
    _, *rows = page.table("Numbers of: Time at size 10⁷, int64")
    assert {row[0] for row in rows} >= {"numpy_random", "pyopencl_raw", "numba_parallel"}
    names = {path.stem for path in (tmp_path / "report" / "figures" / "report").iterdir()}
    assert "monte_carlo_pi-time-int64" in names
    assert not [name for name in names if "-threads-" in name]  # with two numbers of threads, a sentence suffices
    assert re.search(r"Speedup by more threads at size 10⁷: \w+ [\d.]+× \(1 to 2\), ", read_pages(index))
    assert not [name for name in names if name.startswith(("monte_carlo_pi-speedup", "monte_carlo_pi-blocks"))]


@pytest.mark.processes
@pytest.mark.usefixtures("as_svg")
def test_figures_of_an_earlier_report_do_not_stay(results, tmp_path):
    stale = tmp_path / "figures" / "report" / "gone-time-float64.svg"
    stale.parent.mkdir(parents=True)
    stale.touch()
    write_report(_only(results, tmp_path / "one", "monte_carlo_pi"), tmp_path)
    assert not stale.exists()
    assert (tmp_path / "figures" / "report" / "monte_carlo_pi-time-int64.svg").exists()


def _only(results, folder, kernel, edit=lambda record: record):
    """Copy the results of one kernel. `edit` returns a record, which it may change, or None to drop the record."""
    for name in ("timings", "kernels"):
        (folder / name).mkdir(parents=True)
    shutil.copyfile(results / "machine.json", folder / "machine.json")
    shutil.copyfile(results / "kernels" / f"{kernel}.json", folder / "kernels" / f"{kernel}.json")
    lines = (results / "timings" / f"{kernel}.jsonl").read_text(encoding="utf-8").splitlines()
    edited = [json.dumps(record) for line in lines if (record := edit(json.loads(line))) is not None]
    (folder / "timings" / f"{kernel}.jsonl").write_text("\n".join(edited) + "\n", encoding="utf-8")
    return folder


@pytest.mark.usefixtures("as_svg")
def test_process_alone_gives_neither_winner_nor_verdict(tmp_path):
    folder = pretended_results.cpu.write(tmp_path / "results", repetitions=1, kernels=("monte_carlo_pi",))
    text = read_pages(write_report(folder, tmp_path / "report"))
    assert "measured in a single repetition: ratios have no intervals" in text
    assert "The interval of a time describes only this repetition" in text
    assert "Bands are 95 % intervals within the one repetition, cut off at" in text
    assert {row["verdict"] for row in Page(text).cases("monte_carlo_pi") if row["outcome"] == "ok"} == {""}


@pytest.mark.processes
@pytest.mark.usefixtures("as_svg")
def test_case_that_scatters_is_undetermined_and_no_tie(results, tmp_path):
    def scatter(record):
        if (record["implementation"], record["size"]) == ("ctypes_c", 10_000_000):
            compute = record["timings"]["compute"]
            factors = (0.05, 4, 60)
            compute["samples_s"] = [[t * f for t in own] for f, own in zip(factors, compute["samples_s"], strict=True)]
            compute["median_s"] *= math.prod(factors) ** (1 / len(factors))
            for end, factor in (("low", 1e-4), ("high", 1e4)):
                compute |= {name: compute["median_s"] * factor for name in compute if name.endswith(f"{end}_s")}
        return record

    folder = _only(results, tmp_path / "results", "monte_carlo_pi", scatter)
    text = read_pages(write_report(folder, tmp_path / "report"))
    (race,) = re.findall(r'<div class="race">.*?</div>', text, re.DOTALL)
    assert race.count("undetermined") == 1
    assert "undetermined: ctypes_c<" in race
    assert "tie of" not in race.split('<span class="size">')[-1]


@pytest.mark.usefixtures("as_svg")
def test_kernel_without_a_single_time_has_its_place(results, tmp_path):
    def crash(record):
        return record | {"outcome": "crashed", "reason": "SIGILL", **pretended_results.UNMEASURED}

    folder = _only(results, tmp_path / "results", "monte_carlo_pi", crash)
    text = read_pages(write_report(folder, tmp_path / "report"))
    assert "SIGILL" in text
    assert "monte_carlo_pi-time" not in text


def _cut(path):
    path.write_text(path.read_text(encoding="utf-8")[:40], encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("machine.json", lambda path: path.unlink()),
        ("machine.json", _cut),
        ("machine.json", lambda path: path.write_text('{"schema_version": 99}')),
        ("kernels/monte_carlo_pi.json", _cut),
        ("kernels/monte_carlo_pi.json", lambda path: path.unlink()),
        ("timings/monte_carlo_pi.jsonl", _cut),
        ("timings/monte_carlo_pi.jsonl", lambda path: path.write_text("")),
    ],
)
def test_damaged_files_are_named_and_an_older_report_stays(results, tmp_path, name, damage):
    folder = _only(results, tmp_path / "results", "monte_carlo_pi")
    index = tmp_path / "report" / "index.html"
    index.parent.mkdir()
    index.write_text("older")
    damage(folder / name)
    with pytest.raises(InputError) as error:
        write_report(folder, tmp_path / "report")
    assert name in str(error.value)
    assert error.value.remedy
    assert index.read_text() == "older"


@pytest.mark.processes
@pytest.mark.usefixtures("as_svg")
def test_time_is_told_by_its_parts_and_their_steps(results, tmp_path):
    folder = _only(results, tmp_path / "results", "monte_carlo_pi")
    assert "Where the time went" not in read_pages(write_report(folder, tmp_path / "before"))
    path = folder / "kernels" / "monte_carlo_pi.json"
    described = json.loads(path.read_text(encoding="utf-8"))
    described["runs"][0] |= {"wall_s": 100.0, "steps_s": {"sample": 50.0, "inputs": 4.0, "compare": 2.0, "later": 24.0}}
    path.write_text(json.dumps(described), encoding="utf-8")
    page = Page(read_pages(write_report(folder, tmp_path / "report")))
    assert page.table("Where the time went") == [
        ["step", "time", "share"],
        ["sampling", "50.0 s", "50.0 %"],
        ["sample samples, and the requests for them", "50.0 s", "50.0 %"],
        ["checking", "6.00 s", "6.0 %"],
        ["inputs inputs and references", "4.00 s", "4.0 %"],
        ["compare comparison of results with references", "2.00 s", "2.0 %"],
        ["rest", "44.0 s", "44.0 %"],
        ["later", "24.0 s", "24.0 %"],
        ["between steps planning, ends of workers, journals", "20.0 s", "20.0 %"],
    ]
