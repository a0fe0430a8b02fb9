"""Instance: the individual computer, among others of the same kind, that results were measured on."""

from pydantic import Field

from accelbench.model.machine import Count, Described


class Instance(Described):
    """Facts that distinguish a computer from others of the same kind. They are recorded and never cause an error.

    name       short digest of all other fields but `boot`, so that two boots of one computer are one instance
    stepping   stepping of the processor, None if unknown; `microcode` likewise
    caches     {level: bytes}
    gpus       UUIDs of the visible NVIDIA GPUs, in order
    node       name of a cluster's node, empty elsewhere, since a container has another host name each time
    boot       the kernel's boot id
    """

    name: str
    stepping: str | None = None
    microcode: str | None = None
    caches: dict[str, Count] = Field(default_factory=dict)
    gpus: list[str] = Field(default_factory=list)
    node: str = ""
    boot: str | None = None

    def __str__(self):
        gpus = " ".join(uuid[:12] for uuid in self.gpus)
        facts = {"node": self.node, "stepping": self.stepping, "microcode": self.microcode, "GPUs": gpus}
        parts = ", ".join(f"{word} {value}" for word, value in facts.items() if value)
        return f"{self.name} ({parts})" if parts else self.name
