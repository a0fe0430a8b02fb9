"""Figures and tables of lectures. They compare numbers of the lectures with measurements of this machine.

entries     model of config/figures.yaml, which declares the figures
kinds, own  functions that draw figures: one for each kind, and one for each figure without a kind
needs       plans and runs a figure's measurements, in results/<machine>/lectures/<figure>/
measured    results of a figure: measured.json, its cases, the fastest of several, and ratios
views       content of a figure: picture, numbers, sentences, claims, and the sources of kernels and of the slide
page        files of a figure; the pages reports/<machine>/lectures/<lecture>.html, their list lectures.html, and the
            deck slides.md

This module imports nothing, because Snakemake imports entries and needs at every start, but draws nothing.
"""
