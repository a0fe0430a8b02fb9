"""Parquet: the table of all cases, tables/timings.parquet, computed from the results."""

import io

from accelbench.analysis import Analysis, frames

BINARY = True
holds = bool


def document(results):
    """Return the table as bytes."""
    stream = io.BytesIO()
    frames.frame(Analysis(results), "timings").to_parquet(stream, index=False)
    return stream.getvalue()
