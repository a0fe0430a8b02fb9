"""Which environment a backend asks for: the ENVIRONMENT of its module, the name of a lock that has its library."""

from accelbench import backends


def asked_for(backend):
    """The name of the environment that a backend is measured in, None where that is accelbench's own Python."""
    return getattr(backends.modules()[backend], "ENVIRONMENT", None)


def asking(name):
    """The backends that ask for the environment `name`; where none does, the backend of that name; else none."""
    return tuple(b for b in backends.modules() if asked_for(b) == name) or (name,) * (name in backends.modules())
