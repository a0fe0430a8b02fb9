"""Figures and tables that compare the numbers in lectures with measurements of this machine.

entries     model of config/figures.yaml, which declares the figures
kinds, own  functions that draw figures: one for each kind, and one for each figure without a kind
needs       plans and runs a figure's measurements, with results in results/<machine>/lectures/<figure>/
measured    reads a figure's results, selects the fastest of several cases, and computes ratios
views       content of a figure: picture, numbers, sentences, claims, and the source code of implementations
page        writes the files of a figure, the pages reports/<machine>/lectures/<lecture>.html, the list of these pages
            (lectures.html), and the deck slides.md

Snakemake imports entries and needs at every start. To keep the start fast, these two modules import no drawing library,
and this package imports nothing.
"""
