"""The normal form without side effects: x[i] = v becomes x = x.at[i].set(v), changed parameters are returned."""

import ast
import copy
from itertools import chain, count

from accelbench.derive import rewriting
from accelbench.derive.rewriting import rewrite, statement
from accelbench.derive.source import Refusal


class Functional:
    """Rewrites a module: every function returns (its result, the parameters that it changes).

    changes  {function: names of the parameters that it changes}
    """

    def __init__(self, module):
        self.functions, self._numbers = rewriting.functions(module), count(1)
        self.changes = dict.fromkeys(self.functions, ())
        for _ in self.functions:  # what a helper changes, its callers change
            self.changes = {name: self._changed(node) for name, node in self.functions.items()}
        for name, node in self.functions.items():
            rewrite(node, lambda each, name=name: self._statement(each, self.changes[name]), within=False)
            if not isinstance(node.body[-1], ast.Return):
                node.body += self._statement(ast.copy_location(ast.Return(None), node.body[-1]), self.changes[name])

    def _changed(self, node):
        """Return the parameters that a function changes, in their order."""
        found = set()
        for each in ast.walk(node):
            if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store):
                found.add(ast.unparse(each).partition("[")[0])
            elif isinstance(each, ast.AugAssign):
                found.add(ast.unparse(each.target))
            elif self._is_helper(each):
                found |= {argument for _, argument in self._changed_arguments(each)}
        return [each.arg for each in node.args.args if each.arg in found]

    def _is_helper(self, node):
        return isinstance(node, ast.Call) and ast.unparse(node.func) in self.functions

    def _changed_arguments(self, call):
        """Return [(parameter, text of the argument)] of what a call of a helper changes."""
        names = [each.arg for each in self.functions[call.func.id].args.args]
        given = dict(zip(names, call.args, strict=False)) | {each.arg: each.value for each in call.keywords}
        return [(name, ast.unparse(given[name])) for name in self.changes[call.func.id] if name in given]

    def _statement(self, node, changed):
        """Return the statements in place of one statement of a function that changes these parameters."""
        before = []
        for field in ("value", "test", "iter"):
            if isinstance(node, ast.stmt) and isinstance(getattr(node, field, None), ast.AST):
                setattr(node, field, rewrite(getattr(node, field), lambda each: self._hoisted(each, before)))
        match node:
            case ast.Return():
                value = ast.unparse(node.value) if node.value else "None"
                return [*before, statement(f"return ({', '.join([f'({value})', *changed])},)", node)]
            case ast.AugAssign():
                load = rewriting.expression(ast.unparse(node.target), node)
                return before + self._stored(node.target, ast.BinOp(load, node.op, node.value), node)
            case ast.Assign(targets=[target]):
                return before + self._stored(target, node.value, node)
            case ast.Assign():
                name = self._fresh()
                before.append(statement(f"{name} = {ast.unparse(node.value)}", node))
                stored = (self._stored(target, rewriting.expression(name), node) for target in node.targets)
                return [*before, *chain.from_iterable(stored)]
            case ast.Expr(value=ast.Name()):
                return before
        return [*before, node] if isinstance(node, ast.stmt) else node

    def _fresh(self):
        return f"_value{next(self._numbers)}"

    def _hoisted(self, node, before):
        """Move the call of a helper to a statement in `before` that takes back what the helper changes."""
        if not self._is_helper(node):
            return node
        name, changed = self._fresh(), [argument for _, argument in self._changed_arguments(node)]
        if not all(map(str.isidentifier, changed)):
            where = f"line {node.lineno} passes a part of an array to {node.func.id}, which changes it"
            raise Refusal(f"{where}. Pass the whole array")
        before.append(statement(f"({', '.join([name, *changed])},) = {ast.unparse(node)}", node))
        return rewriting.expression(name, node)

    def _stored(self, target, value, like):
        """Return the statements of an assignment to one target."""
        if isinstance(target, ast.Tuple) and any(isinstance(part, ast.Subscript) for part in target.elts):
            names = [self._fresh() for _ in target.elts]
            pairs = zip(target.elts, map(rewriting.expression, names), strict=True)
            stored = chain.from_iterable(self._stored(part, each, like) for part, each in pairs)
            return [statement(f"{', '.join(names)}, = {ast.unparse(value)}", like), *stored]
        if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            return [statement(_store(target, value), like)]
        if isinstance(target, (ast.Subscript, ast.Attribute)):
            raise Refusal(f"line {like.lineno} assigns to {ast.unparse(target)}. Write it as one index of an array")
        return [ast.copy_location(ast.Assign([target], value), like)]


def _store(target, value):
    """Return the text of x[index] = value without a side effect; an index that may be a mask is told at run time."""
    name = target.value.id
    index = ast.unparse(target)[len(name) + 1 : -1]  # which has slices in a tuple as an index alone can
    if not isinstance(target.slice, (ast.Name, ast.Compare, ast.UnaryOp, ast.BinOp)):
        return f"{name} = {name}.at[{index}].set({ast.unparse(value)})"

    def selected(node):  # x[mask] += y[mask]
        same = isinstance(node, ast.Subscript) and ast.unparse(node.slice) == index
        return ast.Call(ast.Name("_at", ast.Load()), [node.value], []) if same else node

    text = ast.unparse(rewrite(copy.deepcopy(value), selected))
    return f"{name} = _store({name}, {index}, lambda _at: {text})"
