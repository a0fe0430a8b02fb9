"""The files of slides, which lie in a folder beside the pages that lead to them."""

import re

FOLDER, ALL, DECK = "slides", "slides.pdf", "slides.md"
FORMATS, PDF = ("svg", "pdf", "png"), "PDF"
# Of each page of ALL, in their order, in the deck, where what is said of it is a comment.
PICTURE = re.compile(r"^!\[bg contain\]\((.+)\.svg\)\n\n<!--$", re.MULTILINE)


def find(report_dir) -> dict[str, dict[str, str]]:
    """{name of a slide: {"SVG": relative link, ...}} of the folder beside the pages in report_dir; without a PDF of its
    own a slide's is its page of the one of all."""
    folder = report_dir / FOLDER
    found = {}
    for path in sorted(folder.glob("*.*")):
        if path.suffix[1:] in FORMATS and path.name != ALL:
            found.setdefault(path.stem, {})[path.suffix[1:].upper()] = f"{FOLDER}/{path.name}"
    if (folder / ALL).is_file() and (folder / DECK).is_file():
        for number, name in enumerate(PICTURE.findall((folder / DECK).read_text(encoding="utf-8")), 1):
            found.setdefault(name, {}).setdefault(PDF, f"{FOLDER}/{ALL}#page={number}")
    return found


def of_figure(name, slides):
    """[(what, [(FORMAT, link), ...]), ...] of a figure's slides among all: "", parts from "2" on, its "source", and
    "source-2" where that needs several."""
    found = {}
    for slide, files in slides.items():
        if part := re.fullmatch(rf"{re.escape(name)}(?:-(\d+|source(?:-\d+)?))?", slide):
            found[part[1] or ""] = [(form.upper(), files[form.upper()]) for form in FORMATS if form.upper() in files]
    return sorted(found.items(), key=lambda each: ("source" in each[0], int(re.sub(r"\D", "", each[0]) or 0)))
