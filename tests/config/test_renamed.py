"""Keys and words of before, which are read as those of today, with one notice."""

import pytest

from accelbench import config
from accelbench.errors import TOLD, InputError
from accelbench.kernels import catalog
from accelbench.lectures import entries


@pytest.fixture(autouse=True)
def nothing_told_yet(monkeypatch):
    monkeypatch.setenv(TOLD, "")


def test_limits_is_read_as_peaks_and_told_once(capsys):
    for _ in range(2):
        assert config.parse({"limits": False}, "mine.yaml").peaks is False
    assert capsys.readouterr().err == "mine.yaml: the key 'limits' is called 'peaks' now and is read as that\n"


def test_both_names_at_once_are_an_unknown_key():
    with pytest.raises(InputError, match="unknown key 'limits'"):
        config.parse({"limits": False, "peaks": True}, "mine.yaml")


@pytest.mark.parametrize(("name", "now"), [("processes", "repetitions"), ("min_samples", "min_rounds")])
def test_keys_of_the_protocol_are_read_under_their_old_names_and_told_once(capsys, name, now):
    for _ in range(2):
        assert getattr(config.parse({"protocol": {name: 7}}, "mine.yaml").protocol, now) == 7
    told = f"mine.yaml: protocol: the key {name!r} is called {now!r} now and is read as that\n"
    assert capsys.readouterr().err == told
    with pytest.raises(InputError, match=f"unknown key 'protocol.{name}'"):
        config.parse({"protocol": {name: 7, now: 7}}, "mine.yaml")


@pytest.mark.parametrize("name", ["passes", "precision_host", "precision_device"])
def test_keys_of_the_protocol_that_say_nothing_any_more_are_left_out_and_told_once(capsys, name):
    for _ in range(2):
        assert config.parse({"protocol": {name: 1, "seed": 3}}, "mine.yaml").protocol == config.Protocol(seed=3)
    assert capsys.readouterr().err == f"mine.yaml: protocol.{name} says nothing any more and is left out\n"


def test_figures_of_the_kind_ways_are_tables(capsys):
    part = {"kernel": "vector_sum", "implementations": ["numpy_sum"]}
    row = {"label": "NumPy", "implementation": "numpy_sum"}
    figure = {"id": "a", "lecture": "own", "slide": "s", "title": "t", "kind": "ways", "measure": [part], "rows": [row]}
    assert entries.parse({"figures": [figure]}, "figures.yaml")["a"].kind == "table"
    assert "'ways' is called 'table' now" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "now"), [("judged", "error_metrics"), ("bytes_held", "footprint_bytes")])
def test_functions_of_a_kernel_under_their_old_names_are_errors(place, name, now):
    file = place.folder / "kernels" / "twice" / "kernel.py"
    file.write_text(f"{file.read_text()}\n\ndef {name}(size):\n    return {{}}\n")
    with pytest.raises(InputError, match=f"the function {name} is called {now} now. Rename it to {now}"):
        catalog.load(file.parent)
