"""Docstrings for the site as they stand: they are laid out as plain text, which Markdown would run together."""

from griffe import Extension


class Verbatim(Extension):
    """Puts the text of every docstring between the marks of a code block."""

    def on_object(self, *, obj, **_):
        if obj.docstring:
            obj.docstring.value = f"```text\n{obj.docstring.value}\n```"
