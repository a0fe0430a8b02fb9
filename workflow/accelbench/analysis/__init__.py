"""Tables of one machine's results, from its result files alone.

    timings    one row a case                           (timings.csv and timings.parquet)
    best       the best parameters per problem, implementation and device
    winners    the winner per problem, or the tie
    crossover  from which size on each implementation overtakes the baseline, and when it has repaid its start-up
    scaling    what more threads bring
    regret     what the common default of 256 or 16x16 costs against the best block size
    limits     the bandwidths and rates the machine reached
    startup    what each implementation costs before it runs at speed
    launch     what it costs to launch work on a device, and to wait for it
    outcomes   how many cases are ok, and each that is not, with its reason
    measuring  what the measuring itself cost

Units are in the column names; rows come in a fixed order; empty cells are null. How ratios, verdicts and choices are
made stands in `verdicts`, each table's columns beside the functions that fill them.
"""

import io
import math
from pathlib import Path

import pandas as pd

from accelbench.analysis import cases, choices, costs, limits
from accelbench.store import files
from accelbench.store.load import load_results

COLUMNS = {
    "timings": cases.COLUMNS,
    "best": choices.BEST_COLUMNS,
    "winners": choices.WINNERS_COLUMNS,
    "crossover": choices.CROSSOVER_COLUMNS,
    "scaling": choices.SCALING_COLUMNS,
    "regret": choices.REGRET_COLUMNS,
    "limits": limits.COLUMNS,
    "startup": costs.STARTUP_COLUMNS,
    "launch": costs.LAUNCH_COLUMNS,
    "outcomes": costs.OUTCOMES_COLUMNS,
    "measuring": costs.MEASURING_COLUMNS,
}
_TYPES = {"str": "str", "int": "Int64", "float": "float64", "bool": "boolean"}


def make(results):
    """{name: DataFrame} of a load.Results, the columns of each as in COLUMNS."""
    within = cases.same_within(results.machine)
    gathered = cases.gather(results)
    reached = limits.Limits(gathered, results.host_devices)
    startup = costs.Startup(gathered, results.cards)
    rows = {
        "timings": cases.timings(gathered, within),
        "best": choices.best(gathered, within),
        "winners": choices.winners(gathered, within),
        "crossover": choices.crossover(gathered, startup.seconds, within),
        "scaling": choices.scaling(gathered, within),
        "regret": choices.regret(gathered, within),
        "limits": reached.rows,
        "startup": startup.rows,
        "launch": costs.launch(gathered),
        "outcomes": costs.outcomes(gathered),
        "measuring": list(costs.measuring(results.cards, results.machine.get("name"))),
    }
    return {name: _frame(rows[name], columns) for name, columns in COLUMNS.items()}


def write(results_dir, out_dir=None):
    """Write the tables of results/<machine>/ to `out_dir`, by default its folder tables/; {name: DataFrame}.

    InputError where a result file is missing, damaged or of another schema version; nothing is written then.
    """
    results = load_results(results_dir)
    tables = make(results)
    out_dir = Path(out_dir or Path(results_dir) / "tables")
    for name, table in tables.items():
        files.write(out_dir / f"{name}.csv", table.to_csv(index=False))
    parquet = io.BytesIO()
    tables["timings"].to_parquet(parquet, index=False)
    files.write(out_dir / "timings.parquet", parquet.getvalue())
    return tables


def _frame(rows, columns):
    """A DataFrame with exactly these columns and their types; infinite interval ends are null: nothing is known."""
    return pd.DataFrame(
        {name: pd.array([_finite(row[name]) for row in rows], dtype=_TYPES[kind]) for name, kind in columns.items()}
    )


def _finite(value):
    return None if isinstance(value, float) and not math.isfinite(value) else value
