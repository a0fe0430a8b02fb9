"""CSV: the table of all cases, tables/timings.csv, computed from the results."""

from accelbench.analysis import Analysis, frames

holds = bool


def document(results):
    """Return the table as text."""
    return frames.frame(Analysis(results), "timings").to_csv(index=False)
