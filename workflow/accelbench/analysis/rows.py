"""Rows of tables: a class a table, whose fields are its columns, declared there and nowhere else."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

R = TypeVar("R", bound="Row")


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of a table. What is not known, or known to be no finite number, is None."""

    def __post_init__(self):
        for name, value in vars(self).items():
            if isinstance(value, float) and not math.isfinite(value):
                object.__setattr__(self, name, None)

    @classmethod
    def rows(cls, analysis) -> list:
        """The table, made from an Analysis, in a fixed order."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class ProblemRow(Row):
    """A row of one problem: a kernel with its options ("vertices=24 width=100"), at a size, in a dtype."""

    machine: str
    kernel: str
    options: str
    size: int
    dtype: str


@dataclass(frozen=True, kw_only=True)
class CaseRow(Row):
    """A row of one case: what implements a problem, where, with which block size ("16x16") and how many threads.
    `environment` is a column where any case has one of its backend's."""

    machine: str
    kernel: str
    options: str
    implementation: str
    backend: str
    environment: str
    device: str | None
    size: int
    dtype: str
    block_size: str | None
    threads: int | None


def where(rows: Iterable[R], **values) -> list[R]:
    """The rows that have these values."""
    return [row for row in rows if all(getattr(row, name) == value for name, value in values.items())]
