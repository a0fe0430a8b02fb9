"""The figures and tables of the lectures: what config/figures.yaml declares, drawn beside what was printed then.

entries     config/figures.yaml as a model
kinds, own  what a figure shows: a module a kind, and a module for each figure of no kind
needs       what has to be measured for a figure, and what of it there is not
measuring   measures it, into results/<machine>/lectures/<figure>/
measured    measured.json, and the cases of a figure; value is one number, of the fastest of several cases; lines go
            through many
contestants what figures and sweeps have of versions of libraries, for other commands
views       the view of a figure, with the claims of lectures and whether they hold; view has the words for it
sources     the sources beside a figure, ours and the slide's
writing     the files of a figure, and view.json, its part of the page
page        reports/<machine>/lectures/<lecture>.html, lectures.html, which lists them, and slides.md, a deck

Nothing is imported here: Snakemake reads entries and needs whenever it starts, and needs no drawing for that.
"""
