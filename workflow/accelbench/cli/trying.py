"""Command `try`, which derives, checks and measures faster versions of a NumPy function."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from accelbench.cli.app import app
from accelbench.cli.options import Arguments, Setup, Sizes, SizesCommand
from accelbench.errors import InputError

DERIVED = Path("derived")  # Folder of derived kernels
MACHINE = "derived"  # Name of the folders in results/ and reports/ that this command uses instead of "local"
RESULTS = Path("results", MACHINE)
LOG = DERIVED / "try.log"
NOTHING_RIGHT, UNUSABLE, INTERRUPTED = 1, 2, 130  # Exit statuses other than 0


@app.command("try", cls=SizesCommand)
def try_function(
    target: Annotated[str, typer.Argument(help="The function: FILE.py:FUNCTION, or FILE.py:CLASS.METHOD.")],
    args: Arguments = None,
    setup: Setup = "",
    size: Sizes = None,
    script: Annotated[
        Path | None, typer.Option("--from", help="Script whose calls of the function give the arguments.")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show the changes in each derived file.")] = False,
    once: Annotated[bool, typer.Option("--once", help="Stop after one repetition.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
):
    """Derive, check and measure faster versions of a NumPy function, and recommend one.

    \b
    Example:
        python -m accelbench try my.py:pairwise --args "rng.random((n, 3))" --size 20 200
        python -m accelbench try my.py:solve --from my_script.py
    """
    from accelbench.derive import answer, observation, trying, writing

    observed = observation.observe(observation.request(target, args=args, setup=setup, sizes=size, script=script))
    tell = (lambda text: None) if as_json else typer.echo
    tell(answer.headline(observed))
    tell(f"Checking {len(trying.CONTESTANTS)} versions. A compiler may take a minute.")
    outcomes, name = [], writing.kernel_name(observed)
    for outcome in trying.outcomes(observed, trying.HOME / "kernels"):
        outcomes.append(outcome)
        tell(f"  {outcome.name:16} {outcome.state}{': ' if outcome.reason else ''}{outcome.reason}")
    for file in trying.write_outcomes(DERIVED / name, observed, outcomes):
        tell(f"note: {DERIVED / name / file} was edited and is kept")
    for outcome in outcomes if explain else ():
        tell("\n".join(answer.explain(observed, outcome.draft)) if outcome.draft else "")
    rows, status = [], NOTHING_RIGHT
    trying.configure(DERIVED, MACHINE)
    trying.copy_builds(name, RESULTS)
    is_any_right = any(outcome.state == trying.RIGHT for outcome in outcomes)
    for repetitions, is_last in ([(1, True)] if once else [(1, False), (5, True)]) if is_any_right else ():
        begun = time.monotonic()
        status = measure(name, repetitions, *([] if is_last else [RESULTS / "timings" / f"{name}.jsonl"]))
        if status == INTERRUPTED:
            break
        if status == UNUSABLE or not (rows := answer.measured(RESULTS, name)):
            raise InputError(target, f"nothing could be measured: {cause(name, status)}", f"See {LOG}")
        tell(answer.answer(rows, outcomes, observed, rest_s=None if is_last else 4 * (time.monotonic() - begun)))
        status = 0
    if as_json:
        typer.echo(json.dumps(answer.as_object(rows, outcomes, observed), indent=1))
    raise typer.Exit(status)


def measure(name, repetitions, *targets):
    """Measure a derived kernel until it has `repetitions` repetitions. Return the exit status of the run.

    targets  files that the run makes; by default all, including the report
    """
    command = [sys.executable, "-m", "accelbench", "run", "--configfile", DERIVED / "derived.yaml", "--kernel", name]
    command += [*targets, "--config", f"protocol={{repetitions: {repetitions}}}"]
    before = signal.signal(signal.SIGINT, lambda *_: None)  # the terminal also interrupts the child, so wait for it
    with LOG.open("w") as log:
        status = subprocess.call(command, stdout=log, stderr=log)
    signal.signal(signal.SIGINT, before)
    return status


def cause(name, status):
    """Return why a run measured nothing: the error of the run or of a failed stage, or the reason of a case."""
    from accelbench.store import failures, load

    reasons = LOG.read_text("utf-8").splitlines()[-1:] if status == UNUSABLE else []
    failed = [*failures.of(RESULTS), *(load.load_records(RESULTS) if status == 0 else ())]
    reasons += [failure.reason for failure in failed if failure.kernel in (None, name)]
    return next(filter(None, reasons), f"the run ends with status {status}").removeprefix("error: ")
