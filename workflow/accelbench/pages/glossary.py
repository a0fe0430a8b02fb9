"""The words of docs/glossary.md, for pages to explain them where they stand; where the documentation is not, they go
without."""

import re
from functools import cache

from accelbench import project

ROW = re.compile(r"^\| \*\*(.+?)\*\* \| (.+) \|$", re.MULTILINE)


@cache
def words() -> dict[str, str]:
    """{word: what it is}, without marks; a row of several words is there under each."""
    file = project.ROOT / "docs" / "glossary.md"
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    rows = [(names, re.sub(r"[*`]", "", told)) for names, told in ROW.findall(text)]
    return {name.strip(): told for names, told in rows for name in names.split(",")}
