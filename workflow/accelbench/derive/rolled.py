"""Loops of functions without side effects as jax.lax.fori_loop and while_loop, so that XLA compiles a body once."""

import ast

from accelbench.derive import rewriting
from accelbench.derive.rewriting import loads, stores


def live(statements):
    """Return the names that may be read before these statements write them."""
    needed, written = set(), set()
    for each in statements:
        if isinstance(each, ast.For):
            within = live(each.body) - set(stores([each.target]))
            needed |= (loads([each.iter]) | within | live(each.orelse)) - written
        elif isinstance(each, ast.While):
            needed |= (loads([each.test]) | live(each.body)) - written
        elif isinstance(each, ast.If):
            needed |= (loads([each.test]) | live(each.body) | live(each.orelse)) - written
            written |= set(stores(each.body)) & set(stores(each.orelse))
        else:
            needed |= loads([each]) - written
            written |= set(stores([each]))
    return needed


def shaping(body):
    """Return the names that must be known when the program is compiled: those in slices and in tests."""
    nodes = [node for each in body for node in ast.walk(each)]
    names = set()
    for node in nodes:
        if isinstance(node, ast.Slice):
            names |= loads([node])
        elif isinstance(node, (ast.If, ast.IfExp)):
            names |= loads([node.test])
    while True:
        more = set(names)
        for node in nodes:
            if isinstance(node, ast.For) and set(stores([node.target])) & more:
                more |= loads([node.iter])
            calls = (isinstance(each, ast.Call) for each in ast.walk(node))
            if isinstance(node, ast.Assign) and set(stores([node])) & more and not any(calls):
                more |= loads([node.value])
        if more == names:
            return names
        names = more


class Roller:
    """Rolls the loops of functions; `count` says how many."""

    def __init__(self):
        self.count = 0

    def function(self, node):
        """Roll the loops of an ast.FunctionDef that can be rolled, in place."""
        node.body = self._block(node.body, {each.arg for each in node.args.args}, set())

    def _block(self, statements, defined, later):
        """Return statements with their loops rolled.

        defined  names that have a value before; later: names that are read afterwards
        """
        out, defined = [], set(defined)
        for number, each in enumerate(statements):
            after = later | live(statements[number + 1 :])
            if isinstance(each, (ast.For, ast.While)) and not each.orelse and not _is_left(each):
                out += self._loop(each, defined, after)
            else:
                if isinstance(each, ast.If):
                    each.body = self._block(each.body, defined, after)
                    each.orelse = self._block(each.orelse, defined, after)
                out.append(each)
            defined |= set(stores([each]))
        return out

    def _loop(self, node, defined, after):
        steps = _range(node)
        target = node.target.id if steps else None
        assigned = [name for name in stores(node.body) if name != target]
        carried = [name for name in assigned if name in defined]
        inner = {name for name in assigned if name not in defined} | ({target} if target else set())
        is_fixed = isinstance(node, ast.For) and not steps
        if is_fixed or not carried or inner & after or target in shaping(node.body):
            own = set(stores([node.target])) if isinstance(node, ast.For) else set()
            node.body = self._block(node.body, defined | own, after | live(node.body))
            return [node]
        self.count += 1
        body = self._block(node.body, defined | {target or ""}, after | set(carried) | live(node.body))
        return _rolled(node, body, steps, names=(f"_loop{self.count}", f"{', '.join(carried)},"))


def _is_left(node):
    return any(isinstance(each, (ast.Break, ast.Continue, ast.Return)) for each in ast.walk(node))


def _range(node):
    """Return (start, stop, step) of `for i in range(...)` as text, else None."""
    if not (isinstance(node, ast.For) and isinstance(node.target, ast.Name) and isinstance(node.iter, ast.Call)):
        return None
    if ast.unparse(node.iter.func) != "range":
        return None
    given = [ast.unparse(each) for each in node.iter.args]
    return ("0", given[0], "1") if len(given) == 1 else (given[0], given[1], given[2] if len(given) > 2 else "1")


def _rolled(node, body, steps, *, names):
    """Return the statements of a rolled loop: its body as a function, and the call that repeats it."""
    name, carried = names
    if steps:
        start, stop, step = steps
        head = (
            f"def {name}(_k, _carried):\n    {node.target.id} = {start} + _k * ({step})\n    ({carried}) = _carried\n"
        )
        times = f"({stop}) - ({start})"
        if step != "1":
            times = f"({times} + ({step}) - (1 if ({step}) > 0 else -1)) // ({step})"
        call = f"({carried}) = jax.lax.fori_loop(0, {times}, {name}, ({carried}))"
    else:
        head = f"def {name}_test(_carried):\n    ({carried}) = _carried\n    return {ast.unparse(node.test)}\n\n"
        head += f"def {name}(_carried):\n    ({carried}) = _carried\n"
        call = f"({carried}) = jax.lax.while_loop({name}_test, {name}, ({carried}))"
    new = ast.parse(f"{head}    return ({carried})\n{call}").body
    for each in new:
        rewriting.placed(each, node)
    new[-2].body[-1:-1] = body
    return new
