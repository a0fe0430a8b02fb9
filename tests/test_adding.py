"""Tests that additions to a copy of the package need changes in few files only.

The additions that the documentation describes are tested elsewhere: tables, formats, toolchains and backends in
workflow/test_documentation.py, kinds of lecture figures in lectures/test_entries.py.
"""

import json
import os
import shutil
import subprocess
import sys

import pandas as pd
import pretended_results.cpu
import pytest
import yaml
from place import DOC, PROTOCOL, RUN
from place import KERNEL as DOUBLING
from report_page import read_pages

from accelbench import project
from accelbench.store import files

KERNEL = "monte_carlo_pi"


class Copy:
    """A copy of the package and its configuration, with pretended results of one kernel."""

    def __init__(self, folder):
        self.folder, self.touched = folder, set()
        self.package = folder / "workflow" / "accelbench"
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(project.ROOT / "workflow" / "accelbench", self.package, ignore=ignored)
        shutil.copytree(project.ROOT / "config", folder / "config")
        self.results = pretended_results.cpu.write(folder / "results" / "local", kernels=(KERNEL,))

    def write(self, file, text):
        self.touched.add(file)
        (self.package / file).write_text(text)

    def edit(self, file, old, new):
        text = (self.package / file).read_text()
        assert text.count(old) == 1, file
        self.write(file, text.replace(old, new))

    def run(self, *words):
        """Return what a command of the copy prints."""
        environment = {**os.environ, "PYTHONPATH": str(self.folder / "workflow")}
        command = [sys.executable, "-m", "accelbench", *map(str, words)]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def report(self):
        self.run("report")
        return read_pages(self.folder / "reports" / "local" / "index.html")


@pytest.fixture
def copy(tmp_path):
    return Copy(tmp_path)


@pytest.mark.slow
def test_outcome_is_its_name_and_where_it_arises(copy):
    """A new outcome needs only record.py and the code that produces it. Tables, report and exports accept it."""
    copy.edit("model/record.py", '    "crashed",\n', '    "crashed",\n    "postponed",\n')
    path = copy.results / "timings" / f"{KERNEL}.jsonl"
    first, *others = path.read_text().splitlines()
    failed = {"outcome": "postponed", "reason": "another day", **pretended_results.UNMEASURED}
    path.write_text("\n".join([json.dumps(json.loads(first) | failed), *others]) + "\n")
    copy.run("tables")
    assert ",postponed,1," in (copy.results / "tables" / "outcomes.csv").read_text()
    assert "another day" in copy.report()
    assert "another day" in copy.run("export", copy.results, "--format", "csv")
    assert copy.touched == {"model/record.py"}


FIGURE = '''"""Numbers of cases."""

from dataclasses import dataclass

from accelbench.figures.canvas import name_rows, plot_area
from accelbench.figures.chart import Chart, Table


@dataclass(frozen=True)
class CaseCounts(Chart):
    """Chart of the numbers of cases. `counts` is {implementation: number}."""

    counts: dict[str, int]

    def table(self):
        return Table(["implementation", "cases"], [[name, str(count)] for name, count in self.counts.items()])

    def draw(self):
        figure, axes = plot_area(300, 20 * len(self.counts))
        axes.barh(range(len(self.counts)), list(self.counts.values()))
        name_rows(axes, list(self.counts))
        return figure
'''
IMPORTS = """from collections import Counter

from accelbench.figures.case_counts import CaseCounts
"""
SHOWN = """    counts = Counter(case.record.implementation for case in analysis.by_kernel[kernel])
    plots["startup"].append(Plot(f"{kernel}-cases", CaseCounts(counts), "Cases", "How many."))
"""


@pytest.mark.slow
def test_figure_of_the_report_is_two_files(copy):
    """A new figure of the report needs one new file that draws it, and a change of report/views.py to place it."""
    copy.write("figures/case_counts.py", FIGURE)
    begin, end = "from accelbench.figures import strips, style\n", "    return {what: subject_plots for what"
    copy.edit("report/views.py", begin, IMPORTS + begin)
    copy.edit("report/views.py", end, SHOWN + end)
    assert f'id="figure-{KERNEL}-cases"' in copy.report()
    assert (copy.folder / "reports" / "local" / "figures" / "report" / f"{KERNEL}-cases.svg").exists()
    assert len(copy.touched) == 2


CONFIG = {
    "kernels_path": ["kernels"], "sizes": [100], "dtypes": ["float64"], "backends": ["numpy"], "peaks": False,
    "protocol": PROTOCOL, "machines": {"here": {}},
}  # fmt: skip


# {file: (a line of the file, the text to insert before this line)}
FOUND = {
    "rpc/messages.py": ("    cores_used: Amount | None\n", "    sevens: Amount\n"),
    "model/record.py": ("    cores_used: Annotated[", "    sevens: Annotated[Finite | None, max] = None\n"),
    "analysis/tables/timings.py": ('    ("cores_used"', '    ("sevens", float),\n'),
}


@pytest.mark.processes
def test_value_that_a_repetition_finds_is_made_declared_and_shown(copy, described):
    """A new value of a repetition is added to the clock, a message, a record and a table.

    Here the value is always 7. Its field in the record declares how several repetitions are combined. Code of
    journals and merges needs no change.
    """
    for file, (line, added) in FOUND.items():
        copy.edit(file, line, added + line)
    copy.edit("worker/clock.py", "SampleFacts(", "SampleFacts(sevens=7, ")
    kernel, results = copy.folder / "kernels" / "twice", copy.folder / "results" / "here"
    kernel.mkdir(parents=True)
    (kernel / "kernel.py").write_text(DOUBLING)
    (kernel / "numpy_ufunc.py").write_text(DOC + RUN)
    shutil.copytree(project.PEAKS, copy.folder / "workflow" / "peaks")
    (copy.folder / "own.yaml").write_text(yaml.safe_dump(CONFIG))
    files.write_json(results / "machine.json", described | {"name": "here"})
    copy.run("measure", "twice", "--machine", "here", "--configfile", "own.yaml")
    copy.run("tables", "--machine", "here")
    (row,) = pd.read_csv(results / "tables" / "timings.csv").itertuples()
    assert (row.outcome, row.sevens) == ("ok", 7)
    assert copy.touched == {*FOUND, "worker/clock.py"}
