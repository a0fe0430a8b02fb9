"""One NumPy function in, an answer out."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from accelbench.cli.app import app
from accelbench.cli.options import Arguments, Setup, Sizes, SizesCommand
from accelbench.errors import InputError

DERIVED = Path("derived")  # folder of derived kernels
MACHINE = "derived"  # its results and reports lie apart from those of other runs
LOG = Path("results", MACHINE, "try.log")
NOTHING_RIGHT, INTERRUPTED = 1, 130  # exit statuses beside 0 and, for what cannot be used, 2


@app.command("try", cls=SizesCommand)
def try_function(
    target: Annotated[str, typer.Argument(help="The function: FILE.py:FUNCTION.")],
    args: Arguments = None,
    setup: Setup = "",
    size: Sizes = None,
    script: Annotated[
        Path | None, typer.Option("--from", help="Take the arguments from this script's calls instead.")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show each derived file beside the original.")] = False,
    once: Annotated[bool, typer.Option("--once", help="Stop after the first look: one repetition.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
):
    """Derive, check and measure faster versions of a NumPy function, and say which to take.

    \b
    Example:
        python -m accelbench try my.py:pairwise --args "rng.random((n, 3))" --size 100 1000
        python -m accelbench try my.py:solve --from my_script.py
    """
    from accelbench.derive import answer, asking, trying, writing

    observation = asking.observe(asking.request(target, args=args, setup=setup, sizes=size, script=script))
    tell = (lambda text: None) if as_json else typer.echo
    tell(answer.headline(observation))
    outcomes, name = [], writing.kernel_name(observation)
    for outcome in trying.outcomes(observation, trying.HOME / "kernels"):
        outcomes.append(outcome)
        tell(f"  {outcome.name:16} {outcome.state}{': ' if outcome.reason else ''}{outcome.reason}")
    for file in trying.write_outcomes(DERIVED / name, observation, outcomes):
        tell(f"note: {DERIVED / name / file} was edited and is kept")
    for outcome in outcomes if explain else ():
        tell("\n".join(answer.explain(observation, outcome.draft)) if outcome.draft else "")
    found, status = [], NOTHING_RIGHT
    if any(outcome.state == trying.RIGHT for outcome in outcomes):
        trying.configure(DERIVED, MACHINE)
        for repetitions in (1,) if once else (1, 5):
            status = measure(name, repetitions)
            found = answer.measured(Path("results", MACHINE), name)
            if not found:
                last_error = LOG.read_text("utf-8").rpartition("rror: ")[2].partition("\n")[0]
                raise InputError(target, f"nothing could be measured: {last_error}", f"See {LOG}")
            tell(answer.answer(found, outcomes, observation))
            if status == INTERRUPTED:
                break
    if as_json:
        typer.echo(json.dumps(answer.as_object(found, outcomes, observation), indent=1))
    raise typer.Exit(status)


def measure(name, repetitions):
    """Measure a derived kernel until it has so many repetitions; returns 0, or INTERRUPTED. What was measured stays."""
    words = ["run", "--configfile", str(DERIVED / "derived.yaml"), "--kernel", name]
    words += ["--config", f"protocol={{repetitions: {repetitions}}}"]
    LOG.parent.mkdir(parents=True, exist_ok=True)
    with LOG.open("w") as log:
        child = subprocess.Popen([sys.executable, "-m", "accelbench", *words], stdout=log, stderr=log)
        try:
            child.wait()
        except KeyboardInterrupt:  # which the terminal sends to the child, too
            child.wait()
            return INTERRUPTED
    return 0
