"""Comparison of runs case by case: ratios of times with confidence intervals and verdicts.

pairs     RunComparison of two runs: the cases that both runs have, and a verdict for each case
trend     several runs of one machine: which cases changed, and in which run
warnings  differences between two runs other than their times
terminal  output in a terminal
page      HTML page with figures
frame     table with a row per case

The only inputs are results folders, measured or published.
"""

from accelbench.compare.frame import table
from accelbench.compare.pairs import PLAIN, RELATIVE, compare

__all__ = ["PLAIN", "RELATIVE", "compare", "table"]
