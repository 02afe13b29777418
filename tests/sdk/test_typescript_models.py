"""Every body against the TypeScript types of the provider's npm package, or of another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.sdk.typescript_gaps import Gap
from tests.sdk.typescript_models import INVENTED, MODELS, Case, TypeModel, errors, without

Errors = dict[Case, list[str]]
every_model = pytest.mark.parametrize("model", MODELS, ids=lambda model: model.provider)


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Errors:
    """The errors that one run of tsc reports about the bodies of all providers."""
    return errors(MODELS, tmp_path_factory.mktemp("types"))


@pytest.fixture
def of(reported: Errors) -> Callable[[TypeModel], Iterator[tuple[Case, list[str]]]]:
    """Selects the cases of a model, with their errors."""
    return lambda model: ((case, said) for case, said in reported.items() if case.model is model)


@every_model
def test_each_body_has_its_type_apart_from_the_known_gaps(model: TypeModel, of) -> None:
    assert {} == {case.event: said for case, said in of(model) if said and not case.gap}


@every_model
def test_each_gap_is_one_in_every_event_that_has_it(model: TypeModel, of) -> None:
    assert [] == [(case.event, case.gap) for case, said in of(model) if case.gap and not said]


@every_model
def test_a_type_notices_a_member_that_nobody_sends(model: TypeModel, of) -> None:
    said = [text for case, texts in of(model) if case.gap == f".{INVENTED}" for text in texts]

    assert any(INVENTED in text for text in said)


def test_a_gap_is_removed_filled_or_added() -> None:
    gaps = {
        ".a": Gap("unknown", unknown=True),
        ".b.c": Gap("of another type"),
        ".b.d": Gap("required", required=True),
    }

    assert {"b": [{"c": "\ue000never", "e": 1, "d": "\ue000never"}], "f": {}} == without(
        {"a": 1, "b": [{"c": 1, "e": 1}], "f": {}}, gaps
    )
