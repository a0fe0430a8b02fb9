"""Description of a machine for readers of its results."""

from accelbench.figures import style


def facts(machine):
    """Return (name, value) of each known property of a machine."""
    cpu = machine.cpu
    caches = ", ".join(f"{name} {style.amount(value)}" for name, value in cpu.caches.items())
    compilers = ", ".join(str(version) for version in machine.compilers.values() if version)
    gpus = "; ".join(map(gpu_facts, machine.gpus))
    facts = [
        ("Processor", cpu.model),
        (
            "Cores",
            f"{cpu.available} of {cpu.cores}, {cpu.sockets} socket(s), {cpu.numa_nodes} NUMA node(s)",
        ),
        ("Caches", caches),
        ("Memory", style.amount(machine.memory_bytes)),
        ("GPUs", gpus or "none"),
        ("Driver", machine.driver),
        ("Virtual machine", "yes" if machine.virtualised else "no"),
        ("System", f"{machine.os}, kernel {machine.kernel}"),
        ("Host", machine.hostname),
        ("Python", machine.python),
        ("Environments", "; ".join(f"{name}: {environment_facts(it)}" for name, it in machine.environments.items())),
        ("Compilers", compilers or "none"),
        ("Identity", machine.identity),
    ]
    return [(name, value) for name, value in facts if value]


def environment_facts(environment):
    """Return an environment's Python version, library versions and lock as text.

    If the environment cannot be used, return the reason.
    """
    if environment.python is None:
        return next(backend.reason for backend in environment.backends.values())
    versions = {"numpy": environment.numpy}
    for backend in environment.backends.values():
        versions |= backend.versions
    libraries = [f"{name} {version}" for name, version in versions.items() if version]
    lock = environment.lock if environment.lock == "unlocked" else f"lock {environment.lock}"
    return ", ".join([f"Python {environment.python}", *libraries, f"{lock} {environment.digest[:12]}"])


def instance_facts(instances):
    """Return [(name, value)] that describes a machine's measured instances; [] if there are no instances.

    instances  descriptions of the instances, as texts
    """
    return [("Instances" if len(instances) > 1 else "Instance", "; ".join(instances))] if instances else []


def gpu_facts(gpu):
    """Return the name, memory, limits and modes of a GPU, as text."""
    texts = [
        style.amount(gpu.memory_bytes) if gpu.memory_bytes else None,
        f"at most {gpu.power_limit_w:.0f} W" if gpu.power_limit_w else None,
        f"{gpu.max_sm_clock_mhz} MHz" if gpu.max_sm_clock_mhz else None,
        f"compute capability {gpu.compute_capability}" if gpu.compute_capability else None,
        *(f"{name} {'on' if mode else 'off'}" for name, mode in (("ECC", gpu.ecc_mode), ("MIG", gpu.mig_mode))
          if mode is not None),
    ]  # fmt: skip
    return ", ".join([gpu.name, *filter(None, texts)])
