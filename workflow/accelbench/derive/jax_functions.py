"""jax_jit: the normal form with JAX's names for NumPy's, its stores as new arrays, its loops rolled."""

import ast

from accelbench.derive import rewriting, writing
from accelbench.derive.functional import Functional
from accelbench.derive.rolled import Roller
from accelbench.derive.writing import THREADS, Draft

STORE = '''
def _store(x, index, value):
    """Return x with value(...) at an index; a mask chooses, since its number of elements is not known to XLA."""
    if getattr(index, "dtype", None) == bool:
        mask = index.reshape(index.shape + (1,) * (x.ndim - index.ndim))
        return jax.numpy.where(mask, value(lambda y: y), x).astype(x.dtype)
    return x.at[index].set(value(lambda y: y[index]))
'''


def drafts(observation):
    """Return {contestant: its Drafts}: rolled loops first, since XLA compiles a loop that is not rolled for minutes."""
    module = rewriting.tree(observation)
    stores = any(isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store) for n in ast.walk(module))
    forms = []
    if any(isinstance(node, (ast.For, ast.While)) for node in ast.walk(module)):
        rolled = rewriting.rewrite(rewriting.tree(observation), _renamed)
        Functional(rolled)
        roller = Roller()
        for node in rewriting.functions(rolled).values():
            roller.function(node)
        forms += [("with its loops rolled", rolled, True)] * bool(roller.count)
    plain = rewriting.rewrite(module, _renamed)
    if stores or observation.changed:
        Functional(plain)
    forms.append(("with new arrays for its stores" if stores else "as it is", plain, stores or observation.changed))
    return {"jax_jit": [_draft(observation, *form) for form in forms]}


def _renamed(node):
    """Bind the names of NumPy and SciPy to JAX's modules, and leave out what JAX does not take."""
    match node:
        case ast.Import(names=[name]) if writing.library(name.name):
            return rewriting.statement(f"import jax.{name.name} as {name.asname or name.name}", node)
        case ast.ImportFrom(module=module) if writing.library(module):
            node.module = "jax." + ".".join(part for part in module.split(".") if not part.startswith("_"))
        case ast.Call() if ast.unparse(node.func) in ("np.sort", "np.argsort"):
            node.keywords = [each for each in node.keywords if each.arg != "kind"]
        case ast.Call(func=ast.Name(id="float"), args=[value]):
            return rewriting.expression(f"jax.numpy.asarray({ast.unparse(value)}, float)", node)
        case ast.Call(func=ast.Name(id="int"), args=[value]):  # what is known when it compiles must stay so
            return rewriting.expression(f"int({ast.unparse(value).replace('jax.numpy.', 'math.')})", node)
        case ast.Attribute(value=ast.Name(id="math")):
            return rewriting.expression(f"jax.numpy.{node.attr}", node)
        case ast.Attribute(attr="ndarray"):
            node.attr = "empty"
    return node


def _draft(observation, *form):
    label, module, functional = form
    static = tuple(i for i, each in enumerate(observation.parameters) if each.kind == "constant")
    body, lines = rewriting.text(module, imports="import jax", constants=THREADS)
    compiled = f"_compiled = jax.jit({observation.name}{f', static_argnums={static}' if static else ''})"
    called = writing.call(observation, size="case.size", function="_compiled", after="")
    if functional:
        after = [each.name for each in observation.results if not each.path]
        steps = [f"{', '.join(['r', *after])}{'' if after else ','} = {called}"]
    else:
        steps = [f"r = {called}"]
    steps.append(f"return {writing.returned(observation)}")
    run = writing.function(observation, [step.replace("np.asarray", "jax.numpy.asarray") for step in steps])
    text = writing.module(body, STORE if "_store(" in body else "", compiled, run)
    return Draft("jax_jit", f"JAX: {observation.name}, compiled by XLA.", text, lines, label=label)
