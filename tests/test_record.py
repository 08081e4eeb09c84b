from __future__ import annotations

import copy

import pytest

from orbit.record import Record


class Point(Record):
    x: int
    y: int = 0


class Named(Point):
    name: str = ""


def test_fields_come_by_position_or_name_and_have_defaults() -> None:
    assert Point(1) == Point(1, 0) == Point(x=1) == Point(1, y=0)
    assert (Point(1, 2).x, Point(1, 2).y) == (1, 2)
    assert Named(1, name="a") == Named(1, 0, "a")


@pytest.mark.parametrize(
    ("values", "named", "complaint"),
    [
        ((), {}, "Point is missing the field 'x'"),
        ((1, 2, 3), {}, "Point takes 2 values, got 3"),
        ((1,), {"x": 1}, "Point got an unexpected or repeated field 'x'"),
        ((1,), {"z": 1}, "Point got an unexpected or repeated field 'z'"),
    ],
)
def test_what_does_not_fit_is_refused(values: tuple[int, ...], named: dict[str, int], complaint: str) -> None:
    with pytest.raises(TypeError, match=complaint):
        Point(*values, **named)


def test_a_record_does_not_change() -> None:
    point = Point(1, 2)
    with pytest.raises(AttributeError, match="immutable: cannot set 'x'"):
        point.x = 3  # type: ignore[misc]
    with pytest.raises(AttributeError, match="immutable: cannot delete 'x'"):
        del point.x
    assert point.replace(y=5) == Point(1, 5)
    assert point == Point(1, 2)
    with pytest.raises(TypeError, match="'z'"):
        point.replace(z=1)


def test_equal_means_same_kind_and_same_fields() -> None:
    assert Point(1, 2) != Named(1, 2)
    assert Point(1, 2) != (1, 2)
    assert {Point(1, 2), Point(1, 2), Point(1, 3)} == {Point(1, 3), Point(1, 2)}
    assert copy.deepcopy(Point(1, 2)) == Point(1, 2)
    with pytest.raises(TypeError):
        hash(Point([], 2))  # type: ignore[arg-type]


def test_it_shows_its_fields() -> None:
    assert repr(Named(1, name="a")) == "Named(x=1, y=0, name='a')"
