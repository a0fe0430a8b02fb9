"""Tests of implementations that are rejected when they are read: each is a case with outcome `error` and a reason."""

import pytest
from command_line import invoke
from place import IN_C

REFUSED = {
    "numpy_nothing": ("x = 1\n", "defines neither `run` nor `prepare`"),
    "numpy_looking": (
        "import kernel\n\n\ndef run(x, y): y[:] = 2 * x\n",
        "the implementation refers to kernel.py",
    ),
    "numpy_broken": ("def run(:\n", "syntax error"),
    "numpy_bytes": (b"\xff\xfe", "is not UTF-8 text"),
}


@pytest.mark.processes
@pytest.mark.usefixtures("devices_looked_for_once")
def test_a_refused_implementation_costs_itself_alone(place):
    place.write({**IN_C, **{f"{name}.py": text for name, (text, _) in REFUSED.items()}})
    (place.kernel / "numpy_dangling.py").symlink_to("/nowhere")
    place.sweep()
    records = {name: record for (name, dtype, _), record in place.outcomes().items() if dtype == "float64"}
    assert records["numpy_ufunc"]["outcome"] == records["ctypes_c"]["outcome"] == "ok"
    for name, (_, reason) in REFUSED.items():
        assert records[name]["outcome"] == "error"
        assert reason in records[name]["reason"]
    assert "cannot be read" in records["numpy_dangling"]["reason"]
    assert place.invoke("report").exit_code == 0


@pytest.mark.processes
@pytest.mark.usefixtures("devices_looked_for_once")
def test_check_names_it(place):
    place.write({"numpy_nothing.py": "x = 1\n"})
    done = invoke("check", str(place.kernel), "--configfile", str(place.own))
    assert done.exit_code == 1
    assert "numpy_nothing: cannot be used: " in done.output
