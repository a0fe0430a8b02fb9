"""Tests of the trial of each kernel.py before a run: a broken one costs only its kernel, and has one reason."""

import time

import psutil
import pytest
import yaml
from command_line import shell
from place import KERNEL
from report_page import read_pages
from waiting import soon

from accelbench import config, project
from accelbench.config import select
from accelbench.kernels import catalog
from accelbench.store import files
from accelbench.verify import trial
from accelbench.verify.process import Verifier

ENDINGS = {
    "exits": ("import os; os._exit(0)", "importing it ends the process (exit status 0)"),
    "crashes": ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "importing it ends the process (SIGSEGV)"),
    "sleeps": ("import time; time.sleep(60)", "importing it takes longer than 2 s"),
    "eats": ("x = bytearray(1 << 40)", "importing it failed: MemoryError"),
    "forks": ("import os, time\nif os.fork() == 0: time.sleep(60)\nos._exit(3)", "ends the process (exit status 3)"),
    "stops": ("raise KeyboardInterrupt", "importing it ends the process"),
}
FUNCTIONS = {
    "flops": ("(size): return size\n", "(size): import os; os._exit(0)\n", "flops ends the process (exit status 0)"),
    "inputs": ('return {"x"', 'return {"x": __import__("time").sleep(60), "y"', "inputs takes longer than 2 s"),
    "reference": ("return factor * x", "return np.zeros(1 << 42)", "takes more than 4 GiB of memory"),
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Return a folder with two kernels and an own.yaml. Trials use an empty file of known results, not the user's."""
    monkeypatch.setattr(trial, "MEMORY", tmp_path / "memory.json")
    monkeypatch.setattr(trial, "DEADLINE_S", 2.0)
    for name in ("broken", "twice"):
        folder = tmp_path / "kernels" / name
        folder.mkdir(parents=True)
        (folder / "kernel.py").write_text(KERNEL)
        (folder / "numpy_ufunc.py").write_text('"""Doubling."""\ndef run(x, y):\n    y[:] = x + x\n')
    settings = {"preset": "smoke", "peaks": False, "kernels_path": [str(tmp_path / "kernels")]}
    settings["protocol"] = {"repetitions": 1, "budget_s": 0.01, "min_rounds": 5, "sample_s": 0.0005}
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(settings))
    return tmp_path


def plan(place):
    """Return ({name: EffectiveConfig}, {name: InputError}) of the configuration in `place`."""
    catalog._load.cache_clear()
    return select.plan(config.read(place / "own.yaml"), "here")


def break_it(place, text):
    (place / "kernels" / "broken" / "kernel.py").write_text(text)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "told"), ENDINGS.values(), ids=ENDINGS)
def test_an_import_costs_its_kernel_and_names_the_file(place, text, told):
    break_it(place, text)
    begin = time.monotonic()
    loaded, broken = plan(place)
    assert (list(loaded), list(broken)) == (["twice"], ["broken"])
    assert str(broken["broken"]).startswith(f"{place}/kernels/broken/kernel.py")
    assert told in str(broken["broken"])
    assert time.monotonic() - begin < 30


def test_an_implementation_is_read_and_not_run(place):
    """Neither planning a run nor the trial of a kernel.py imports an implementation."""
    file, run = place / "kernels" / "twice" / "numpy_ufunc.py", place / "run"
    file.write_text(f"open({str(run)!r}, 'w').close()\n{file.read_text()}")
    loaded, broken = plan(place)
    assert (set(loaded), broken) == ({"broken", "twice"}, {})
    assert not run.exists()


def test_nothing_that_an_import_starts_outlives_its_trial(place):
    started = place / "started"
    child = "    os.setsid()\n    open(place, 'w').write(str(os.getpid()))\n    time.sleep(60)\n"
    leave = (
        f"import os, time\nplace = {str(started)!r}\nif os.fork() == 0:\n{child}while not os.path.exists(place): pass\n"
    )
    break_it(place, leave + "os._exit(0)\n")
    plan(place)
    assert soon(lambda: not psutil.pid_exists(int(started.read_text())), within_s=5)


@pytest.mark.parametrize(("old", "new", "told"), FUNCTIONS.values(), ids=FUNCTIONS)
def test_a_function_costs_its_kernel_and_is_named(place, old, new, told):
    assert KERNEL.count(old) == 1
    break_it(place, KERNEL.replace(old, new))
    loaded, broken = plan(place)
    assert list(loaded) == ["twice"]
    assert told in str(broken["broken"])


HANGING = {
    "flops": ("(size): return size\n", "(size): return size\n"),
    "outputs": ("(size, dtype): return (", "(size, dtype): return ("),
    "footprint_bytes": ("def flops", "def footprint_bytes(size): return 8 * size\ndef flops"),
}


@pytest.mark.slow
@pytest.mark.parametrize("declared", [True, False])
@pytest.mark.parametrize(("function", "old", "new"), [(name, *texts) for name, texts in HANGING.items()], ids=HANGING)
def test_what_is_asked_without_a_deadline_is_tried_at_every_size(place, function, old, new, declared):
    """A function is tried at each size that the kernel declares or a configuration names."""
    size = 100 if declared else 77
    text = KERNEL.replace(old, new)
    (signature,) = [line for line in text.splitlines() if line.startswith(f"def {function}(")]
    head, body = signature.split(": ", 1)
    break_it(place, text.replace(signature, f"{head}:\n    while size == {size}: pass\n    {body}"))
    assert list(plan(place)[1]) == (["broken"] if declared else [])
    if not declared:
        settings = yaml.safe_load((place / "own.yaml").read_text())
        (place / "own.yaml").write_text(yaml.safe_dump(settings | {"sizes": [10, size]}))
    assert f"{function} takes" in str(plan(place)[1]["broken"])


def test_an_option_that_hangs_is_a_mistake_of_the_configuration(place):
    text = KERNEL.replace('{"factor": 2}', '{"factor": 2, "steps": 1}')
    text = text.replace(
        "def flops(size): return size", "def flops(size, steps):\n    while steps == 7: pass\n    return 1"
    )
    break_it(place, text)
    settings = yaml.safe_load((place / "own.yaml").read_text())
    settings["kernels"] = {"broken": {"options": {"steps": [7]}}, "twice": None}
    (place / "own.yaml").write_text(yaml.safe_dump(settings))
    with pytest.raises(
        catalog.InputError, match=r"kernels\.broken\.options\.steps: 7 does not work: flops takes longer"
    ):
        plan(place)


def test_what_was_right_is_not_tried_again_and_what_changed_is(place, monkeypatch):
    assert plan(place)[1] == {}

    def refuse(*_, **arguments):
        raise AssertionError("a process was started")

    monkeypatch.setattr(Verifier, "examine", refuse)
    assert plan(place)[1] == {}
    break_it(place, KERNEL + "\n")
    with pytest.raises(AssertionError, match="started"):
        plan(place)


def test_where_nothing_can_be_loaded_the_first_reason_is_the_error(place):
    for name in ("broken", "twice"):
        (place / "kernels" / name / "kernel.py").write_text("import os; os._exit(0)")
    with pytest.raises(catalog.InputError, match=r"broken/kernel\.py: importing it ends the process"):
        plan(place)


def test_others_are_listed_and_checked_beside_a_kernel_that_ends_its_process(place):
    break_it(place, "import os; os._exit(0)")
    listed = shell("accelbench", "list", "--configfile", "own.yaml", cwd=place)
    assert listed.returncode == 2
    assert "twice" in listed.stdout
    assert "broken/kernel.py: importing it ends the process (exit status 0)" in listed.stderr
    assert shell("accelbench", "check", "twice", "--configfile", "own.yaml", cwd=place).returncode == 0


@pytest.mark.e2e
@pytest.mark.slow
def test_a_sweep_in_which_a_kernel_failed_ends_with_a_report_of_the_others_and_goes_on_when_it_is_mended(
    place, described
):
    """The sweep starts with plain snakemake and continues with `run`, which keeps the finished measurements."""
    files.write_json(place / "results/local/machine.json", described)
    break_it(place, "import os; os._exit(0)")
    (place / "kernels" / "twice" / "python_ill.py").write_text(
        '"""Ill."""\nimport os\ndef run(x, y):\n    os._exit(1)\n'
    )
    words = ["--cores", "all", "--configfile", "own.yaml"]
    failed = shell("snakemake", "-s", project.SNAKEFILE, *words, cwd=place)
    assert failed.returncode == 1
    reason = f"{place}/kernels/broken/kernel.py: importing it ends the process (exit status 0)"
    assert f"Failed:   measuring broken, repetition 1: {reason}" in failed.stdout
    assert "python_ill: crashed: " in failed.stdout
    page = read_pages(place / "reports/local/index.html")
    assert "Twice" in page
    assert "importing it ends the process (exit status 0)" in page
    assert "python -m accelbench run --kernel broken" in page
    journal = place / "results/local/journal/twice.1.jsonl"
    measured = [line for line in journal.read_text().splitlines() if "numpy_ufunc" in line]
    break_it(place, KERNEL.replace("Twice", "Mended"))
    done = shell("accelbench", "run", *words, cwd=place)
    assert done.returncode == 0, done.stderr
    assert "Failed" not in done.stdout
    page = read_pages(place / "reports/local/index.html")
    assert "Mended" in page
    assert "importing it ends" not in page
    lines = journal.read_text().splitlines()
    assert sum("python_ill" in line and '"case"' in line for line in lines) == 4  # two problems, each tried twice
    assert set(measured) < set(lines)
    assert "Nothing to be done" in shell("accelbench", "run", *words, cwd=place).stderr
