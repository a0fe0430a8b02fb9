"""What makes a site of docs/: pages that lie elsewhere in the repository, and links that lead there."""

import os
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "config/README.md": "configuration.md",
    "exercises/README.md": "exercises.md",
}
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")


def on_files(files, config):
    """Add the pages that lie elsewhere."""
    for source, page in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown, page, config, files):
    """Have links lead to the page that the site makes of a file, and pictures be part of it; what else lies in the
    repository is named without a link."""
    source = {made: source for source, made in PAGES.items()}.get(page.file.src_uri, f"docs/{page.file.src_uri}")

    def lead(link):
        picture, words, target, fragment = link.groups(default="")
        if "://" in target:
            return link[0]
        path = os.path.normpath(Path(source).parent / target)
        if path in PAGES or path.startswith("docs/"):
            return f"[{words}]({PAGES.get(path, path.removeprefix('docs/'))}{fragment})"
        if not picture:
            return words
        if files.get_file_from_path(Path(path).name) is None:
            files.append(File.generated(config, Path(path).name, abs_src_path=str(ROOT / path)))
        return f"![{words}]({Path(path).name})"

    return LINK.sub(lead, markdown)
