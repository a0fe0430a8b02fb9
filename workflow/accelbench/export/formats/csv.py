"""CSV: the table of all cases, with the content of tables/timings.csv."""

from accelbench.analysis import Analysis, frames

holds = bool


def document(results):
    """Return the table of all cases as CSV text."""
    return frames.frame(Analysis(results), "timings").to_csv(index=False)
