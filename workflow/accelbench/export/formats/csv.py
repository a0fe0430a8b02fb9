"""The table of all cases, tables/timings.csv, from the results alone."""

from accelbench.analysis import Analysis, frames

holds = bool


def document(results):
    """As text."""
    return frames.frame(Analysis(results), "timings").to_csv(index=False)
