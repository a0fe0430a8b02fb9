"""Snakemake's plans for figures of lectures."""

import re
import zipfile

import pytest
from dry_run import dry_run
from twice import snakemake

from accelbench import project
from accelbench.lectures import entries


def planned(target, cwd, *arguments):
    """Return Snakemake's plan for making `target`, as printed by a dry run."""
    done = dry_run("--cores", "1", *arguments, "--", target, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.mark.processes
def test_plan_of_one_figure_is_what_it_needs_and_no_more(tmp_path):
    told = planned("reports/local/figures/icsc23-pi-timeit.pdf", tmp_path)
    assert re.findall(r"Measuring for the figure (\S+)", told) == ["icsc23-pi-timeit"]
    assert not re.search(r"Measuring \S+ on", told)
    assert not re.search(r"Building \S+ with", told), "the job of the figure must build its own kernel"


@pytest.mark.processes
@pytest.mark.parametrize(
    "arguments", [(), pytest.param(("--configfile", project.ROOT / "config" / "lecture.yaml"), marks=pytest.mark.slow)]
)
def test_plan_of_all_figures_with_the_lectures_own_file_or_without(tmp_path, arguments):
    told = planned("lecture", tmp_path, *arguments)
    for what in ("Measuring for", "Drawing"):
        assert set(re.findall(rf"{what} the figure (\S+)", told)) == set(entries.read())
    assert "Profiling the Python and Cython implementations of inside_polygon" in told
    assert "Putting the lectures' figures" in told


@pytest.mark.processes
def test_plan_of_a_figure_that_is_not_declared(tmp_path):
    done = dry_run("--cores", "1", "reports/local/figures/nosuch.svg", cwd=tmp_path)
    assert done.returncode
    assert "there is no figure 'nosuch'. Figures: icsc23-pi-timeit" in done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.e2e
def test_snakemake_report_of_a_figure_holds_it_once(tmp_path):
    """Snakemake lists files with equal labels as one entry, which opens only one of the files."""
    figures = tmp_path / "reports" / "local" / "figures"
    figures.mkdir(parents=True)
    for kind in ("svg", "pdf", "png", "txt"):
        (figures / f"icsc23-pi-timeit.{kind}").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    done = snakemake("reports/local/figures/icsc23-pi-timeit.svg", "--report", "report.zip", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(tmp_path / "report.zip") as packed:
        names = [name.rpartition("/")[2] for name in packed.namelist()]
    assert [name for name in names if name.startswith("icsc23")] == ["icsc23-pi-timeit.svg"]
