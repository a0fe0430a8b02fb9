"""Extension of griffe that keeps the line breaks of docstrings, which Markdown would remove, on the site."""

from griffe import Extension


class Verbatim(Extension):
    """Extension that turns every docstring into a code block."""

    def on_object(self, *, obj, **_):
        if obj.docstring:
            obj.docstring.value = f"```text\n{obj.docstring.value}\n```"
