"""The table of all cases, tables/timings.csv, from the results alone."""

from accelbench.analysis import Analysis, frames
from accelbench.analysis.tables.timings import TimingRow

holds = bool


def document(results):
    """As text."""
    return frames.frame(Analysis(results), TimingRow).to_csv(index=False)
