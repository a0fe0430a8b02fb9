"""The whole workflow, from end to end, as users run it."""

import csv
import json
import re
import shutil
import zipfile

import pytest
import yaml
from command_line import shell
from report_page import read_pages
from twice import plan, snakemake, write_module

from accelbench import config as configuration
from accelbench import project
from accelbench.store import files

SMOKE = project.ROOT / "config" / "smoke.yaml"


@pytest.fixture(scope="module")
def smoke(tmp_path_factory):
    """(folder, finished process) of a sweep of one kernel in a separate folder, with a configuration own.yaml.

    The sweep builds few implementations. It builds without optimisation, since optimising takes PoCL half a minute.
    """
    workplace = tmp_path_factory.mktemp("smoke")
    own = {"kernels": ["vector_sum"], "build": {"cflags": ["-O0"], "opencl_flags": ["-cl-opt-disable"]}}
    own["implementations"] = ["numba_njit", "ctypes_c", "cffi_api", "cython_typed", "pyopencl_raw*"]
    (workplace / "own.yaml").write_text(yaml.safe_dump(yaml.safe_load(SMOKE.read_text()) | own))
    return workplace, shell("accelbench", "run", "--configfile", "own.yaml", "--cores", "all", cwd=workplace)


@pytest.mark.e2e
@pytest.mark.slow
def test_smoke_configuration_measures_all_its_kernels(tmp_path):
    done = shell("accelbench", "run", "--configfile", SMOKE, "--cores", "all", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert measured_kernels(tmp_path) >= set(configuration.read(SMOKE).kernels)


def measured_kernels(workplace):
    """Return the kernels with a case that is ok in the table of timings."""
    with (workplace / "results/local/tables/timings.csv").open() as stream:
        return {row["kernel"] for row in csv.DictReader(stream) if row["outcome"] == "ok"}


@pytest.mark.e2e
@pytest.mark.slow
def test_module_measures_another_workflows_kernels(workplace, described):
    write_module(workplace, preset="smoke", protocol={"repetitions": 1, "startup": False, "budget_s": 0.02})
    files.write_json(workplace / "sub" / "results" / "local" / "machine.json", described)
    done = snakemake("--cores", "all", cwd=workplace, snakefile=workplace / "Snakefile")
    assert done.returncode == 0, done.stderr
    lines = (workplace / "sub/results/local/timings/twice.jsonl").read_text().splitlines()
    assert {json.loads(line)["outcome"] for line in lines} == {"ok"}
    assert "Twice" in read_pages(workplace / "sub/reports/local/index.html")
    assert not (workplace / "results").exists()


@pytest.mark.e2e
def test_smoke_run_makes_everything(smoke):
    workplace, done = smoke
    assert done.returncode == 0, done.stderr
    report = workplace / "reports" / "local" / "index.html"
    assert report.stat().st_size > 10_000
    assert str(report.resolve()) in done.stdout
    assert re.search(r"Outcomes: \d+ ok", done.stdout)
    assert "Traceback" not in done.stderr
    assert "Warning" not in done.stderr
    assert measured_kernels(workplace) == {"vector_sum"}


@pytest.mark.e2e
def test_commands_on_pages_name_the_file_of_the_sweep(smoke):
    """Commands on pages name the sweep's configuration by its file name, although the file is not in the project."""
    workplace, _ = smoke
    page = (workplace / "reports/local/index.html").read_text()
    assert set(re.findall(r"--configfile ([^\s\"'<&]+)", page)) == {"own.yaml"}


@pytest.mark.slow
@pytest.mark.e2e
def test_bare_snakemake_with_two_files_records_both(workplace, described):
    (workplace / "more.yaml").write_text("protocol: {repetitions: 1, startup: false, budget_s: 0.02}\n")
    files.write_json(workplace / "results" / "local" / "machine.json", described)
    told = "results/local/kernels/twice.json"
    done = snakemake("--cores", "all", told, "--configfile", "own.yaml", "more.yaml", cwd=workplace)
    assert done.returncode == 0, done.stderr
    (run,) = files.read_json(workplace / told)["runs"]
    assert run["configfiles"] == ["own.yaml", "more.yaml"]
    assert run["config"]["protocol"]["budget_s"] == 0.02


@pytest.mark.e2e
def test_second_run_measures_nothing(smoke):
    workplace, _ = smoke
    journals = {path: path.read_bytes() for path in (workplace / "results/local/journal").glob("*.jsonl")}
    assert journals
    done = shell("accelbench", "run", "--configfile", "own.yaml", "--cores", "all", cwd=workplace)
    assert done.returncode == 0, done.stderr
    assert "Nothing to be done" in done.stderr
    assert {path: path.read_bytes() for path in journals} == journals


@pytest.mark.e2e
def test_bare_snakemake_finds_nothing_left_to_do(smoke):
    workplace, _ = smoke
    done = snakemake("--configfile", "own.yaml", cwd=workplace)
    assert done.returncode == 0, done.stderr
    assert "Nothing to be done" in done.stderr


@pytest.mark.slow
@pytest.mark.e2e
def test_deleted_results_come_back_from_the_journal(smoke):
    workplace, _ = smoke
    timings = workplace / "results/local/timings/vector_sum.jsonl"
    journal = workplace / "results/local/journal/vector_sum.1.jsonl"
    before, measured = timings.read_text(), journal.read_bytes()
    for name in ("timings", "kernels", "tables"):
        shutil.rmtree(workplace / "results/local" / name)
    done = snakemake("--configfile", "own.yaml", cwd=workplace)
    assert done.returncode == 0, done.stderr
    assert (workplace / "results/local/tables/timings.parquet").exists()
    assert journal.read_bytes() == measured
    assert timings.read_text() == before
    lost = {"tables/winners.csv": "make_tables", "kernels/vector_sum.json": "merge_repetitions"}
    lost["machine.json"] = "describe_machine"
    for name, rule in lost.items():
        (workplace / "results/local" / name).rename(workplace / "kept")
        assert plan("--configfile", "own.yaml", cwd=workplace)[rule] == 1
        (workplace / "kept").rename(workplace / "results/local" / name)


def snakemake_report(smoke, name):
    """Return the path of the report that `snakemake --report` writes of the sweep."""
    workplace, _ = smoke
    done = snakemake("--configfile", "own.yaml", "--report", name, cwd=workplace)
    if "Failed to download" in done.stderr or "URLError" in done.stderr or "ConnectionError" in done.stderr:
        pytest.skip("`snakemake --report` fetches parts of its page from the network")
    assert done.returncode == 0, done.stderr
    return workplace / name


@pytest.mark.slow
@pytest.mark.e2e
def test_snakemake_report_holds_report_and_figures(smoke):
    path = snakemake_report(smoke, "snakemake.html")
    text = path.read_text()
    assert "Figures" in text
    assert all(f"reports/.pages/local/{page}" in text for page in ("index.html", "kernels/vector_sum.html"))
    assert path.stat().st_size > 100_000


@pytest.mark.slow
@pytest.mark.e2e
def test_links_of_pages_in_a_snakemake_report_lead_to_what_it_holds(smoke, tmp_path):
    with zipfile.ZipFile(snakemake_report(smoke, "snakemake.zip")) as packed:
        packed.extractall(tmp_path)
    (index,) = tmp_path.rglob("index.html")
    pages = [page for page in index.parent.rglob("*.html") if "build" not in page.relative_to(index.parent).parts]
    assert {page.relative_to(index.parent).as_posix() for page in pages} >= {"machine.html", "kernels/vector_sum.html"}
    links = {(page, link) for page in pages for link in re.findall(r'href="([^"#:]+)[#"]', page.read_text())}
    assert len(links) > 10
    assert not [(page.name, link) for page, link in links if not (page.parent / link).is_file()]
