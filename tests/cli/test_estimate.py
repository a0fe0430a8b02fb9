"""Tests of the estimated duration and number of cases of a run."""

import json
import shutil
from pathlib import Path

import pytest

from accelbench import config as configuration
from accelbench import project
from accelbench.cli import estimate as estimating
from accelbench.cli import run
from accelbench.lectures import needs
from accelbench.model.entry import Again
from accelbench.model.record import case_id
from accelbench.store import files, load

EXAMPLES = project.ROOT / "reports" / "examples"
PROTOCOL = {"repetitions": 2, "budget_s": 0.01, "sample_s": 0.0005}
NOTHING = "To measure: nothing, all cases have valid results"


@pytest.fixture
def several(place, devices_looked_for_once):
    """Return a Place with one case, two repetitions and a description of the machine."""
    place.configure({"dtypes": ["float64"], "protocol": PROTOCOL})
    assert place.invoke("machine").exit_code == 0
    return place


def estimate(place, **options):
    config = configuration.read(place.own)
    return estimating.estimate(config, place.plan().values(), [place.file("")], cores="all", **options)[0]


@pytest.mark.processes
def test_what_repetitions_lack_is_counted(several):
    assert estimate(several) == "To measure: 1 case, roughly 1 min"
    for number in (1, 2):
        again = "further repetitions of " if number > 1 else ""
        assert estimate(several).startswith(f"To measure: {again}1 case, ")
        assert several.invoke("measure", "twice", "--repetition", number).exit_code == 0
    assert estimate(several) == NOTHING
    journal = several.file("journal/twice.1.jsonl").read_bytes()
    assert estimate(several, forgotten=[Again(cases="twice/*")]) == "To measure: 1 case, about 1 min"
    assert several.file("journal/twice.1.jsonl").read_bytes() == journal
    several.configure({"dtypes": ["float64"], "protocol": PROTOCOL | {"repetitions": 3}})
    assert estimate(several) == "To measure: further repetitions of 1 case, about 1 min"
    several.configure({"dtypes": ["float64"], "sizes": [100, 200], "protocol": PROTOCOL})
    assert estimate(several) == "To measure: 1 case, about 1 min"
    several.write({"numpy_ufunc.py": '"""As it is."""\ndef run(x, y):\n    y[:] = 2 * x\n'})
    assert estimate(several) == "To measure: 2 cases, about 1 min"


@pytest.mark.processes
def test_a_case_takes_what_it_took_in_earlier_runs_with_the_same_budget(several, monkeypatch):
    assert several.invoke("measure", "twice", "--repetition", 1).exit_code == 0
    path = several.file("journal/twice.1.jsonl")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        if "run" in line and "case" not in line:
            line["run"] |= {"wall_s": 6000.0, "cases": 10}
    files.write(path, "".join(json.dumps(line) + "\n" for line in lines))
    several.configure({"dtypes": ["float64"], "protocol": PROTOCOL | {"repetitions": 4}})
    assert estimate(several) == "To measure: further repetitions of 1 case, about 30 min"
    monkeypatch.setattr(estimating, "CASE_S", 60.0)
    several.configure({"dtypes": ["float64"], "protocol": PROTOCOL | {"budget_s": 0.02}})
    assert estimate(several) == "To measure: 1 case, roughly 2 min"


@pytest.mark.slow
@pytest.mark.processes
def test_lectures_count_what_figures_share_once_and_a_gpus_parts_where_there_is_one(tmp_path):
    config, counts = needs.read_configuration(), {}
    for name in ("cpu", "h200"):
        home = tmp_path / name
        home.mkdir()
        shutil.copyfile(EXAMPLES / name / "machine.json", home / "machine.json")
        here = config.model_copy(update={"environments": {}})
        counts[name] = int(estimating.estimate(here, None, [home], cores="all")[0].split()[2])
    parts = (EXAMPLES / "cpu" / "lectures").glob("*/*/timings")
    records = [record for part in parts for record in load.load_records(part.parent)]
    published = {case_id(record) for record in records if record.outcome == "ok"}
    assert 0 < len(published) <= counts["cpu"] < counts["h200"]


def test_a_machine_is_described_again_where_its_description_lacks_a_backend(tmp_path, monkeypatch):
    monkeypatch.setattr(estimating, "describe", lambda name, config: "anew")
    known = files.read_json(EXAMPLES / "cpu" / "machine.json")
    config = configuration.Config()
    assert estimating._machine(config, tmp_path) == "anew"
    files.write_json(tmp_path / "machine.json", known)
    assert estimating._machine(config, tmp_path).hardware
    own = config.model_copy(update={"environments": {"numba@0.67": configuration.model.EnvironmentRequest()}})
    assert estimating._machine(own, tmp_path) == "anew"
    del known["backends"]["cython"]
    files.write_json(tmp_path / "machine.json", known)
    assert estimating._machine(config, tmp_path) == "anew"


def announce(words):
    return run._announce(configuration.Config(), {}, [Path()], words=words, cores="all", forgotten=())[0]


@pytest.mark.parametrize(
    ("words", "terminal", "out", "err", "again"),
    [
        (["-n"], False, "M\n", "", "M\n"),
        (["lecture", "--dry-run"], True, "M\n", "", "M\n"),
        (["all"], True, "", "M\n", ""),
        ([], False, "", "", ""),
        (["results/local/machine.json", "-n"], True, "", "", ""),
        (["--lint"], True, "", "", ""),
    ],
)
def test_dry_runs_and_those_on_a_terminal_are_announced(words, terminal, out, err, again, monkeypatch, capsys):
    monkeypatch.setattr(run, "estimate", lambda *_, **__: ("M", 7.0))
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal, raising=False)
    assert announce(words) == again
    assert capsys.readouterr() == (out, err)
