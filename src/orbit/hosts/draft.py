"""A block under way: the room it has, and the best text so far, which serves when time runs out."""

from __future__ import annotations

from orbit.hosts.frame import in_frame, note_lines, room_for, room_inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from orbit.guidance.notice import Notice
    from orbit.store.settings import Settings

_KEY = "context.maxbytes"
# Kept free of the block for guidance: some two lines of it.
_NOTES_BYTES = 500


class Draft:
    """`ready` is the best block so far, `room` its budget in bytes; `lines` follow it inside the frame."""

    def __init__(self, host: str, lines: Sequence[str]) -> None:
        self._host = host
        self._lines = lines
        self._whole = 0
        self.room = 0
        self.ready = ""
        self.notices: Sequence[Notice] = ()

    def narrowed(self, settings: Settings) -> Settings:
        """The settings with the block's budget cut to what host and frame leave of `context.maxBytes`."""
        most = settings.number(_KEY)
        self._whole = room_for(self._host, most)
        self.room = room_inside(self._host, most, self._lines)
        self.room -= min(_NOTES_BYTES, self.room // 4)
        return settings.replace(values={**settings.values, _KEY: str(self.room)})

    def text(self) -> str:
        """The framed text with as many notes as fit; "" when nothing is ready, or a budget too small for a frame."""
        if not self.ready:
            return ""
        notes = note_lines(self.notices)
        while True:
            text = in_frame(self.ready, [*notes, *self._lines])
            if len(text.encode("utf-8", "replace")) < self._whole:
                return text
            if not notes:
                return ""
            notes.pop()
