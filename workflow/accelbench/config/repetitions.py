"""How often cases are measured: `repetitions` of the protocol."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

MOST_REPETITIONS = 1_000
Count = Annotated[int, Field(gt=0, le=MOST_REPETITIONS, strict=True)]


class Repetitions(BaseModel):
    """The fewest and the most repetitions of a case; a whole number N stands for {min: N, max: N}."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    min: Count = Field(2, description="repetitions of every case; later ones measure what may still win")
    max: Count = Field(5, description="repetitions of what may win, or is not decided against NumPy")

    @model_validator(mode="after")
    def _is_range(self):
        if self.min > self.max:
            raise ValueError(f"min is {self.min}, more than max, {self.max}")
        return self

    @property
    def is_race(self) -> bool:
        """Return whether cases may leave before the last repetition."""
        return self.min < self.max


def parse_repetitions(value: Any) -> Any:
    """Return {min: N, max: N} for a whole number N, and a mapping as it is; ValueError for anything else."""
    if isinstance(value, dict | Repetitions):
        return value
    if type(value) is int and 1 <= value <= MOST_REPETITIONS:
        return {"min": value, "max": value}
    known = f"write a whole number from 1 to {MOST_REPETITIONS}, or {{min: 2, max: 5}}"
    raise ValueError(f"{value!r:.80} is no number of repetitions: {known}")


AnyRepetitions = Annotated[Repetitions, BeforeValidator(parse_repetitions)]
