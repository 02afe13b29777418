"""The servers and libraries that a limiter can be exported to, and the module of each."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from importlib import import_module
from typing import Any, Final


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
