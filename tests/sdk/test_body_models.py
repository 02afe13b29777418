"""Every body against a typed model of the provider's library, or of another one."""

from __future__ import annotations

import json

import pytest

from hook_widgets.webhooks import provider
from tests.sdk.body_gaps import GAPS
from tests.sdk.body_models import MODELS, Model, Rejection, lost

every_model = pytest.mark.parametrize("model", MODELS, ids=lambda model: model.provider)


def unknown(model: Model) -> dict[str, list[str]]:
    """The members of each event's body that the model does not know."""
    known, parse = provider(model.provider), model.load()
    names = [event.name for event in known.events if event.name not in dict(model.misses)]
    return {name: parse(known.template(name), name) for name in names}


@every_model
def test_each_body_is_parsed_and_has_no_member_that_the_model_does_not_know(model: Model) -> None:
    gaps = GAPS.get(model.provider, {})
    members = unknown(model)

    assert {} == {name: more for name, paths in members.items() if (more := sorted({*paths} - {*gaps}))}
    assert set() == {*gaps} - {path for paths in members.values() for path in paths}, "these gaps are closed"


@every_model
def test_a_model_notices_a_member_that_nobody_sends(model: Model) -> None:
    known, parse = provider(model.provider), model.load()
    event = known.events[0].name
    body = json.dumps({**json.loads(known.template(event)), "hook_widgets_made_it_up": 1}).encode()

    try:
        paths = parse(body, event)
    except Rejection as error:
        paths = [str(error)]

    assert any("hook_widgets_made_it_up" in path or "hookWidgetsMadeItUp" in path for path in paths)


def test_what_a_model_does_not_write_again_is_lost() -> None:
    sent = {"a": 1, "b": {"c": 2, "d": None}, "e": [{"f": 3, "g": 4}]}

    assert [] == lost(sent, sent)
    assert [".b.c", ".e.g"] == lost(sent, {"a": 1, "b": {}, "e": [{"f": 3}]})
