"""Comparing runs case by case: what became faster or slower, by how much, and how sure that is.

pairs     finds the cases both runs have and judges each: a RunComparison
trend     follows several runs of one machine: which cases changed, and in which run
warnings  says what else differs between the runs
terminal  prints it
page      writes it as an HTML page with pictures
frame     the table of a row a case

Needs nothing but results folders, measured or published.
"""

from accelbench.compare.frame import table
from accelbench.compare.pairs import PLAIN, RELATIVE, compare

__all__ = ["PLAIN", "RELATIVE", "compare", "table"]
