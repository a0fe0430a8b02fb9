"""The normal form without side effects: x[i] = v becomes x = x.at[i].set(v), changed parameters are returned."""

import ast
from itertools import chain

from accelbench.derive.rewriting import expression, functions, parsed, rewrite
from accelbench.derive.source import Refusal

MASKS = (ast.Name, ast.Compare, ast.UnaryOp, ast.BinOp)  # an index that may be a mask


class Functional:
    """Rewrites a module: a function that changes parameters returns (its result, these parameters).

    changes  {function: names of the parameters that it changes}
    """

    def __init__(self, module):
        self._functions = functions(module)
        self.changes = dict.fromkeys(self._functions, ())
        for _ in self._functions:  # what a helper changes, its callers change
            self.changes = {name: self._changed(node) for name, node in self._functions.items()}
        for name, node in self._functions.items():
            if self.changes[name] and not isinstance(node.body[-1], ast.Return):
                node.body.append(ast.copy_location(ast.Return(), node.body[-1]))
            rewrite(node, lambda each, changed=self.changes[name]: self._statement(each, changed))

    def _changed(self, node):
        """Return the parameters that a function changes, in their order."""
        found = set()
        for each in ast.walk(node):
            if isinstance(each, ast.AugAssign) or (isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store)):
                found.add(ast.unparse(getattr(each, "target", each)).partition("[")[0])
            found.update(self._changed_by(each))
        return [each.arg for each in node.args.args if each.arg in found]

    def _changed_by(self, node):
        """Return the arguments, as text, that a node changes if it calls a helper."""
        called = isinstance(node, ast.Call) and self._functions.get(ast.unparse(node.func))
        if not called:
            return []
        given = dict(zip((each.arg for each in called.args.args), node.args, strict=False))
        given |= {each.arg: each.value for each in node.keywords}
        return [ast.unparse(given[name]) for name in self.changes[called.name] if name in given]

    def _statement(self, node, changed):
        """Return the statements in place of one statement of a function that changes these parameters."""
        before = []
        if isinstance(node, ast.stmt) and (given := self._changed_by(getattr(node, "value", None))):
            if not all(map(str.isidentifier, given)):
                what = f"line {node.lineno} passes a part of an array to {ast.unparse(node.value.func)}"
                raise Refusal(f"{what}, which changes it. Pass the whole array")
            before = parsed(f"_result, {', '.join(given)} = {ast.unparse(node.value)}", node)
            node.value = expression("_result", node)
        match node:
            case ast.Return(value=value) if changed:
                result = ast.unparse(value) if value else "None"
                return before + parsed(f"return ({result}), {', '.join(changed)}", node)
            case ast.AugAssign(target=target, op=op, value=value):
                total = ast.BinOp(expression(ast.unparse(target), node), op, value)
                return before + _stored(target, ast.unparse(total), node)
            case ast.Assign(targets=[target], value=value):
                return before + _stored(target, ast.unparse(value), node)
            case ast.Assign(targets=targets, value=value):
                stored = (_stored(target, "_value", node) for target in targets)
                return [*before, *parsed(f"_value = {ast.unparse(value)}", node), *chain.from_iterable(stored)]
            case ast.Expr(value=ast.Name()):
                return before
        return [*before, node] if before else node


def _stored(target, value, like):
    """Return the statements that assign a value, given as text, to one target."""
    match target:
        case ast.Tuple(elts=parts) if any(isinstance(part, ast.Subscript) for part in parts):
            names = [f"_value_{number}" for number in range(len(parts))]
            stored = chain.from_iterable(_stored(part, name, like) for part, name in zip(parts, names, strict=True))
            return [*parsed(f"({', '.join(names)},) = {value}", like), *stored]
        case ast.Subscript(value=ast.Name(id=name), slice=where):
            index = ast.unparse(target)[len(name) + 1 : -1]  # which has slices in a tuple as an index alone can
            if isinstance(where, MASKS):
                value = ast.unparse(rewrite(expression(value, like), lambda node: _selected(node, index)))
                return parsed(f"{name} = _store({name}, {index}, lambda _at: {value})", like)
            return parsed(f"{name} = {name}.at[{index}].set({value})", like)
        case ast.Subscript() | ast.Attribute():
            raise Refusal(f"line {like.lineno} assigns to {ast.unparse(target)}. Write it as one index of an array")
    return parsed(f"{ast.unparse(target)} = {value}", like)


def _selected(node, index):
    """Return _at(y) in place of y[mask], which stands on the right of x[mask] = ..."""
    same = isinstance(node, ast.Subscript) and ast.unparse(node.slice) == index
    return ast.Call(ast.Name("_at", ast.Load()), [node.value], []) if same else node
