"""Updates of index.html during a run: the line on the repetitions measured so far, and the answers."""

import re
from pathlib import Path

from accelbench.analysis import Analysis
from accelbench.decide import Answers
from accelbench.pages import copies
from accelbench.report import decide_page, method
from accelbench.store import files

LOOK = re.compile(r'(<p id="look")[^>]*>[^<]*(?=</p>)')
DATA = re.compile(r'(<script type="application/json" id="choices">).*?(?=</script>)', re.DOTALL)


def write(analysis: Analysis | None, folder: Path, report_dir: Path, *, words: str):
    """Write `words` into report_dir/index.html. If `analysis` is given, replace the page's answers, too.

    words   line on the repetitions measured so far
    folder  results/<machine>/, with builds and their annotated pages
    """
    path = report_dir / "index.html"
    page = LOOK.sub(rf"\1>{words}", path.read_text(encoding="utf-8"))
    if analysis is not None:
        annotations = copies.copy_annotations(analysis.kernels, folder, report_dir)
        data = decide_page.data(Answers(analysis), citation=method.citation(analysis), annotations=annotations)
        page = DATA.sub(lambda match: f"{match[1]}{data}", page)
    files.write(path, page)
