"""The figures and tables of the lectures: what config/figures.yaml declares, drawn beside what was printed then.

entries    config/figures.yaml as a model
needs      what has to be measured for a figure, and what of it there is not
measuring  measures it, into results/<machine>/lectures/<figure>/; pool looks at CuPy's memory pools, as pool_walk does
measured   the cases of a figure, the right one of many, ratios of two
views      turns them into a view, a plot, a table and sentences: a function a kind of figure, or a module: ways,
           profile_view, pool_view; sources reads what is no timing
claims     what lectures say in words, and whether it holds
draw       draws what the report has no figure for
page       reports/<machine>/lectures.html
drawn      what the page is made of, a file a figure, as a model
writing    the files of a figure, and the page of all

Nothing is imported here: Snakemake reads entries and needs whenever it starts, and needs no drawing for that.
"""
