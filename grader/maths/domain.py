"""What the symbols of an exercise stand for, and the key from which sample points are drawn."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from grader.maths.regime import Regime

PUBLIC_KEY = b"roofline-grader public key"  # points of the packaged course; exact confirmation protects its answers

Assume = Literal["positive", "real"]


@dataclass(frozen=True, slots=True)
class Domain:
    """All symbols are positive reals (or reals); `regime` says which of them are small or large."""

    assume: Assume = "positive"
    regime: "Regime | None" = None
    key: bytes = PUBLIC_KEY
