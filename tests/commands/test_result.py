from __future__ import annotations

import ast
import inspect

import pytest

from orbit.cli.face import TerminalFace
from orbit.commands import result
from orbit.commands.result import Call, Column, Result, Table


def test_a_result_may_be_empty() -> None:
    empty = Result()
    assert (empty.text, empty.table, empty.data, empty.aside) == ("", None, None, "")
    assert (empty.notices, empty.code, empty.after) == ((), 0, None)


def test_a_table_is_columns_and_rows() -> None:
    column = Column("BRIEF", flexible=True)
    assert not column.optional
    assert Table((column,), (("a",),)).rows == (("a",),)


def test_a_call_has_no_defaults() -> None:
    with pytest.raises(TypeError, match="missing the field 'world'"):
        Call()


def test_the_terminal_answers_all_that_commands_may_ask() -> None:
    tree = ast.parse(inspect.getsource(result))
    faces = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == "Face"]
    asked = {node.name for node in faces[0].body if isinstance(node, ast.FunctionDef)}
    assert len(asked) > 5
    assert asked <= set(vars(TerminalFace))
