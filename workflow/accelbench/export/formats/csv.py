"""CSV: the table of all cases, as in tables/timings.csv, but computed from the results."""

from accelbench.analysis import Analysis, frames

holds = bool


def document(results):
    """Return the table of all cases as CSV text."""
    return frames.frame(Analysis(results), "timings").to_csv(index=False)
