"""Comparing two runs case by case: what became faster or slower, by how much, and how sure that is.

pairs     finds the cases both runs have and judges each
warnings  says what else differs between the runs
summary   counts verdicts, and lists pairs as rows of a table
terminal  prints it
page      writes it as an HTML page with a picture; figure draws that

Needs nothing but two results folders, of machines or published.
"""

from accelbench.compare.pairs import PLAIN, RELATIVE, compare
from accelbench.compare.summary import table

__all__ = ["PLAIN", "RELATIVE", "compare", "table"]
