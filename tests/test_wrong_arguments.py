"""Wrong sizes, one thing in place of several, and numbers of thousands of digits raise a documented error."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from fractions import Fraction
from functools import partial
from typing import Any, cast

import pytest

from hook_widgets import ratelimit, versioning
from hook_widgets.errors import HookWidgetsError
from hook_widgets.ratelimit import clients, http
from hook_widgets.versioning import negotiation, notices

AT = datetime(2026, 11, 30, tzinfo=UTC)
HUGE = 10**5000  # str() and repr() reject it
BUCKET = ratelimit.TokenBucket(5, "1/s")
LOG = ratelimit.SlidingLog(2, 10)
RUN = ratelimit.simulate(BUCKET, [0, 0, 1])
WORKLOAD = clients.ClientWorkload(5, 10, clients=2)
STUDY = ratelimit.simulate_clients(LOG, WORKLOAD, "stamina", seeds=range(2))
API = versioning.Api(releases=(versioning.Release(1),))

SIZES: dict[str, Callable[..., object]] = {
    "draw_run_svg width_px": lambda size: ratelimit.draw_run_svg(RUN, width_px=size),
    "draw_timeline_svg width_px": lambda size: versioning.draw_timeline_svg(API, AT, width_px=size),
    **{
        f"{name} {argument}": lambda size, call=call, argument=argument: call(**{argument: size})
        for argument in ("width_in", "height_in", "dpi")
        for name, call in (
            ("plot_run", partial(ratelimit.plot_run, RUN)),
            ("plot_timeline", partial(versioning.plot_timeline, API, AT)),
            ("plot_clients", partial(clients.plot_clients, STUDY)),
            ("plot_demand", partial(clients.plot_demand, [STUDY])),
        )
    },
    "render_timeline width_in": lambda size: versioning.render_timeline(API, AT, "svg", width_in=size),
}
LISTS: dict[str, Callable[[Any], object]] = {
    "simulate arrivals_s": lambda several: ratelimit.simulate(BUCKET, several),
    "simulate costs": lambda several: ratelimit.simulate(BUCKET, [0], several),
    "simulate actual_costs": lambda several: ratelimit.simulate(BUCKET, [0], [1], actual_costs=several),
    "simulate clients": lambda several: ratelimit.simulate(BUCKET, [0], clients=several),
    "simulate_chunks chunks": lambda several: ratelimit.simulate_chunks(BUCKET, several),
    "Arrivals times_ns": ratelimit.Arrivals,
    "Arrivals durations_ns": lambda several: ratelimit.Arrivals((0,), durations_ns=several),
    "plot_run runs": ratelimit.plot_run,
    "describe_run runs": ratelimit.describe_run,
    "draw_run_svg runs": ratelimit.draw_run_svg,
    "draw_run_svg possible": lambda several: ratelimit.draw_run_svg(RUN, possible=several),
    "describe_run possible": lambda several: ratelimit.describe_run(RUN, possible=several),
    "infer observations": ratelimit.infer,
    "infer rejected": lambda several: ratelimit.infer([(0, 0.1, 200)], rejected=several),
    "reject exceeded": lambda several: ratelimit.reject(several, now=0),
    "build_ratelimit limits": http.build_ratelimit,
    "build_ratelimit_policy policies": http.build_ratelimit_policy,
    "sweep_demand rates_per_s": lambda several: clients.sweep_demand(LOG, WORKLOAD, "stamina", several),
    "clients_table studies": clients.clients_table,
    "plot_clients studies": clients.plot_clients,
    "plot_demand curves": clients.plot_demand,
    "jain_index shares": clients.jain_index,
    "timeline_csv rows": versioning.timeline_csv,
    "timeline_table rows": versioning.timeline_table,
    "build_brownouts periods": notices.build_brownouts,
    "build_links links": notices.build_links,
    "parse_accept value": negotiation.parse_accept,
    "accepted_versions value": lambda value: versioning.accepted_versions(value, "example"),
}
NUMBERS: dict[str, Callable[[Any], object]] = {
    "simulate clients": lambda huge: ratelimit.simulate(BUCKET, [0], clients={huge: [1]}),
    "plan limit": lambda huge: ratelimit.plan([huge]),
    "build_response index": lambda huge: ratelimit.build_response(RUN, huge),
    "draw_run_svg theme": lambda huge: ratelimit.draw_run_svg(RUN, theme=huge),
    "render_run format": lambda huge: ratelimit.render_run(RUN, huge),
    "client_policy name": ratelimit.client_policy,
    "preset name": ratelimit.preset,
    "announcements major": lambda huge: versioning.announcements(API, huge),
    "calendar majors": lambda huge: versioning.calendar(API, at=AT, majors=huge),
    "check_routes prefix": lambda huge: versioning.check_routes([], prefix=huge),
    "compare kind": lambda huge: versioning.compare({}, {}, kind=huge),
    "compare direction": lambda huge: versioning.compare({}, {}, direction=huge),
    "plot_timeline theme": lambda huge: versioning.plot_timeline(API, AT, theme=huge),
    "lifecycle holidays": lambda huge: versioning.lifecycle(AT, holidays=[huge]),
    "is_business_day": lambda huge: versioning.is_business_day(date(2026, 1, 1), holidays=[huge]),
    "Release major": lambda huge: versioning.Release(cast(Any, Fraction(huge, 3))),
    "Api precedence": lambda huge: versioning.Api(releases=(versioning.Release(1),), precedence=(huge,)),
}


@pytest.mark.parametrize(
    ("name", "size"),
    [
        pytest.param(name, size, id=f"{name}-{'huge' if size is HUGE else size}")
        for name in SIZES
        for size in (float("inf"), float("-inf"), float("nan"), 0, -1, HUGE, "text", True)
        if not (name.endswith("width_px") and size in (0, -1))  # the least is 240
    ],
)
def test_a_picture_has_a_finite_size(name, size):
    with pytest.raises(HookWidgetsError, match=name.split()[1]):
        SIZES[name](size)


def _is_valid(name: str, one: object) -> bool:
    optional = one is None and name.split()[1] in ("costs", "actual_costs", "clients")
    return optional or (isinstance(one, str) and name.endswith(" value"))


@pytest.mark.parametrize(
    ("name", "one"),
    [
        pytest.param(name, one, id=f"{name}-{kind}")
        for name in LISTS
        for kind, one in {"5": 5, "1.5": 1.5, "text": "text", "None": None, "AT": AT, "huge": HUGE}.items()
        if not _is_valid(name, one)
    ],
)
def test_one_thing_is_not_several(name, one):
    with pytest.raises(HookWidgetsError):
        LISTS[name](one)


def test_a_run_that_is_missing_is_no_possible_run():
    with pytest.raises(HookWidgetsError, match="no run"):
        ratelimit.describe_run(RUN, possible=cast(Any, [None]))


@pytest.mark.parametrize("name", NUMBERS)
def test_a_message_about_a_number_of_thousands_of_digits_is_short(name):
    with pytest.raises(HookWidgetsError) as error:
        NUMBERS[name](HUGE)
    assert len(str(error.value)) < 400
