"""Functions that rewrite syntax trees, and convert them to text and back with the user's line numbers."""

import ast
import re
from itertools import groupby

IMPORTS = (ast.Import, ast.ImportFrom)


def rewrite(tree, change):
    """Replace each node of a syntax tree by change(node), inner nodes first. Return the tree.

    change  function that returns a node, a list of statements, or None to leave a statement out
    """

    class Rewriter(ast.NodeTransformer):
        def visit(self, node):
            node = self.generic_visit(node)
            if getattr(node, "body", None) == []:
                node.body.append(ast.Pass(lineno=getattr(node, "lineno", 0)))
            return change(node)

    return Rewriter().visit(tree)


def tree(observation, **libraries):
    """Return the syntax tree of an Observation's text, with the line numbers of the user's file.

    libraries  {module: module to import instead}, such as numpy="cupy"
    """
    text = observation.text
    for name, other in libraries.items():
        text = re.sub(rf"(?m)^(from|import) {name}\b", rf"\1 {other}", text)
        text = re.sub(rf"(?m)^import {other}([.\w]*)$", rf"import {other}\1, {other} as {name}", text)
    return _numbered(text, lambda line: observation.lines.get(line, 0))


def _numbered(text, number):
    """Return the ast.Module of a text, with each line number replaced by number(line)."""
    module = ast.parse(text)
    for node in ast.walk(module):
        node.lineno = number(getattr(node, "lineno", 0))
    return module


def functions(module):
    """Return {name: ast.FunctionDef} of the functions of a module."""
    return {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}


def parsed(text, like):
    """Return the statements of a text, with the line number of the node `like`."""
    return _numbered(text, lambda _: like.lineno).body


def expression(text, like):
    """Return the syntax tree of an expression, with the line number of the node `like`."""
    return parsed(text, like)[0].value


def replaced(tree, texts):
    """Return a syntax tree with expressions replaced. `texts` is {expression: its replacement}, both as text."""
    return rewrite(tree, lambda node: expression(texts[text], node) if (text := ast.unparse(node)) in texts else node)


def written(module):
    """Return (text of a module with imports at the top, {line of the text: line in the user's file})."""
    ast.fix_missing_locations(module)
    module.body.sort(key=lambda node: not isinstance(node, IMPORTS))
    groups = groupby(module.body, lambda node: node if isinstance(node, ast.FunctionDef) else isinstance(node, IMPORTS))
    text = "\n\n\n".join("\n".join(ast.unparse(node).strip() for node in group) for _, group in groups)
    old, new = ([n for n in ast.walk(root) if isinstance(n, ast.stmt)] for root in (module, ast.parse(text)))
    return text, {two.lineno: one.lineno for one, two in zip(old, new, strict=True)}


def names(nodes, context):
    """Return the names that nodes read or assign, in the order of ast.walk. Skip nodes that define functions.

    context  ast.Load for names that are read, ast.Store for names that are assigned
    """
    walked = (part for node in nodes if not isinstance(node, ast.FunctionDef) for part in ast.walk(node))
    return list(dict.fromkeys(n.id for n in walked if isinstance(n, ast.Name) and isinstance(n.ctx, context)))
