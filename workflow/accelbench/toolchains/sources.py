"""The files of a native source: the source and all files that it includes, found without a compiler."""

import os
import re

# `#include "x"` of C, CUDA and OpenCL; `include "x"` and `cdef extern from "x"` of Cython
_INCLUDE = re.compile(
    rb"""^[ \t]*(?:\#[ \t]*include|include|cdef[ \t]+extern[ \t]+from)[ \t]*["']([^"'\n]+)["']""", re.M
)
_CIMPORT = re.compile(rb"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+cimport\b|cimport[ \t]+([\w., \t]+))", re.M)


def texts(roots, folder):
    """Return [name, content, name, content, ...] of the files `roots` and the files they include, sorted by name.

    Names are paths relative to `folder`. A file in quotes, or the .pxd of a cimported module, is looked up beside the
    including file, then in `folder`. Other includes are system headers, which are ignored. Includes through a macro are
    ignored, too.
    """
    contents = {}
    waiting = list(roots)
    while waiting:
        path = waiting.pop()
        name = os.path.relpath(path, folder)
        if name in contents:
            continue
        contents[name] = content = path.read_bytes()
        for included in _included(content):
            beside = [place / included for place in (path.parent, folder)]
            waiting.extend([file for file in beside if file.is_file()][:1])
    return [part for name in sorted(contents) for part in (name, contents[name])]


def _included(content):
    for match in _INCLUDE.finditer(content):
        yield os.fsdecode(match[1])
    for match in _CIMPORT.finditer(content):
        for module in (match[1] or match[2]).split(b","):
            name = module.split()[0] if module.split() else b""
            yield os.fsdecode(name.lstrip(b".").replace(b".", b"/")) + ".pxd"
