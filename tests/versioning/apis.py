"""APIs for texts and plots: typical ones and extreme ones."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.deprecation_schedule import lifecycle
from hook_widgets.versioning.negotiation.version_location import VersionLocation
from hook_widgets.versioning.release import Release

BERLIN = ZoneInfo("Europe/Berlin")
AT = datetime(2026, 11, 21, 16, tzinfo=BERLIN)


def day(text: str, zone: ZoneInfo = BERLIN) -> datetime:
    """Parse a day or a time in a zone."""
    return datetime.fromisoformat(text).replace(tzinfo=zone)


def orders() -> Api:
    """Return an API with one deprecated, one active and one planned version."""
    return Api(
        name="Orders API",
        releases=(
            Release(1, day("2023-11-01"), lifecycle=lifecycle(day("2026-06-01"))),
            Release(2, day("2025-11-03")),
            Release(3, day("2027-06-01")),
        ),
        base_url="https://api.example.com",
        migration_guide="https://api.example.com/docs/v{old}-to-v{new}",
    )


def many() -> Api:
    """Return an API with ten removed versions, one active, and a planned preview."""
    gone = [
        Release(k + 1, day(f"{2012 + k}-03-01"), lifecycle=lifecycle(day(f"{2014 + k}-05-15")))
        for k in range(10)
    ]
    return Api(
        name="Payments, with a name that nobody would ever want to read to its end, and yet there it is",
        releases=(*gone, Release(11, day("2022-03-01")), Release(12, day("2027-05-03"), stable=False)),
    )


def scenes() -> dict[str, Api]:
    """Return every kind of API, by its distinctive feature."""
    announced = lifecycle(day("2026-06-01"))
    soon = lifecycle(day("2026-12-01"), months=12)
    return {
        "orders": orders(),
        "many": many(),
        "one": Api(releases=(Release(1),)),
        "undated": Api(releases=(Release(1, lifecycle=announced), Release(2), Release(3, stable=False))),
        "long ago": Api(
            releases=(Release(1, day("1999-01-04"), lifecycle=announced), Release(2, day("2026-01-05")))
        ),
        "all to come": Api(releases=(Release(1, day("2027-02-01")), Release(2, day("2027-03-01")))),
        "announced ahead": Api(releases=(Release(1, lifecycle=soon), Release(2))),
        "everything goes": Api(releases=(Release(1, lifecycle=announced), Release(2, lifecycle=soon))),
        "many digits": Api(releases=(Release(1), Release(999_999_999_999_999, lifecycle=announced))),
        "other letters": Api(name="$a$ 注文 <b> & _x_", releases=(Release(1),)),
        "far ahead": Api(
            releases=(
                Release(1, lifecycle=lifecycle(day("2190-01-04"), sunset=day("2199-12-31"))),
                Release(2),
            )
        ),
        "header only": Api(
            releases=(Release(1, lifecycle=announced), Release(2)),
            precedence=(VersionLocation.HEADER,),
            vendor="acme",
        ),
        "accept only": Api(
            releases=(Release(1, lifecycle=announced), Release(2)),
            precedence=(VersionLocation.ACCEPT,),
            prefix="",
        ),
        "query only": Api(
            releases=(Release(1, lifecycle=lifecycle(datetime(2026, 6, 1, 9, tzinfo=UTC))), Release(2)),
            precedence=(VersionLocation.QUERY,),
        ),
    }
