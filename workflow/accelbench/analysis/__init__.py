"""Analysis of one machine's results. Pages, tables, figures and messages take their numbers from it.

analysis  class Analysis, made once from model.results.Results: cases, best cases, peaks and start-up times
cases     Case: a record with its times, its baseline and its speedups; gathering makes the Cases
samples   samples of a case, and ratios of two cases paired by round
effects   times of cases, corrected for disturbances that slow all cases of a round
scatter   variance of ratios, and their confidence intervals; priors has the prior variances
noise     signs that the machine changed while a problem was measured
choices   best case of each group; choosing has the method, leave-one-repetition-out
racing    cases that later repetitions do not measure
peaks     best rates that the machine reached, and the least time of a case at these rates
startup   start-up times of implementations
verdicts  ratios, intervals and verdicts from plain numbers
tables/   one module per table, with its columns and rows; rows has columns that tables share
frames    tables as DataFrames
"""

from accelbench.analysis.analysis import Analysis

__all__ = ["Analysis"]
