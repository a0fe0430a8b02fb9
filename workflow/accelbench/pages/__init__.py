"""Parts that all HTML pages share.

The packages report, lectures and compare import this package, but do not import each other.

page      rendering of a template as one file, with the shared filters, style sheet, script and glossary
pictures  figures on pages, and files of figures
machine   description of a machine
spread    sentence on the difference between two runs
source    source code as highlighted HTML
copies    copies of the annotated pages that Cython writes

The file templates/macros.html.jinja contains the macros that templates share. They render, for example, a figure with
its numbers, an implementation's label, a term with its meaning, and a command.
"""
