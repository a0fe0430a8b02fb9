"""Which environment a backend asks for: the ENVIRONMENT of its module, the name of a lock that has its library."""

import re

from accelbench import backends, discovery
from accelbench.errors import InputError
from accelbench.model.names import WORD


def asked_for(backend):
    """The name of the environment that a backend is measured in, None where that is accelbench's own Python."""
    module = backends.modules()[backend]
    name = getattr(module, "ENVIRONMENT", None)
    if name is not None and not (isinstance(name, str) and re.fullmatch(WORD, name)):
        remedy = 'Write the name of the lock in envs/ that has its library, ENVIRONMENT = "jax"'
        raise InputError(discovery.shown(module.__file__), f"ENVIRONMENT = {name!r:.80}", remedy)
    return name


def asking(name):
    """The backends that ask for the environment `name`; where none does, the backend of that name; else none."""
    return tuple(b for b in backends.modules() if asked_for(b) == name) or (name,) * (name in backends.modules())
