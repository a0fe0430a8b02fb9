"""Pages that others wrote, or that results from strangers may hold: shown within a page of our own, as a browser shows
an embedded stranger. Scripts unfold lines there, and reach nothing else: neither a network nor
another page, nor what a browser keeps for the place where the report lies."""

import re
from pathlib import Path

from accelbench.store import files, load

HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src \
'unsafe-inline'; img-src data:; font-src data:">
<title>accelbench</title>
<style>html, body, iframe { display: block; width: 100%; height: 100%; margin: 0; border: 0; }</style>
</head>
<body><iframe title="What was recorded" sandbox="allow-scripts" srcdoc='\
<script>Object.defineProperty(window, "localStorage", {value: {getItem() { return null }, setItem() {}}})</script>"""
TAIL = "'></iframe></body>\n</html>\n"
# From Cython's page to what it translated, which is not kept beside it, and which a sandbox would not open.
OUT = re.compile(r'<a href="([\w.]+\.c(?:pp)?)">\1</a>')


def sandboxed(page):
    """The bytes of an HTML page within such a page, without a link to a file beside it; one that is stays as it is."""
    text = OUT.sub(r"\1", page.decode(errors="replace"))
    inside = text.removeprefix(HEAD).removesuffix(TAIL)
    if "'" in inside or HEAD + inside + TAIL != text:
        inside = text.replace("&", "&amp;").replace("'", "&#39;")
    return (HEAD + inside + TAIL).encode()


def copy(path, folder, report_dir):
    """The relative link to a file of the results, which has the same place beside the report as in `folder`."""
    link = Path(path).relative_to(folder)
    data = Path(path).read_bytes()
    files.write(report_dir / link, sandboxed(data) if link.suffix == ".html" else data)
    return link.as_posix()


def copy_annotations(kernels, folder, report_dir):
    """Copy Cython's annotation pages beside the report; {(kernel, implementation, place in build): relative link}."""
    pages = load.annotated_pages(kernels, folder)
    return {key: copy(path, folder, report_dir) for key, path in pages.items()}
