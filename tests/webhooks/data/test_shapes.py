"""One provider of each shape stands for the others: names and constants are no part of a shape."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from hook_widgets.webhooks import provider, providers
from tests.support.shapes import ALL, ONE_OF_EACH_SHAPE, for_every_provider, shape


def shape_of(name: str) -> str:
    """Return the shape of the provider's first scheme."""
    return shape(provider(name), provider(name).schemes[0])


def test_every_shape_has_a_provider_that_is_tested():
    every = {shape(known, scheme) for known in providers() for scheme in known.schemes}
    tested = {
        shape(provider(name), scheme) for name in ONE_OF_EACH_SHAPE for scheme in provider(name).schemes
    }

    assert every == tested
    assert 100 < len(every) < len(ALL)


@pytest.mark.parametrize(("one", "other"), [("svix", "clerk"), ("svix", "resend")])
def test_names_and_constants_are_no_part_of_a_shape(one: str, other: str):
    assert shape_of(one) == shape_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("github", "shopify"), ("github", "stripe"), ("discord", "sendgrid"), ("github", "gitlab-token")],
    ids=["encoding", "timestamp", "key", "algorithm"],
)
def test_another_way_to_sign_is_another_shape(one: str, other: str):
    assert shape_of(one) != shape_of(other)


def test_a_property_is_tested_for_every_provider_and_more_often_for_one_of_each_shape():
    asked: list[str] = []

    @for_every_provider(number=st.integers())
    def holds(name: str, number: int) -> None:
        asked.append(name)

    for name in ALL:
        holds(name)

    assert set(ALL) == set(asked)
    assert 1 < min(asked.count(name) for name in ONE_OF_EACH_SHAPE)


def test_a_property_that_does_not_hold_fails_for_every_provider():
    @for_every_provider(number=st.integers())
    def never(name: str, number: int) -> None:
        raise ArithmeticError(name)

    for name in (ONE_OF_EACH_SHAPE[0], next(name for name in ALL if name not in ONE_OF_EACH_SHAPE)):
        with pytest.raises(ArithmeticError, match=name):
            never(name)
