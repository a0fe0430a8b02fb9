"""The files of slides: SVG, PDF and PNG of each page, slides.pdf with all of them, slides.md for a deck."""

import io
import re
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from matplotlib.backends.backend_pdf import Op, PdfPages

from accelbench.figures import canvas, svg
from accelbench.pages.slides import ALL, DECK, FORMATS
from accelbench.slides import layout
from accelbench.store import files

STATES = "states"  # in it: what no run of all slides removes
PIXELS = 1920
PROCESSES = 2  # that draw slides side by side
NO_DATE = {"CreationDate": None}
FONT, CODE_FONT = "'DejaVu Sans', sans-serif", "'DejaVu Sans Mono'"  # the first is said once in a file
NEEDLESS = re.compile(  # as in figures.svg, and what repeats the title
    r'<g id="[^"]*"/>\s*| id="[\w.]+_\d+"| transform="rotate\(-0 [^"]*\)"|<metadata>.*?</metadata>\s*', re.DOTALL
)
PATH, STYLE = re.compile(r'\bd="[^"]*"'), re.compile(r'\bstyle="[^"]*"')  # which need no blanks beside these
COMMANDS, SIGNS = re.compile(r"\s*([MLCQz])\s*"), re.compile(r"\s*([;:])\s*")
FRONT = "---\nmarp: true\nsize: 16:9\npaginate: false\n---\n"


def write(slides, folder, *, formats=FORMATS):
    """Write folder/<name>.<format> of every page, slides.pdf and slides.md; the path of slides.pdf. What an earlier run
    has left there and is no slide of today is removed."""
    folder = Path(folder)
    files.make_folder(folder)
    canvas.use_style()
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("fork")) as pool:
        written = [pool.submit(_write_sheets, slide, folder, formats) for slide in slides]
        stream = io.BytesIO()
        with PdfPages(stream, metadata=NO_DATE) as every:
            for slide in slides:
                for sheet in layout.sheets(slide):
                    _save_pdf(sheet, every)
        names = [done.result() for done in written]
    files.write(folder / ALL, stream.getvalue())
    pages = [marp(slide, f"{name}.svg") for slide, own in zip(slides, names, strict=True) for name in own]
    files.write(folder / DECK, FRONT + "\n---\n".join(pages))
    kept = {f"{name}.{kind}" for own in names for name in own for kind in formats} | {ALL}
    for path in folder.iterdir():
        if path.name not in kept and path.suffix[1:] in FORMATS:
            path.unlink()
    return folder / ALL


def write_alone(slide, folder, *, formats=FORMATS):
    """Write folder/<name>.<format> of a Slide's pages, beside what is there; their paths."""
    folder = Path(folder)
    files.make_folder(folder)
    canvas.use_style()
    return [folder / f"{name}.{kind}" for name in _write_sheets(slide, folder, formats) for kind in formats]


def _write_sheets(slide, folder, formats):
    """Write the files of a slide's pages; their names."""
    sheets = layout.sheets(slide)
    for sheet in sheets:
        for kind in formats:
            files.write(folder / f"{sheet.name}.{kind}", SAVED[kind](sheet, slide))
    return [sheet.name for sheet in sheets]


def marp(slide, picture):
    """A slide in Marp's Markdown: the picture fills it, and what the numbers say is for the speaker."""
    told = "\n".join(note.replace("--", "\N{EN DASH}") for note in (slide.title, *slide.notes))
    alt = re.sub(r"[\[\]\n]", " ", slide.summary)
    return f"\n![bg contain]({picture})\n\n<!--\n{told}\n\n{alt}\n-->\n".replace("---\n", "\n")


def _svg(sheet, slide):
    stream = io.BytesIO()
    sheet.figure.savefig(stream, format="svg", metadata=svg.METADATA | {"Title": slide.title}, facecolor="white")
    text = svg.rounded(stream.getvalue().decode())
    size = f'font-family="{FONT}" width="{layout.WIDTH}pt" height="{layout.HEIGHT}pt"'
    text = re.sub(r'width="[\d.]+pt" height="[\d.]+pt"', size, NEEDLESS.sub("", text), count=1)
    text = re.sub(
        r"\s*\n\s*", "\n", text.replace(f"font-family: {FONT}; ", "").replace(CODE_FONT, f"{CODE_FONT}, monospace")
    )
    return PATH.sub(lambda d: COMMANDS.sub(r"\1", d[0]), STYLE.sub(lambda looks: SIGNS.sub(r"\1", looks[0]), text))


def _pdf(sheet, slide):
    stream = io.BytesIO()
    with PdfPages(stream, metadata=NO_DATE | {"Title": slide.title}) as pages:
        _save_pdf(sheet, pages)
    return stream.getvalue()


def _save_pdf(sheet, pages):
    """Append a page, enlarged: Matplotlib itself has no such factor."""
    file, scale = pages._ensure_file(), sheet.scale
    new_page = type(file).newPage

    def enlarged(width, height):
        new_page(file, width * scale, height * scale)
        file.output(scale, 0, 0, scale, 0, 0, Op.concat_matrix)

    file.newPage = enlarged
    pages.savefig(sheet.figure, facecolor="white")


def _png(sheet, slide):
    stream = io.BytesIO()
    dots = PIXELS / sheet.figure.get_figwidth()
    sheet.figure.savefig(stream, format="png", dpi=dots, facecolor="white", pil_kwargs={"compress_level": 1})
    return stream.getvalue()


SAVED = {"svg": _svg, "pdf": _pdf, "png": _png}
