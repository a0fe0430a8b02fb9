"""Copies of Cython's annotated pages (`cython -a`) in the folder of a report."""

import re
from pathlib import Path

from accelbench.store import files, load

# Link from Cython's page to the generated C file. The report has no copy of this file.
LINK = re.compile(rb'<a href="([\w.]+\.c(?:pp)?)">\1</a>')


def copy(path, folder, report_dir):
    """Copy a page from the results folder `folder` to `report_dir`.

    Return the page's relative path, which is the same in both folders.
    """
    link = Path(path).relative_to(folder)
    files.write(Path(report_dir) / link, LINK.sub(rb"\1", Path(path).read_bytes()))
    return link.as_posix()


def copy_annotations(kernels, folder, report_dir):
    """Copy all annotated pages to `report_dir`. Return {(kernel, implementation, index of the build): link}."""
    return {key: copy(path, folder, report_dir) for key, path in load.annotated_pages(kernels, folder).items()}
