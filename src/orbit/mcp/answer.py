"""One call of one tool, without the protocol: the command is run, and what it gives becomes an answer.

Contract: hosts.md, MCP.
"""

from __future__ import annotations

import json
import sys
import time

from orbit.commands import TABLE
from orbit.commands.arguments import Words
from orbit.commands.result import Call
from orbit.commands.schemas import schema_text
from orbit.errors import OrbitError
from orbit.guidance import card_notices
from orbit.mcp.face import ToolFace
from orbit.mcp.tools import checked
from orbit.record import Record
from orbit.text import safe_json, safe_line, safe_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from orbit.commands.result import Result
    from orbit.mcp.face import Report
    from orbit.mcp.tools import Tool, Values
    from orbit.places import World


class Answer(Record):
    """What a tool gives back. `text` is for reading, `result` the same as data, `guidance` what goes to stderr
    elsewhere.

    `handed_over` is to be called once the answer has been written out without error, and dropped otherwise.
    """

    text: str
    result: object = None
    guidance: tuple[str, ...] = ()
    failed: bool = False
    handed_over: Callable[[], Result] | None = None


def answer(tool: Tool, given: Mapping[str, Any], world: World, report: Report) -> Answer:
    """Run a tool where `world` stands. What a user can cause is an answer too, a failed one."""
    try:
        verb, values = tool.words(checked(tool, given))
        result = run_verb(verb, values, world, report)
        if "pop" not in values and result.after is not None:
            result.after()  # raises what was kept back until everything else had been said
    except OrbitError as error:
        return failure(error)
    except OSError as error:
        return failure(_of_the_system(error))
    return _answer_of(tool, result, pops="pop" in values)


def run_verb(verb: str, values: Values, world: World, report: Report) -> Result:
    """Run a verb's own command. Raises as it does."""
    name = f"orbit.commands.{TABLE[verb][0]}"
    __import__(name)
    call = Call(world=world, words=Words(values), face=ToolFace(report), started_ms=time.time_ns() // 1_000_000)
    result: Result = sys.modules[name].run(call)
    return result


def failure(error: OrbitError) -> Answer:
    """orbit's own lines, as on stderr."""
    context = safe_line(error.context)
    lines = [f"orbit: {context}: {safe_line(line)}" for line in (error.message, *error.hint.splitlines())]
    return Answer(text="\n".join(lines), failed=True)


def _of_the_system(error: OSError) -> OrbitError:
    where = f" ({error.filename})" if error.filename else ""
    return OrbitError("system", f"{error.strerror or error}{where}")


def _answer_of(tool: Tool, result: Result, *, pops: bool) -> Answer:
    notices = list(result.notices)
    text = safe_text(result.text)
    if result.aside:
        text = f"{text}\n{safe_text(result.aside)}"
    data: Any = plain(result.data) if tool.shape else text
    if tool.shape and not text:
        text = safe_json(json.dumps(data, ensure_ascii=False))
    after = result.after if pops else None
    if after is not None:
        notices.append(card_notices.popped_in_flight(data["repo"], data["popped"]))
    return Answer(
        text=text,
        result=data,
        guidance=tuple(safe_line(notice.line) for notice in notices),
        failed=result.code != 0 and tool.name != "memo_check",  # whose findings are what was asked for
        handed_over=after,
    )


def plain(data: object) -> Any:
    """A JSON value that can be written as UTF-8, whatever a file name was made of."""
    return json.loads(safe_json(json.dumps(data, ensure_ascii=False)))


def output_schema(tool: Tool) -> dict[str, Any]:
    """The JSON Schema of a tool's structured result: the shape of the verb's JSON, and the guidance beside it."""
    shape: dict[str, Any] = portable(json.loads(schema_text(tool.shape))) if tool.shape else {"type": "string"}
    shape.pop("$schema", None)
    definitions = shape.pop("$defs", None)
    lines = {"type": "array", "items": {"type": "string"}, "description": "what orbit has to say beside the result"}
    schema = {
        "type": "object",
        "properties": {"result": shape, "guidance": lines},
        "required": ["result", "guidance"],
        "additionalProperties": False,
    }
    return {**schema, "$defs": definitions} if definitions else schema


def portable(schema: Any) -> Any:
    """The same schema with one `type` at each place: some hosts know no lists of types and would leave a tool out."""
    if isinstance(schema, list):
        return [portable(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: portable(value) for key, value in schema.items()}
    kinds = found.get("type")
    if not isinstance(kinds, list):
        return found
    told = {key: found.pop(key) for key in ("title", "description") if key in found}
    return {**told, "anyOf": [{"type": kind} if kind == "null" else {**found, "type": kind} for kind in kinds]}
