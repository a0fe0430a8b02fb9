"""Parquet: the table of all cases, with the content of tables/timings.parquet."""

import io

from accelbench.analysis import Analysis, frames

BINARY = True
holds = bool


def document(results):
    stream = io.BytesIO()
    frames.frame(Analysis(results), "timings").to_parquet(stream, index=False)
    return stream.getvalue()
