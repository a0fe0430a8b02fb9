"""The figures and tables of the lectures: what config/figures.yaml declares, drawn beside what was printed then.

entries     config/figures.yaml as a model
kinds, own  what a figure shows: a function for each kind, and for each figure of no kind
needs       what has to be measured for a figure, and what of it there is not; measures it, into
            results/<machine>/lectures/<figure>/
measured    measured.json, the cases of a figure, the fastest of several, and ratios; versions of libraries
views       what a figure shows: its picture, numbers, sentences, claims and sources, ours and the slide's
page        a figure's files and its part of the page; reports/<machine>/lectures/<lecture>.html, lectures.html, which
            lists them, and slides.md, a deck

Nothing is imported here: Snakemake reads entries and needs whenever it starts, and needs no drawing for that.
"""
