"""What the results of one machine say: the read model of everything that shows or writes results.

analysis  Analysis, made once from model.results.Results: cases, choices among them, and tables as frozen rows
tables/   a table a module: its columns, and how its rows are made
rows      what rows of tables share
cases     cases side by side with their baselines; gathering makes them
choices   cases at the best of their parameters
limits    how fast the machine can be
verdicts  ratios, intervals and verdicts from plain numbers
frames    the exit: tables as DataFrames
"""

from accelbench.analysis.analysis import Analysis

__all__ = ["Analysis"]
