"""Loops of functions without side effects as calls of `_repeat`, so that XLA compiles a body once."""

import ast

from accelbench.derive.rewriting import names, parsed

LEAVING = (ast.Break, ast.Continue, ast.Return)
REPEAT = '''
def _repeat(test, body, carried):
    """Repeat a body as one loop of XLA's; unroll it if shapes or branches within depend on what it computes."""
    try:
        kinds = jax.eval_shape(body, carried)
        first = jax.tree.map(lambda x, kind: jax.numpy.asarray(x, kind.dtype), carried, kinds)
        return jax.lax.while_loop(test, body, first)
    except (TypeError, IndexError, ValueError):
        for _ in range(4000):
            if not test(carried):
                return carried
            carried = body(carried)
        raise NotImplementedError("a loop unrolls into more than 4,000 steps") from None
'''
LOOP = """
def {test}(_carried):
    ({carried},) = _carried
    return {condition}

def {body}(_carried):
    ({carried},) = _carried
    {step}
    return ({carried},)

({carried},) = _repeat({test}, {body}, ({carried},))
"""


class Roller:
    """Rolls the loops of functions; `count` says how many."""

    def __init__(self):
        self.count = 0

    def function(self, node):
        """Roll the loops of an ast.FunctionDef that can be rolled, in place."""
        node.body = self._block(node.body, {each.arg for each in node.args.args})

    def _block(self, statements, defined):
        """Return statements with their loops rolled; `defined` names have a value before."""
        out = []
        for each in statements:
            is_loop = isinstance(each, (ast.For, ast.While)) and not each.orelse
            if is_loop and not any(isinstance(node, LEAVING) for node in ast.walk(each)) and _head(each):
                out += self._rolled(each, defined)
                continue
            inside = defined | set(names([getattr(each, "target", each)], ast.Store))
            for part in ("body", "orelse"):
                if getattr(each, part, None):
                    setattr(each, part, self._block(getattr(each, part), inside))
            out.append(each)
            defined = defined | set(names([each], ast.Store))
        return out

    def _rolled(self, node, defined):
        """Return the statements of a rolled loop: its test and its body as functions, and the call that repeats it."""
        begin, counter, condition, step = (text.replace("_stop", f"_stop{self.count}") for text in _head(node))
        carried = [name for name in names(node.body, ast.Store) if name in defined and name != counter]
        if not carried:
            return [node]
        self.count += 1
        test, body = f"_test{self.count}", f"_body{self.count}"
        inside = self._block(node.body, defined | {counter})
        carried = ", ".join([counter] * bool(counter) + carried)
        text = begin + LOOP.format(test=test, body=body, carried=carried, condition=condition, step=step)
        new = parsed(text, node)
        new[-2].body[1:1] = inside
        return new


def _head(node):
    """Return (statement before, counter, condition, statement after the body) of a loop as text; None if it is over
    something else than a range of whole numbers."""
    match node:
        case ast.While(test=test):
            return "", "", ast.unparse(test), "pass"
        case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=args)):
            given = list(map(ast.unparse, args))
            start, stop, step = ["0", *given, "1"] if len(given) == 1 else [*given, "1"][:3]
            condition = f"{name} < _stop" if step.isdecimal() else f"({name} - _stop) * ({step}) < 0"
            return f"{name}, _stop = {start}, {stop}", name, condition, f"{name} = {name} + ({step})"
    return None
