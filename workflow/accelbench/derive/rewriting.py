"""Syntax trees: rewriting them node by node, and writing them as text with the user's line numbers."""

import ast


def rewrite(node, change, *, within=True):
    """Return a syntax tree with change(node) in place of each node, the innermost first.

    change  returns a node, a list of statements, or None to leave a statement out
    within  whether functions within a function are rewritten, too
    """
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            setattr(node, name, rewrite(value, change, within=within))
        elif isinstance(value, list):
            new = []
            for each in value:
                enters = isinstance(each, ast.AST) and (within or not isinstance(each, ast.FunctionDef))
                found = rewrite(each, change, within=within) if enters else each
                new += found if isinstance(found, list) else [found] * (found is not None or not enters)
            if name == "body" and not new and isinstance(node, ast.stmt):
                new.append(ast.Pass(lineno=node.lineno))
            value[:] = new
    return change(node)


def tree(observation):
    """Return the normal form; line numbers are those of its text."""
    return ast.parse(observation.text)


def functions(module):
    """Return {name: ast.FunctionDef} of the functions of a module."""
    return {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}


def expression(text, like=None):
    """Return the syntax tree of an expression, at the place of another."""
    return placed(ast.parse(text, mode="eval").body, like)


def statement(text, like):
    """Return the syntax tree of a statement, at the place of another."""
    return placed(ast.parse(text).body[0], like)


def placed(node, like):
    """Put a syntax tree at the place of another; returns it."""
    for each in ast.walk(node):
        if like is not None and hasattr(each, "lineno"):
            each.lineno = each.end_lineno = like.lineno
            each.col_offset = each.end_col_offset = 0
    return node


def numbered(module):
    """Return (the text of a module, {line of the text: line number of the statement there before})."""
    text = ast.unparse(ast.fix_missing_locations(module))
    pairs = zip(_statements(module), _statements(ast.parse(text)), strict=True)
    return text, {new.lineno: old.lineno for old, new in pairs}


def _statements(module):
    return [node for node in ast.walk(module) if isinstance(node, ast.stmt)]


def text(module, *, decorate=None, imports="", constants=""):
    """Return (the file's body, {line of the body: line of the normal form}).

    decorate            a line above every function of the module
    imports, constants  lines above and below the module's own imports
    """
    own = [node for node in module.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    module.body = own + [node for node in module.body if node not in own]
    plain, lines = numbered(module)
    out, found = imports.splitlines(), {}
    for number, line in enumerate(plain.splitlines(), 1):
        if number == len(own) + 1:
            out += ["", constants] * bool(constants)
        if line.startswith("def "):
            while out and not out[-1]:
                out.pop()
            out += ["", ""] * bool(out) + ([decorate] if decorate else [])
        if line or out:
            out.append(line)
        if number in lines:
            found[len(out)] = lines[number]
    return "\n".join(out), found


def names(nodes, context):
    """Return the names that nodes read (ast.Load) or assign (ast.Store), in their order; functions within left out."""
    walked = (each for node in nodes if not isinstance(node, ast.FunctionDef) for each in ast.walk(node))
    found = (each.id for each in walked if isinstance(each, ast.Name) and isinstance(each.ctx, context))
    return list(dict.fromkeys(found))


def stores(nodes):
    """Return the names that statements assign, in their order."""
    return names(nodes, ast.Store)


def loads(nodes):
    """Return the set of names that nodes read."""
    return set(names(nodes, ast.Load))
