"""Drafts (texts before the check) of the derived implementation jax_jit.

The drafts are made from the normal form: the user's function with arrays and numbers as arguments, and arrays as
results. JAX's functions replace NumPy's, and all side effects are removed.

`x[i] = v` becomes `x = x.at[i].set(v)`, and functions return the parameters that they change. A rolled loop is a call
of `_repeat`, so that XLA compiles the body of the loop only once. An unrolled loop remains a loop of Python, so that
XLA compiles every iteration.
"""

import ast
from itertools import chain

from accelbench.derive import source, writing
from accelbench.derive.rewriting import expression, functions, names, parsed, rewrite, tree, written

MASKS = (ast.Name, ast.Compare, ast.UnaryOp, ast.BinOp)  # Types of index expressions that may be masks
LEAVING = (ast.Break, ast.Continue, ast.Return)
LOOP = """{begin}
def _test{number}(_carried):
    ({carried},) = _carried
    return {condition}

def _body{number}(_carried):
    ({carried},) = _carried
    {step}
    return ({carried},)

({carried},) = _repeat(_test{number}, _body{number}, ({carried},))
"""


def drafts(observation):
    """Return a Draft with rolled loops, if loops can be rolled, then a Draft with unrolled loops.

    Rolled loops come first, since XLA takes minutes to compile unrolled loops. Raise Refusal if the function changes an
    argument through another name.
    """
    static, versions = tuple(index for index, parameter in enumerate(observation.parameters) if parameter.texts), []
    compiled = f"_compiled = jax.jit({observation.name}{f', static_argnums={static}' if static else ''})"
    title, imports = f"JAX: {observation.name}, compiled by XLA.", f"import jax\n{writing.THREADS}"
    for is_rolled in (True, False):
        module = rewrite(tree(observation, numpy="jax.numpy", scipy="jax.scipy"), _replaced)
        loops = [node.lineno for node in ast.walk(module) if isinstance(node, (ast.For, ast.While))]
        functional = Functional(module, is_rolled=is_rolled)
        changed = functional.changes[observation.name]
        if unknown := set(observation.changed).difference(changed):
            raise source.Refusal(
                f"the function changes {unknown.pop()} through another name, and arrays of JAX cannot be changed"
            )
        if functional.rolled or not is_rolled:
            guard = writing.filled("jax_guard", line=source.place(observation.files, min(loops))) if loops else ""
            helpers = writing.filled("jax_helpers", code=written(module)[0])
            run = writing.run(observation, function="_compiled", changed=changed)
            parts = helpers, compiled, run.replace("np.asarray", "jax.numpy.asarray")
            versions.append(writing.draft("jax_jit", title, module, *parts, imports=imports, guard=guard))
    return versions


def _replaced(node):
    """Replace expressions that JAX needs in another form. Omit arguments that JAX's functions do not have."""
    match node:
        case ast.Call() if ast.unparse(node.func) in ("np.sort", "np.argsort"):
            node.keywords = [keyword for keyword in node.keywords if keyword.arg != "kind"]
        case ast.Call(func=ast.Name(id="float"), args=[value]):
            return expression(f"jax.numpy.asarray({ast.unparse(value)}, float)", node)
        case ast.Call(func=ast.Name(id="int"), args=[value]):  # a value that is known at compile time must remain known
            return expression(f"int({ast.unparse(value).replace('jax.numpy.', 'math.')})", node)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            given = f"{ast.unparse(test)}, lambda: {ast.unparse(body)}, lambda: {ast.unparse(orelse)}"
            return expression(f"_choose({given})", node)
        case ast.Subscript(ctx=ast.Load(), slice=index):
            return _with_lengths(node, index.elts if isinstance(index, ast.Tuple) else [index])
        case ast.Attribute(value=ast.Name(id="math")):
            return expression(f"jax.numpy.{node.attr}", node)
    return node


def _with_lengths(node, parts):
    """Replace slices x[i:i + length] among the indices `parts` of `node` by calls, since XLA must know the length."""
    for axis, part in enumerate(parts):
        # After a constant index, such as None, the position in the index may differ from the axis of the array.
        is_axis = not any(isinstance(index, ast.Constant) for index in parts[:axis])
        match part:
            case ast.Slice(
                lower=ast.expr() as start, upper=ast.BinOp(op=ast.Add(), left=left, right=size), step=None
            ) if is_axis and ast.unparse(start) == ast.unparse(left):
                given = ", ".join(map(ast.unparse, (node.value, start, size)))
                node.value = expression(f"jax.lax.dynamic_slice_in_dim({given}, {axis})", node)
                part.lower = part.upper = None
    return node


class Functional:
    """A module without side effects. A function that changes parameters returns (result, *changed parameters).

    changes  {function: names of the parameters that it changes}
    rolled   number of rolled loops
    """

    def __init__(self, module, *, is_rolled):
        self._functions, self._is_rolled, self.rolled = functions(module), is_rolled, 0
        self.changes = dict.fromkeys(self._functions, ())
        for _ in self._functions:  # repeat, because a caller changes what its helpers change
            self.changes = {name: self._changed(node) for name, node in self._functions.items()}
        for name, node in self._functions.items():
            if self.changes[name] and not isinstance(node.body[-1], ast.Return):
                node.body.append(ast.copy_location(ast.Return(), node.body[-1]))
            node.body = self._block(node.body, {parameter.arg for parameter in node.args.args}, self.changes[name])

    def _changed(self, node):
        """Return the parameters that a function changes, in the order of its signature."""
        nodes = list(ast.walk(node))
        stores = [
            *(target for target in nodes if isinstance(target, ast.Subscript) and isinstance(target.ctx, ast.Store)),
            *(statement.target for statement in nodes if isinstance(statement, ast.AugAssign)),
        ]
        changed = {ast.unparse(store).partition("[")[0] for store in stores}.union(*map(self._changed_by, nodes))
        return [parameter.arg for parameter in node.args.args if parameter.arg in changed]

    def _changed_by(self, node):
        """Return the arguments that a call of a helper changes, as text. Return [] for any other node."""
        called = isinstance(node, ast.Call) and self._functions.get(ast.unparse(node.func))
        pairs = zip(called.args.args, node.args, strict=False) if called else ()
        return [ast.unparse(given) for parameter, given in pairs if parameter.arg in self.changes[called.name]]

    def _block(self, statements, defined, changed):
        """Return the statements that replace a block of a function.

        defined  names that have a value before the block
        changed  parameters that the function changes
        """
        out = []
        for statement in statements:
            head = _head(statement) if self._is_rolled else None
            for field in ("body", "orelse"):
                inside = defined | set(names([getattr(statement, "target", statement)], ast.Store))
                if getattr(statement, field, None):
                    setattr(statement, field, self._block(getattr(statement, field), inside, changed))
            carried = [name for name in names([statement], ast.Store) if name in defined and head and name != head[0]]
            out += self._rolled(statement, head, carried) if carried else self._statement(statement, changed)
            defined = defined if carried else defined.union(names([statement], ast.Store))
        return out

    def _rolled(self, node, head, carried):
        """Return the statements of a rolled loop: functions for its test and its body, and a call of `_repeat`.

        The loop is `node`, `head` is `_head(node)`, and an iteration passes the names `carried` to the next.
        """
        self.rolled += 1
        counter, begin, condition, step = (text.replace("_stop", f"_stop{self.rolled}") for text in head)
        facts = {"begin": begin, "condition": condition, "step": step, "number": self.rolled}
        new = parsed(LOOP.format(carried=", ".join([*filter(None, [counter]), *carried]), **facts), node)
        new[-2].body[1:1] = node.body
        return new

    def _statement(self, node, changed):
        """Return the statements that replace the statement `node`. `_replaced` has already changed its expressions."""
        before, given = [], self._changed_by(getattr(node, "value", None))
        if given:
            if not all(map(str.isidentifier, given)):
                helper = f"{ast.unparse(node.value.func)}, which changes it"
                raise source.Refusal(f"line {node.lineno} passes a part of an array to {helper}. Pass the whole array")
            before = parsed(f"_result, {', '.join(given)} = {ast.unparse(node.value)}", node)
            node.value = expression("_result", node)
        match node:
            case ast.Return(value=value) if changed:
                result = ast.unparse(value or ast.Constant(None))
                return before + parsed(f"return ({result}), {', '.join(changed)}", node)
            case ast.AugAssign(target=target, op=op, value=value):
                return before + _stored(target, ast.unparse(ast.BinOp(target, op, value)), node)
            case ast.Assign(targets=[target], value=value):
                return before + _stored(target, ast.unparse(value), node)
            case ast.Assign(targets=targets, value=value):
                stored = (_stored(target, "_value", node) for target in targets)
                return [*before, *parsed(f"_value = {ast.unparse(value)}", node), *chain.from_iterable(stored)]
            case ast.Expr(value=ast.Name()):
                return before
        return [*before, node]


def _stored(target, value, like):
    """Return the statements that assign `value`, the text of an expression, to a target."""
    match target:
        case ast.Tuple(elts=parts) if any(isinstance(part, ast.Subscript) for part in parts):
            several = [f"_value_{number}" for number in range(len(parts))]
            stored = chain.from_iterable(_stored(part, name, like) for part, name in zip(parts, several, strict=True))
            return [*parsed(f"({', '.join(several)},) = {value}", like), *stored]
        case ast.Subscript(value=ast.Name(id=name), slice=where):
            # Cut the index out of the target's text, because a tuple with slices is valid only as an index.
            index = ast.unparse(target)[len(name) + 1 : -1]
            if isinstance(where, MASKS):
                value = ast.unparse(rewrite(expression(value, like), lambda node: _selected(node, index)))
                return parsed(f"{name} = _store({name}, {index}, lambda _at: {value})", like)
            return parsed(f"{name} = {name}.at[{index}].set({value})", like)
        case ast.Subscript() | ast.Attribute():
            raise source.Refusal(
                f"line {like.lineno} assigns to {ast.unparse(target)}. Write it as one index of an array"
            )
    return parsed(f"{ast.unparse(target)} = {value}", like)


def _selected(node, index):
    """Replace `y[mask]` by `_at(y)` on the right side of `x[mask] = ...`. The text of the mask is `index`."""
    same = isinstance(node, ast.Subscript) and ast.unparse(node.slice) == index
    return ast.Call(ast.Name("_at", ast.Load()), [node.value], []) if same else node


def _head(node):
    """Return (counter, statement before the loop, condition, statement after the body) of a loop, as text.

    Return None if the node is not a `while` loop or a `for` loop over a `range`. Also return None if the loop contains
    `break`, `continue` or `return`, or has an `else` block.
    """
    is_left = any(isinstance(part, LEAVING) for part in ast.walk(node))
    match node:
        case ast.While(test=test, orelse=[]) if not is_left:
            return "", "", ast.unparse(test), "pass"
        case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=args), orelse=[]) if (
            not is_left
        ):
            given = list(map(ast.unparse, args))
            start, stop, step = ["0", *given, "1"] if len(given) == 1 else [*given, "1"][:3]
            condition = f"{name} < _stop" if step.isdecimal() else f"({name} - _stop) * ({step}) < 0"
            return name, f"{name}, _stop = {start}, {stop}", condition, f"{name} = {name} + ({step})"
    return None
