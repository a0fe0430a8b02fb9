"""Loops whose iterations are independent, so that threads can share them.

In an accepted loop, an iteration assigns each of its variables before it reads this variable. An iteration writes
arrays only at its own index, as in `result[i] = ...`. All other loops are refused, even if their iterations happen to
be independent.
"""

import ast

from accelbench.derive import rewriting

MAKERS = ("np.zeros", "np.empty", "np.ones")  # Functions that make an array from its shape and dtype
PURE = ("range", "len", "min", "max", "abs", "int", "float", "sum", "round", "bool")
OF_THREE = ("np.where", "np.clip")  # Functions whose third argument is an input, not `out`
NEW = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.Compare)  # Expressions whose value is never a view of an array


class _DependenceError(Exception):
    """Exception for a loop in which an iteration may depend on another iteration."""


def share(module):
    """Replace `range` by `numba.prange` in loops whose iterations are independent. Return the module.

    Only loops at the top level of a function are examined.

    module  syntax tree of a module, which is changed in place
    """
    for function in rewriting.functions(module).values():
        for number, loop in enumerate(function.body):
            if isinstance(loop, ast.For) and _is_independent(loop, function.body[:number], function.body[number + 1 :]):
                loop.iter.func = rewriting.expression("numba.prange", loop)
    return module


def _is_independent(loop, before, after):
    """Return whether the iterations of a loop are independent of each other.

    before, after  the function's statements before and after the loop
    """
    match loop:
        case ast.For(
            target=ast.Name(id=index),
            iter=ast.Call(func=ast.Name(id="range"), args=[limit] | [ast.Constant(), limit]),
            orelse=[],
        ):
            variables, outside = set(rewriting.names(loop.body, ast.Store)), [limit, *before, *after]
            shared = {index, *rewriting.names(outside, ast.Load), *rewriting.names(outside, ast.Store)}
            later = [s.iter if isinstance(s, ast.For) and ast.unparse(s.target) == index else s for s in after]
            if variables & shared or index in rewriting.names(later, ast.Load):
                return False
            try:
                _assigned(loop.body, {index}, variables)
            except _DependenceError:
                return False
            nodes = [node for statement in loop.body for node in ast.walk(statement)]
            return _writes_own_parts(nodes, index, _made(before)) and all(map(_is_pure, nodes))
    return False


def _writes_own_parts(nodes, index, made):
    """Return whether a loop writes only arrays in `made`, and each iteration uses these only at `index`.

    Return False if an augmented assignment, such as `x += 1`, may change an array through a view.

    index  name of the loop's counter
    made   names of arrays that the loop may write
    """
    parts = [node for node in nodes if isinstance(node, ast.Subscript)]
    written = {_base(part) for part in parts if isinstance(part.ctx, ast.Store)}
    uses = [node for node in nodes if isinstance(node, ast.Name) and node.id in written]
    at_index = [part for part in parts if _base(part) in written and _first(part) == index]
    augmented = {ast.unparse(node.target) for node in nodes if isinstance(node, ast.AugAssign)}
    views = [node for node in nodes if isinstance(node, ast.Assign) and not isinstance(node.value, NEW)]
    maybe_views = rewriting.names([target for node in views for target in node.targets], ast.Store)
    return written <= made and len(uses) == len(at_index) and augmented.isdisjoint(maybe_views)


def _base(node):
    """Return the name of the array of an ast.Subscript, or None."""
    return node.value.id if isinstance(node.value, ast.Name) else None


def _first(node):
    """Return the text of the first index of an ast.Subscript."""
    return ast.unparse(node.slice.elts[0] if isinstance(node.slice, ast.Tuple) else node.slice)


def _made(statements):
    """Return the names of arrays that the statements create and do not use, so each array has a single name."""
    walked = [n.id for s in statements for n in ast.walk(s) if isinstance(n, ast.Name)]
    return {
        node.targets[0].id
        for node in statements
        if isinstance(node, ast.Assign)
        and [type(target) for target in node.targets] == [ast.Name]
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) in (*MAKERS, "np.full")
        and walked.count(node.targets[0].id) == 1
    }


def _is_pure(node):
    """Return whether a node changes arrays only by assignments, which `_writes_own_parts` examines."""
    match node:
        case ast.Call(func=function, args=args, keywords=keywords):
            name = ast.unparse(function)
            known = name in PURE or (isinstance(function, ast.Attribute) and "random" not in name)
            return known and len(args) <= 2 + (name in OF_THREE) and all(k.arg != "out" for k in keywords)
        case ast.Attribute(ctx=ast.Store()) | ast.NamedExpr() | ast.Starred():
            return False
    return True


def _assigned(block, known, variables):
    """Return the variables that an iteration has assigned at the end of a block.

    Raise _DependenceError if the block may read one of `variables` that the iteration has not assigned yet.

    known      variables that the iteration has assigned before the block
    variables  variables that the loop assigns
    """
    for node in block:
        match node:
            case ast.Assign(targets=[target], value=value):
                needed, assigned = rewriting.names([value, target], ast.Load), rewriting.names([target], ast.Store)
            case ast.AugAssign(target=target, value=value):
                needed, assigned = rewriting.names([value, target], ast.Load), []
                needed += rewriting.names([target], ast.Store)
            case ast.If(test=test, body=body, orelse=orelse):
                needed = rewriting.names([test], ast.Load)
                assigned = _assigned(body, known, variables) & _assigned(orelse, known, variables)
            case ast.For(target=ast.Name(id=counter), iter=ast.Call() as counts, body=body, orelse=[]) if (
                ast.unparse(counts.func) == "range"
            ):
                needed, assigned = rewriting.names([counts], ast.Load), []
                _assigned(body, known | {counter}, variables)
            case ast.While(test=test, body=body, orelse=[]):
                needed, assigned = rewriting.names([test], ast.Load), []
                _assigned(body, known, variables)
            case ast.Pass() | ast.Continue():
                needed, assigned = [], []
            case _:
                raise _DependenceError
        if not variables.intersection(needed) <= known:
            raise _DependenceError
        known = known | set(assigned)
    return known
