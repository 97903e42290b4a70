"""Who speaks: the person, or an agent that works for them."""

from __future__ import annotations

from dataclasses import dataclass

PERSON = "user"


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who uses a door. `agent` is None for the person; `said` is the word of a contract for who said it, if any."""

    agent: str | None = None
    said: str | None = None

    @property
    def is_person(self) -> bool:
        return self.agent is None

    def author(self, device: str) -> str:
        """Return `<agent>@<device>` or `user@<device>` (ORI-25)."""
        return f"{self.agent or PERSON}@{device}"
