"""A page stays complete while the workflow renders it again; a stand-in replaces the command."""

import os

import pytest
from command_line import shell

from accelbench import project
from accelbench.cli import ending
from accelbench.lectures import entries
from accelbench.store import files

# Every bash reads this file first. Its function replaces the Python that jobs start.
STAND_IN = """
python() {
    [ ! -e "$PAGE" ] || cat "$PAGE" >> before
    [ -z "${FAILS:-}" ] || return 1
    echo "$NEW" > "$PAGE"
    mkdir -p reports/local/figures/report
    touch reports/local/slides.md
}
"""
RESULTS = ["machine.json", "timings/twice.jsonl", "kernels/twice.json"]


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        ("make_report", "index.html"),
        pytest.param("make_lectures", "lectures.html", marks=pytest.mark.slow),
    ],
)
def test_page_stays_until_the_new_one_replaces_it_and_after_a_failure_is_rendered_again(
    workplace, monkeypatch, rule, name
):
    page, results = workplace / "reports/local" / name, workplace / "results/local"
    for path in [*RESULTS, *(f"lectures/{figure}/view.json" for figure in entries.read())]:
        files.write(results / path, "x")
    (workplace / "reports/.pages/local").mkdir(parents=True)
    files.write(workplace / "stand_in.sh", STAND_IN)
    words = ["-s", project.SNAKEFILE, "--configfile", "own.yaml", "--cores", "1", "--allowed-rules", rule, "--"]

    def render(new, fails=""):
        environment = {"BASH_ENV": str(workplace / "stand_in.sh"), "PAGE": str(page), "NEW": new, "FAILS": fails}
        monkeypatch.setattr(os, "environ", os.environ | environment | {ending.CALLER_PRINTS: "1"})
        return shell("snakemake", *words, page.relative_to(workplace), cwd=workplace)

    first = render("first")
    assert first.returncode == 0, first.stderr
    files.write(results / "machine.json", "y")  # newer than the page
    assert render("second", fails="1").returncode == 1
    assert page.read_text() == "first\n"
    assert render("third").returncode == 0
    assert page.read_text() == "third\n"
    assert (workplace / "before").read_text() == "first\n" * 2
