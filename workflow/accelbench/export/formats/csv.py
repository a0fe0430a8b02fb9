"""CSV: the table of all cases, with the content of tables/timings.csv."""

from accelbench.analysis import Analysis, frames

holds = bool


def document(results):
    return frames.frame(Analysis(results), "timings").to_csv(index=False)
