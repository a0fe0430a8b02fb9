"""Copies of Cython's annotated pages (`cython -a`) in the folder of a report."""

import re
from pathlib import Path

from accelbench.store import files, load

# Link from an annotated page to the generated C or C++ file, of which the report has no copy
LINK = re.compile(rb'<a href="([\w.]+\.c(?:pp)?)">\1</a>')


def copy(path, folder, report_dir):
    """Copy the page at `path` from the results folder `folder` to `report_dir`, and remove its link to the C file.

    Return the page's relative path, which is the same in both folders.
    """
    link = Path(path).relative_to(folder)
    files.write(Path(report_dir) / link, LINK.sub(rb"\1", Path(path).read_bytes()))
    return link.as_posix()


def copy_annotations(kernels, folder, report_dir):
    """Copy the annotated pages of `kernels` to `report_dir`. Return {(kernel, implementation, build index): link}."""
    return {key: copy(path, folder, report_dir) for key, path in load.annotated_pages(kernels, folder).items()}
