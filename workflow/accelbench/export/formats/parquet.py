"""The table of all cases, tables/timings.parquet, from the results alone."""

import io

from accelbench.analysis import Analysis, frames

BINARY = True
holds = bool


def document(results):
    """As bytes."""
    stream = io.BytesIO()
    frames.frame(Analysis(results), "timings").to_parquet(stream, index=False)
    return stream.getvalue()
