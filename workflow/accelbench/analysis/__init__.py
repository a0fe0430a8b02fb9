"""Analysis of one machine's results. Pages, tables, figures and messages take their numbers from this package.

A case is one implementation at one problem, with its device, threads and parameters.

analysis  class Analysis, made from model.results.Results: gives cases, best cases, peaks and start-up times
cases     class Case: a record with its times, its baseline and its speedups; the module gathering makes the Cases
samples   samples of a case, and ratios of two cases paired by round
effects   times of cases, corrected for disturbances that slow all cases of a round
scatter   variance and confidence intervals of ratios; the module priors has the prior variances
noise     signs that the machine changed while a problem was measured
choices   best case of each group of cases, chosen by leave-one-repetition-out (module choosing)
racing    which cases later repetitions do not measure
peaks     best rates that the machine reached, and the least time of a case at these rates
startup   start-up times of implementations
verdicts  verdicts on ratios from their intervals; ties and crossover sizes from verdicts
tables/   one module per table, with its columns and rows; the module rows has columns that several tables share
frames    tables as DataFrames
"""

from accelbench.analysis.analysis import Analysis

__all__ = ["Analysis"]
