"""What a reader wants to know of a machine."""

from accelbench.figures import style


def facts(machine):
    """(name, value) of what a reader wants to know of the machine."""
    cpu = machine["cpu"]
    caches = ", ".join(f"{name} {style.amount(value)}" for name, value in cpu.get("caches", {}).items())
    compilers = ", ".join(str(version) for version in machine.get("compilers", {}).values() if version)
    gpus = "; ".join(map(gpu_facts, machine["gpus"]))
    facts = [
        ("Processor", cpu["model"]),
        (
            "Cores",
            f"{cpu['available']} of {cpu['cores']}, {cpu['sockets']} socket(s), {cpu['numa_nodes']} NUMA node(s)",
        ),
        ("Caches", caches),
        ("Memory", style.amount(machine.get("memory_bytes"))),
        ("GPUs", gpus or "none"),
        ("Driver", machine.get("driver")),
        ("Virtual machine", "yes" if machine.get("virtualised") else "no"),
        ("System", f"{machine.get('os')}, kernel {machine.get('kernel')}"),
        ("Host", machine.get("hostname")),
        ("Python", machine.get("python")),
        ("Compilers", compilers or "none"),
        ("Identity", machine.get("identity")),
    ]
    return [(name, value) for name, value in facts if value]


def gpu_facts(gpu):
    """What a GPU is and how it is set, in words."""
    told = [
        style.amount(gpu["memory_bytes"]) if gpu.get("memory_bytes") else None,
        f"at most {gpu['power_limit_w']:.0f} W" if gpu.get("power_limit_w") else None,
        f"{gpu['max_sm_clock_mhz']} MHz" if gpu.get("max_sm_clock_mhz") else None,
        f"compute capability {gpu['compute_capability']}" if gpu.get("compute_capability") else None,
        *(f"{name.upper()} {'on' if gpu[f'{name}_mode'] else 'off'}" for name in ("ecc", "mig")
          if gpu.get(f"{name}_mode") is not None),
    ]  # fmt: skip
    return ", ".join([str(gpu.get("name", gpu)), *filter(None, told)])
