"""Guess which other URL was signed: the one that the sender called, before proxies and frameworks."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterator
from itertools import permutations
from urllib.parse import SplitResult, quote, unquote, urlsplit, urlunsplit

from hook_widgets.webhooks.diagnosis.causes import CauseRef, one
from hook_widgets.webhooks.headers import Headers

UrlGuess = tuple[tuple[CauseRef, ...], str]
"""Causes, and the URL that they lead to."""

_ORIGINAL_PATHS = (
    "X-Original-URI", "X-Original-URL", "X-Rewrite-URL", "X-Forwarded-Uri", "X-Forwarded-Path",
    "X-Envoy-Original-Path",
)  # fmt: skip
_MAX_DROPPED = 12  # parameters that are left out one by one
_MAX_SLASHES, _MAX_PATH = 5, 2_000  # that a proxy may have decoded, in this many characters
_MAX_QUERY = 8_000  # characters that are encoded again
_MAX_REORDERED = 5  # parameters; 120 orders
_USUAL_PORTS = ("8443", "8080")
# Of API Gateway, the Serverless Framework and SAM; and a path that proxies often remove.
_USUAL_STAGES = ("/prod", "/dev", "/Prod", "/default", "/staging", "/stage", "/api", "/v1")
_SAFE = "%:/?#[]@!$&'()*+,;=-._~"
# Escapes of characters that may stand in a query as they are: ! $ ' ( ) * , / : ; @ [ ] | ~
_OPTIONAL_ESCAPES = re.compile("%(?:2[14789ACFacf]|3[ABab]|40|5[BDbd]|7[CEce])")
# What encoders of a query leave as it is: Python and PHP, encodeURIComponent, forms of Java and browsers.
_UNESCAPED = ("-._~", "-._~!'()*", "-._*")
_PATHS = ("/webhook-test/", "/webhook/")  # of n8n: while a workflow is tested, and in production


def urls(url: str, headers: Headers) -> Iterator[UrlGuess]:
    """Yield URLs that differ in one way, the likeliest first. The same URL may be yielded more than once."""
    bare = html.unescape(url.strip(" \t\r\n\"'`<>"))
    if bare != url:
        yield one("url-surrounded", bare)
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return
    if url.endswith("?"):  # before the others: urlunsplit leaves it out, too
        yield one("url-question-mark", url[:-1])
    public = _PublicUrl(headers)
    if not parts.netloc:
        if public.host and url.startswith("/"):
            full = f"{public.scheme or 'https'}://{public.host}{url}"
            yield one("url-not-full", full, full)
        elif "." in url.partition("/")[0]:
            yield one("url-not-full", f"https://{url}", f"https://{url}")
        return
    yield from _origin(parts, public, headers)
    yield from _path(parts, public.prefix, headers)
    yield from _query(parts)
    if "?" not in url:
        yield one("url-escaped", re.sub("%3f", "?", url, count=1, flags=re.IGNORECASE), "?")
    if "%27" in url:  # new URL() of JavaScript escapes the apostrophe of a query
        yield one("url-escaped", url.replace("%27", "'"), "'")
    for cause, other in (
        ("url-decoded", unquote(url)),
        ("url-encoded", quote(url, safe=_SAFE)),
        ("url-encoded", quote(url, safe=_SAFE.replace("+", ""))),
        ("url-digits", re.sub("%[0-9a-fA-F]{2}", lambda m: m[0].upper(), url)),
        ("url-digits", re.sub("%[0-9a-fA-F]{2}", lambda m: m[0].lower(), url)),
    ):
        yield one(cause, other)
    if escaped := set(map(unquote, _OPTIONAL_ESCAPES.findall(url))):
        other = _OPTIONAL_ESCAPES.sub(lambda m: unquote(m[0]), url)
        yield one("url-escaped", other, " ".join(sorted(escaped)))


def uncommon(url: str, headers: Headers) -> Iterator[UrlGuess]:
    """Yield URLs that are not combined with other changes: prefixes, fewer parameters, other orders."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    if parts.netloc:
        yield one("url-scheme", urlunsplit(parts._replace(scheme="wss")), "wss://")
        for causes, origin in _public_origins(parts, _PublicUrl(headers)):
            for stage in _USUAL_STAGES:
                prefixed = urlunsplit(origin._replace(path=stage + parts.path))
                yield (*causes, CauseRef("url-prefix-lost", stage)), prefixed
        slashes = [i for i, char in enumerate(parts.path[:_MAX_PATH]) if char == "/"]
        for at in slashes[:_MAX_SLASHES]:
            path = f"{parts.path[:at]}/{parts.path[at:]}"
            yield one("url-slashes-lost", urlunsplit(parts._replace(path=path)))
        for at in slashes[1 : _MAX_SLASHES + 1]:
            path = f"{parts.path[:at]}%2F{parts.path[at + 1 :]}"
            yield one("url-encoded", urlunsplit(parts._replace(path=path)))
        for here, there in (_PATHS, _PATHS[::-1]):
            if here in parts.path:
                path = parts.path.replace(here, there)
                yield one("url-test-path", urlunsplit(parts._replace(path=path)), path)
    base, mark, query = url.partition("?")
    if not mark:
        yield one("url-question-mark", f"{url}?")
    params = query.split("&")
    for end in ("=", "") if query else ():
        written = [param if "=" in param[:-1] else param.removesuffix("=") + end for param in params]
        yield one("url-empty-value", f"{base}?{'&'.join(written)}")
    for param in params[:_MAX_DROPPED] if len(params) > 1 else ():
        rest = "&".join(other for other in params if other != param)
        yield one("url-parameter-added", f"{base}?{rest}", param.partition("=")[0])
    if len(params) <= _MAX_REORDERED:
        for order in permutations(params):
            reordered = f"{base}{mark}{'&'.join(order)}"
            yield one("url-query-order", reordered)
            if "%20" in query:
                yield (CauseRef("url-query-order"), CauseRef("url-plus")), reordered.replace("%20", "+")


def _public_origins(
    parts: SplitResult, public: _PublicUrl
) -> Iterator[tuple[tuple[CauseRef, ...], SplitResult]]:
    """Yield the origin of a URL as it is, and as behind a proxy, which often removes a prefix, too."""
    yield (), parts
    scheme, host = public.scheme or "https", public.host or parts.netloc
    if host != parts.netloc:
        cause = CauseRef("url-public", f"{scheme}://{host}{parts.path}")
        yield (cause,), parts._replace(scheme=scheme, netloc=host)
    elif scheme != parts.scheme:
        yield (CauseRef("url-scheme", f"{scheme}://"),), parts._replace(scheme=scheme)


class _PublicUrl:
    """The parts of the public URL that proxies report (RFC 7239 and the older X-Forwarded headers)."""

    def __init__(self, headers: Headers) -> None:
        forwarded = dict(re.findall(r"(\w+)=\"?([^\";,]+)", headers.get("Forwarded", "").partition(",")[0]))
        self.scheme = _first(headers.get("X-Forwarded-Proto", "")) or forwarded.get("proto", "")
        self.host = (
            _first(headers.get("X-Forwarded-Host", ""))
            or forwarded.get("host", "")
            or _first(headers.get("X-Original-Host", ""))
            or headers.get("Host", "").strip()
        )
        self.port = _first(headers.get("X-Forwarded-Port", ""))
        self.prefix = _first(headers.get("X-Forwarded-Prefix", "")).rstrip("/")


def _origin(parts: SplitResult, public: _PublicUrl, headers: Headers) -> Iterator[UrlGuess]:
    """Yield other schemes, hosts and ports."""
    scheme = "http" if parts.scheme == "https" else "https"
    yield one("url-scheme", urlunsplit(parts._replace(scheme=scheme)), f"{scheme}://")
    if public.host:
        yield one("url-host", urlunsplit(parts._replace(netloc=public.host)), public.host)
        for proto in dict.fromkeys((public.scheme, "https", "http")):
            if proto in ("http", "https"):
                for path in dict.fromkeys((parts.path, public.prefix + parts.path)):
                    other = parts._replace(scheme=proto, netloc=public.host, path=path)
                    yield one("url-public", urlunsplit(other), f"{proto}://{public.host}{path}")
    user, at, host = parts.netloc.rpartition("@")
    name, colon, port = host.rpartition(":")
    credentials = _credentials(headers) if not at else ""
    if credentials:
        yield one("url-user-lost", urlunsplit(parts._replace(netloc=f"{credentials}@{host}")))
        name_text, _, password = credentials.partition(":")
        escaped = f"{quote(name_text, safe='')}:{quote(password, safe='')}"
        for userinfo in dict.fromkeys((escaped, escaped.removesuffix(":"))):
            yield one("url-user-lost", urlunsplit(parts._replace(netloc=f"{userinfo}@{host}")))
    if at:
        yield one("url-user", urlunsplit(parts._replace(netloc=host)))
    if colon and port.isdigit():
        yield one("url-port", urlunsplit(parts._replace(netloc=user + at + name)))
    elif public.port.isdigit():
        netloc = f"{parts.netloc}:{public.port}"
        yield one("url-port-lost", urlunsplit(parts._replace(netloc=netloc)), public.port)
    else:
        for usual in _USUAL_PORTS:
            yield one("url-port-lost", urlunsplit(parts._replace(netloc=f"{parts.netloc}:{usual}")), usual)
    other_host = host.removeprefix("www.") if host.startswith("www.") else f"www.{host}"
    yield one("url-host", urlunsplit(parts._replace(netloc=user + at + other_host)), other_host)
    yield one("url-case", urlunsplit(parts._replace(netloc=user + at + host.lower())))
    if parts.fragment:
        yield one("url-fragment", urlunsplit(parts._replace(fragment="")))


def _credentials(headers: Headers) -> str:
    """Return user and password of Basic authentication (RFC 7617); "" if there are none."""
    kind, _, encoded = headers.get("Authorization", "").strip().partition(" ")
    if kind.lower() != "basic":
        return ""
    try:
        text = base64.b64decode(encoded, validate=True).decode()
    except ValueError:
        return ""
    return text if ":" in text else ""


def _path(parts: SplitResult, prefix: str, headers: Headers) -> Iterator[UrlGuess]:
    path = parts.path
    if path.endswith("/"):
        yield one("url-slash-added", urlunsplit(parts._replace(path=path[:-1])))
    else:
        yield one("url-slash-lost", urlunsplit(parts._replace(path=path + "/")))
    yield one("url-slashes", urlunsplit(parts._replace(path=re.sub("//+", "/", path))))
    for characters in _UNESCAPED if len(path) <= _MAX_PATH else ():
        yield one("url-encoded", urlunsplit(parts._replace(path=quote(path, safe=f"%/{characters}"))))
    if prefix:
        yield one("url-prefix-lost", urlunsplit(parts._replace(path=prefix + path)), prefix)
    for name in _ORIGINAL_PATHS:
        value = headers.get(name, "").strip()
        if value:
            original = urlsplit(value)
            other = parts._replace(path=original.path, query=original.query or parts.query)
            added = original.path.removesuffix(path)
            yield one("url-prefix-lost", urlunsplit(other), added or original.path)
    first, slash, rest = path.removeprefix("/").partition("/")
    if slash:
        yield one("url-prefix-added", urlunsplit(parts._replace(path="/" + rest)), "/" + first)


def _query(parts: SplitResult) -> Iterator[UrlGuess]:
    if not parts.query:
        return
    yield one("url-query", urlunsplit(parts._replace(query="")))
    params = parts.query.split("&")
    for cause, query in (
        ("url-query-order", "&".join(sorted(params))),
        ("url-plus", parts.query.replace("%20", "+")),
        ("url-percent-20", parts.query.replace("+", "%20")),
    ):
        yield one(cause, urlunsplit(parts._replace(query=query)))
    if len(parts.query) <= _MAX_QUERY:
        yield one("url-encoded", urlunsplit(parts._replace(query=parts.query.replace("'", "%27"))))
        for characters in _UNESCAPED:
            query = quote(parts.query, safe=f"%&=+{characters}")
            yield one("url-encoded", urlunsplit(parts._replace(query=query)))


def _first(listing: str) -> str:
    """Return the first entry of a list that proxies append to: the one nearest to the sender."""
    return listing.partition(",")[0].strip()
