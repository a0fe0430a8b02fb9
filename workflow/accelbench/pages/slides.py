"""The files of slides, which lie in a folder beside the pages that lead to them."""

FOLDER, ALL, DECK = "slides", "slides.pdf", "slides.md"
FORMATS = ("svg", "pdf", "png")
