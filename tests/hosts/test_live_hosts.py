"""In every host with a kernel the widgets do what they are for, and no secret leaves the tab."""

from __future__ import annotations

from tests.hosts.live import Live
from tests.hosts.widgets import any_secret, kinds, leak, look_at_a_plan, sign_and_send, size_a_bucket
from tests.support.wire import Wire


def test_the_generator_signs_in_the_tab_and_the_kernel_sends(live: Live, receiver: Wire):
    sign_and_send(live.widgets.generator, receiver, any_secret())


def test_the_calculator_draws_and_follows_its_slider(live: Live):
    size_a_bucket(live.widgets.calculator)


def test_the_planner_draws_and_tells_what_a_client_is_answered(live: Live):
    look_at_a_plan(live.widgets.planner)


def test_a_typed_secret_stays_in_the_tab_and_one_that_leaks_is_found(live: Live, receiver: Wire):
    secret, given_away = any_secret(), any_secret()
    sign_and_send(live.widgets.generator, receiver, secret)
    leak(live.page, given_away)

    assert [] == live.leaks(secret)
    assert live.gives_away <= kinds(live.leaks(given_away))
    assert [] == live.asked_elsewhere()
