"""Write the configuration of a server or library from a limiter, and read one back."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from importlib import import_module
from typing import Any, Final

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.configs.model import ExportedConfig
from hook_widgets.ratelimit.configs.reading import MAX_CHARACTERS
from hook_widgets.ratelimit.limiters.base import Limiter, parse_enum


def export_config(limiter: Limiter, target: str) -> ExportedConfig:
    """Return the configuration, or the code, with which a server or library enforces a limiter.

    Args:
        limiter: the limit, or several as `Layers`.
        target: one of `ExportTarget`.

    Returns:
        The text, and each known difference to the decisions of `simulate`.

    Raises:
        InvalidLimit: there is no such target, or it cannot enforce this limiter; the message says what can.

    >>> from hook_widgets.ratelimit import TokenBucket
    >>> print(export_config(TokenBucket(20, "10/s"), "nginx"))
    # in http
    limit_req_zone all zone=limit1:10m rate=10r/s;
    <BLANKLINE>
    # in a location
    limit_req zone=limit1 burst=19 nodelay;
    limit_req_status 429;
    <BLANKLINE>
    """
    config: ExportedConfig = module_of(parse_enum(ExportTarget, target, "target")).write(limiter)
    return config


def import_config(text: str, target: str) -> Limiter:
    """Return the limiter that a configuration enforces.

    Args:
        text: the configuration, which may contain more.
        target: ``"nginx"``, ``"haproxy"``, ``"envoy"``, ``"traefik"``, ``"caddy"``, ``"ingress-nginx"``,
            ``"kong"`` or ``"redis-cell"``.

    Raises:
        InvalidLimit: the configuration cannot be read, with line and column of the cause; or that of this
            target is not read.

    >>> import_config(export_config(Limiter.of("10/s", burst=20), "nginx").text, "nginx")
    TokenBucket(capacity=20, refill_rate=10)
    """
    chosen = parse_enum(ExportTarget, target, "target")
    read = getattr(module_of(chosen), "read", None)
    if read is None:
        raise InvalidLimit(f"{chosen} is not read; write the limiter yourself")
    if not isinstance(text, str):
        raise InvalidLimit(f"is {type(text).__name__}, no text; pass the content of the file", subject="text")
    if len(text) > MAX_CHARACTERS:
        raise InvalidLimit(
            f"the text is longer than {MAX_CHARACTERS} characters; give the part with the limit"
        )
    limiter: Limiter = read(text)
    return limiter


class ExportTarget(StrEnum):
    """A server or library that enforces limits."""

    NGINX = "nginx"
    HAPROXY = "haproxy"
    ENVOY = "envoy"
    TRAEFIK = "traefik"
    CADDY = "caddy"
    INGRESS_NGINX = "ingress-nginx"
    KONG = "kong"
    KRAKEND = "krakend"
    AWS_APIGATEWAY = "aws-apigateway"
    LIMITS = "limits"
    PYRATE_LIMITER = "pyrate-limiter"
    AIOLIMITER = "aiolimiter"
    GO = "x/time/rate"
    GOVERNOR = "governor"
    BUCKET4J = "bucket4j"
    EXPRESS_RATE_LIMIT = "express-rate-limit"
    RATE_LIMITER_FLEXIBLE = "rate-limiter-flexible"
    REDIS_CELL = "redis-cell"


MODULES: Final[Mapping[ExportTarget, str]] = {
    ExportTarget.NGINX: "proxies.nginx",
    ExportTarget.HAPROXY: "proxies.haproxy",
    ExportTarget.ENVOY: "proxies.envoy",
    ExportTarget.TRAEFIK: "proxies.traefik",
    ExportTarget.CADDY: "proxies.caddy",
    ExportTarget.INGRESS_NGINX: "proxies.ingress_nginx",
    ExportTarget.KONG: "gateways.kong",
    ExportTarget.KRAKEND: "gateways.krakend",
    ExportTarget.AWS_APIGATEWAY: "gateways.aws_apigateway",
    ExportTarget.LIMITS: "libraries.limits",
    ExportTarget.PYRATE_LIMITER: "libraries.pyrate_limiter",
    ExportTarget.AIOLIMITER: "libraries.aiolimiter",
    ExportTarget.GO: "libraries.go_rate",
    ExportTarget.GOVERNOR: "libraries.governor",
    ExportTarget.BUCKET4J: "libraries.bucket4j",
    ExportTarget.EXPRESS_RATE_LIMIT: "libraries.express_rate_limit",
    ExportTarget.RATE_LIMITER_FLEXIBLE: "libraries.rate_limiter_flexible",
    ExportTarget.REDIS_CELL: "libraries.redis_cell",
}
"""The module of each target, below this package; the first part of its path is the kind of target."""


def module_of(target: ExportTarget) -> Any:
    """Return the module of a target."""
    return import_module(f"{__package__}.{MODULES[target]}")
