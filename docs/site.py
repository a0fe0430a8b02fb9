"""Hooks of mkdocs: add pages from elsewhere in the repository, resolve links to them, and copy published reports."""

import os
import re
import shutil
from pathlib import Path

from mkdocs.structure.files import File
from pygments.formatters import HtmlFormatter

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "config/README.md": "configuration.md",
    "exercises/README.md": "exercises.md",
}
EXAMPLES = "reports/examples/"  # becomes examples/ of the site
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")


def on_files(files, config):
    """Add the pages from outside docs/, and the style sheet for code, to `files`."""
    for source, page in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    files.append(File.generated(config, "code.css", content=code_colours()))
    return files


def code_colours():
    """Return the style sheet of code, with a light and a dark scheme."""
    light, dark = (HtmlFormatter(style=style).get_style_defs(".highlight") for style in ("default", "github-dark"))
    return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"


def on_page_markdown(markdown, page, config, files):
    """Return `markdown` with links for the site, and add linked pictures to `files`. Other links become plain text."""
    source = {made: source for source, made in PAGES.items()}.get(page.file.src_uri, f"docs/{page.file.src_uri}")

    def lead(link):
        picture, words, target, fragment = link.groups(default="")
        if "://" in target:
            return link[0]
        path = os.path.normpath(Path(source).parent / target)
        if path in PAGES or path.startswith("docs/"):
            return f"{picture}[{words}]({PAGES.get(path, path.removeprefix('docs/'))}{fragment})"
        if path.startswith(EXAMPLES) and not picture:
            report = "" if path.endswith(".html") else "/index.html"
            return f'<a href="examples/{path.removeprefix(EXAMPLES)}{report}">{words}</a>'
        if not picture:
            return words
        if files.get_file_from_path(Path(path).name) is None:
            files.append(File.generated(config, Path(path).name, abs_src_path=str(ROOT / path)))
        return f"![{words}]({Path(path).name})"

    return LINK.sub(lead, markdown)


def on_post_build(config):
    """Copy the published reports into the site. Only `make examples` renders those that are not committed."""
    shutil.copytree(ROOT / EXAMPLES, Path(config.site_dir, "examples"), dirs_exist_ok=True)
