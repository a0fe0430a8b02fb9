"""The table of all cases: tables/timings.csv and .parquet, from the results alone."""

import io

from accelbench.analysis import make


def csv(results):
    """As text."""
    return make(results)["timings"].to_csv(index=False)


def parquet(results):
    """As bytes."""
    stream = io.BytesIO()
    make(results)["timings"].to_parquet(stream, index=False)
    return stream.getvalue()
