"""Figures of the kind `annotations`: how much Python Cython leaves in sources."""

from accelbench.lectures import sources
from accelbench.lectures.kind import Kind
from accelbench.lectures.view import View, nothing
from accelbench.store import load


class AnnotationsKind(Kind):
    """The scores that `cython -a` gives the lines of sources, with its pages beside ours."""

    def view(self, entry, results):
        from accelbench.figures.line_scores import LineScores

        scores = {
            name: sources.annotated_scores(path.read_text(encoding="utf-8"))
            for (_, name, _), path in load.annotated_pages(results.kernels, results.home).items()
            if entry.draws(name)
        }
        if not scores:
            return nothing("; ".join(results.missing) or "no page of Cython's was built")
        figure = LineScores(scores)
        text = figure.alt_text()
        return View(figure, text, sentences=[text])

    def links(self, entry, results, report_dir):
        from accelbench.pages import sandbox

        links = sandbox.copy_annotations(results.kernels, results.home, report_dir)
        return [
            sources.Link(implementation=name, href=href) for (_, name, _), href in links.items() if entry.draws(name)
        ]
