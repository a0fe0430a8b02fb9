"""The table of all cases, tables/timings.csv, from the results alone."""

from accelbench.analysis import make

holds = bool


def document(results):
    """As text."""
    return make(results)["timings"].to_csv(index=False)
