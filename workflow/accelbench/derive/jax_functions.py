"""jax_jit: the normal form with JAX's names in place of NumPy's, new arrays for stores, and rolled loops."""

import ast

from accelbench.derive import rewriting, source, writing
from accelbench.derive.functional import Functional

STORE = '''
def _store(x, index, value):
    """Return x with value(...) at an index; a mask chooses, since its number of elements is not known to XLA."""
    if getattr(index, "dtype", None) == bool:
        mask = index.reshape(index.shape + (1,) * (x.ndim - index.ndim))
        return jax.numpy.where(mask, value(lambda y: y), x).astype(x.dtype)
    return x.at[index].set(value(lambda y: y[index]))
'''
CHOOSE = '''
def _choose(test, one, other):
    """Return one() or other(), element by element where the test depends on what is computed."""
    if isinstance(test, jax.core.Tracer):
        return jax.numpy.where(test, one(), other())
    return one() if test else other()
'''
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
GUARD = """

def _counted(*given):
    global _compiled
    operations = str(_jitted.trace(*given).jaxpr).count(" = ")
    if operations > 4000:
        raise NotImplementedError(f"{line}: its loops unroll into {{operations:,}} operations for XLA to compile")
    _compiled = _jitted
    return _jitted(*given)


_jitted, _compiled = _compiled, _counted
"""


def drafts(observation):
    """Return the Drafts, rolled loops first, since XLA needs minutes to compile an unrolled loop."""
    found = []
    for is_rolled in (True, False):
        module = rewriting.rewrite(rewriting.tree(observation, numpy="jax.numpy", scipy="jax.scipy"), _replaced)
        loops = [node.lineno for node in ast.walk(module) if isinstance(node, (ast.For, ast.While))]
        functional = Functional(module, is_rolled=is_rolled)
        changed = functional.changes[observation.name]
        if unknown := set(observation.changed).difference(changed):
            raise source.Refusal(f"it changes {unknown.pop()} by another name, which arrays of JAX cannot be")
        if functional.rolled or not is_rolled:
            guard = GUARD.format(line=source.place(observation.files, min(loops))) if loops else ""
            found.append(_draft(observation, module, changed, guard=guard))
    return found


def _replaced(node):
    """Replace what JAX takes in another form, and leave out arguments that it lacks."""
    match node:
        case ast.Call() if ast.unparse(node.func) in ("np.sort", "np.argsort"):
            node.keywords = [each for each in node.keywords if each.arg != "kind"]
        case ast.Call(func=ast.Name(id="float"), args=[value]):
            return rewriting.expression(f"jax.numpy.asarray({ast.unparse(value)}, float)", node)
        case ast.Call(func=ast.Name(id="int"), args=[value]):  # a value known at compile time must stay known
            return rewriting.expression(f"int({ast.unparse(value).replace('jax.numpy.', 'math.')})", node)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            given = f"{ast.unparse(test)}, lambda: {ast.unparse(body)}, lambda: {ast.unparse(orelse)}"
            return rewriting.expression(f"_choose({given})", node)
        case ast.Subscript(ctx=ast.Load(), slice=index):
            return _with_lengths(node, index.elts if isinstance(index, ast.Tuple) else [index])
        case ast.Attribute(value=ast.Name(id="math")):
            return rewriting.expression(f"jax.numpy.{node.attr}", node)
    return node


def _with_lengths(node, parts):
    """Replace slices x[i:i + length] by calls with separate start and length, since XLA must know the length."""
    for axis, part in enumerate(parts):
        is_axis = not any(isinstance(each, ast.Constant) for each in parts[:axis])  # of the array that is indexed
        match part:
            case ast.Slice(
                lower=ast.expr() as start, upper=ast.BinOp(op=ast.Add(), left=left, right=size), step=None
            ) if is_axis and ast.unparse(start) == ast.unparse(left):
                given = ", ".join(map(ast.unparse, (node.value, start, size)))
                node.value = rewriting.expression(f"jax.lax.dynamic_slice_in_dim({given}, {axis})", node)
                part.lower = part.upper = None
    return node


def _draft(observation, module, changed, *, guard):
    static = tuple(index for index, each in enumerate(observation.parameters) if each.texts)
    compiled = f"_compiled = jax.jit({observation.name}{f', static_argnums={static}' if static else ''})"
    code = rewriting.written(module)[0]
    helpers = [text for name, text in (("_store(", STORE), ("_repeat(", REPEAT), ("_choose(", CHOOSE)) if name in code]
    run = writing.run(observation, function="_compiled", changed=changed).replace("np.asarray", "jax.numpy.asarray")
    title, imports = f"JAX: {observation.name}, compiled by XLA.", f"import jax\n{writing.THREADS}"
    return writing.draft("jax_jit", title, module, *helpers, compiled, run, imports=imports, guard=guard)
