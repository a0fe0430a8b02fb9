"""Analysis of one machine's results, from which pages, tables, figures and messages take their numbers.

analysis  Analysis, made once from model.results.Results: cases, best cases, peaks and start-up times
cases     Case: a record with its times, its baseline and its speedups; gathering makes the Cases
samples   samples of a case, and ratios of two cases paired by round
effects   times of cases without the disturbances of rounds
scatter   variance of ratios, and confidence intervals from it; priors has the prior variances
noise     signs that the machine changed while a problem was measured
choices   best cases of groups; choosing has the rule: leave one repetition out
racing    cases that are not measured in later repetitions
peaks     rates that the machine reached, and the least time of a case
startup   start-up times of implementations
verdicts  ratios, intervals and verdicts from plain numbers
tables/   a module for each table: its columns and its rows; rows has what tables share
frames    tables as DataFrames
"""

from accelbench.analysis.analysis import Analysis

__all__ = ["Analysis"]
