"""Speedups from additional threads, for implementations that were measured with several numbers of threads.

`scaling` is the speedup over the same implementation with `fewest_threads`. `efficiency` is `scaling` divided by the
ratio of `threads` to `fewest_threads`.
"""

from accelbench.analysis.rows import CASE, columns, comparison, describe

COLUMNS = CASE | columns(
    ("parameters", str),
    ("compute_s", float),
    ("fewest_threads", int),
    ("scaling scaling_ci_low scaling_ci_high", float),
    ("verdict", str),
    ("efficiency", float),
    ("case", str),
)


def rows(analysis):
    for best, fewest, gain in analysis.scaling("compute"):
        threads = fewest.case.record.threads
        yield {
            **describe(best.case, COLUMNS),
            "compute_s": best.seconds,
            "fewest_threads": threads,
            **comparison("scaling", gain),
            "efficiency": gain.ratio and gain.ratio * threads / best.case.record.threads,
        }
