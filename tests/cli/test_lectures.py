"""Test of the configuration that `lecture measure` records with its measurements."""

import pytest

from accelbench import config, project
from accelbench.cli import commands
from accelbench.config import run_plan
from accelbench.lectures import needs
from accelbench.measure import provenance
from accelbench.store import formats


@pytest.mark.parametrize("given", ["nothing", "plan of the default", "plan of a file", "file"])
def test_figures_name_the_configuration_that_measured_them(tmp_path, monkeypatch, given):
    noted, own = [], tmp_path / "own.yaml"
    own.write_text("peaks: false\n")
    monkeypatch.setattr(needs, "measure_figure", lambda *_, **__: noted.append(provenance.configfiles()))
    monkeypatch.setenv(provenance.CONFIGFILES, "null")
    words = {"nothing": [], "file": ["--configfile", str(own)]}.get(given)
    if words is None:
        file = own if given == "plan of a file" else project.DEFAULT_CONFIG
        chosen = config.read(file)
        lectures = chosen if file == own else needs.read_configuration(like=chosen)
        place = tmp_path / "results" / "local" / "plans" / "a.json"
        planned = {"configfiles": [str(file)], "where": "here", "cores": None, "reports": "reports"}
        formats.write(place, run_plan.RunPlan(config=chosen, lectures=lectures, **planned))
        words = ["--plan", str(place)]
    monkeypatch.chdir(tmp_path)
    commands.app(["lecture", "measure", "esrf-speedups", *words], standalone_mode=False)
    assert noted == [[str(own.name)] if "file" in given else ["config/lecture.yaml"]]
