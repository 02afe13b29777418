"""Rules specific to OpenAPI documents: endpoints, parameters, bodies, responses and authentication.

The rules are stated for a client that calls the service. In callbacks and webhooks the service calls the
client, so the directions are reversed.
"""

from __future__ import annotations

from functools import partial

from hook_widgets.versioning.compat.rules import SCHEMA_RULES, Breaks, Effect, rule, table

_NO_EFFECT = "A client that sends it no longer gets what it asks for, or is rejected."
_ANNOUNCED = "It was deprecated and the date in x-sunset has passed: clients were told."
_UNKNOWN_STATUS = (
    "A client must treat a status that it does not know as the x00 of its class (RFC 9110 section 15)."
)


_always, _never = (partial(rule, breaks, Effect.NONE) for breaks in (Breaks.ALWAYS, Breaks.NEVER))
_writers, _readers = (partial(rule, breaks, Effect.NONE) for breaks in (Breaks.REQUEST, Breaks.RESPONSE))

_ENDPOINTS = (
    _always("endpoint-removed", "endpoint removed", "Every call of it fails."),
    _never("endpoint-removed-after-sunset", "endpoint removed after its announced end", _ANNOUNCED),
    _never("endpoint-added", "endpoint added", "Nobody calls it yet."),
    _never("endpoint-deprecated", "endpoint deprecated", "It goes on working until its end."),
    _never("endpoint-reactivated", "endpoint no longer deprecated", "It goes on working."),
    _always(
        "sunset-earlier",
        "announced end withdrawn or earlier",
        "Clients plan their move by the date that was promised.",
    ),
    _never("sunset-later", "end announced or later", "Clients have at least the time that they had."),
    _never(
        "operation-id-changed",
        "operationId changed",
        "It never travels in HTTP; generated clients may rename a method.",
    ),
    _always("server-removed", "server removed", "Clients call the address that they know."),
    _never("server-added", "server added", "The known addresses stay."),
    _never(
        "component-changed",
        "component added, removed or changed",
        "What an endpoint uses of it is told there; the rest reaches no client.",
    ),
    _always("callback-removed", "callback or webhook removed", "A client that waits for it waits forever."),
    _never("callback-added", "callback or webhook added", "Nobody waits for it yet."),
)

_PARAMETERS = (
    _always("parameter-removed", "parameter removed", _NO_EFFECT),
    _never("parameter-removed-after-sunset", "parameter removed after its announced end", _ANNOUNCED),
    _always("parameter-renamed", "parameter renamed", "Clients know the old name."),
    _never(
        "path-parameter-renamed",
        "path parameter renamed",
        "The name in braces never travels in HTTP; the address is the same.",
    ),
    _always("parameter-moved", "parameter moved", "Clients send it in the old place."),
    _writers("required-parameter-added", "required parameter added", "No client sends it yet."),
    _never("optional-parameter-added", "optional parameter added", "Requests without it stay right."),
    _writers(
        "parameter-required", "parameter newly required", "Requests that leave it out are now rejected."
    ),
    _readers("parameter-optional", "parameter no longer required", "Readers may find nothing."),
    _writers(
        "parameter-default-changed",
        "default of a parameter changed",
        "The same request without the parameter may now mean something else.",
    ),
    _always(
        "serialization-changed",
        "parameter, header or part written otherwise",
        "Style, explode and content type decide which text carries a value; clients know the old text.",
    ),
    _writers("empty-value-rejected", "empty value rejected", "Requests with the bare name are now rejected."),
    _readers("empty-value-allowed", "empty value allowed", "Readers may find no value."),
)

_BODIES = (
    _always("request-body-removed", "request body removed", _NO_EFFECT),
    _writers("required-request-body-added", "required request body added", "No client sends one yet."),
    _never("optional-request-body-added", "optional request body added", "Requests without it stay right."),
    _writers(
        "request-body-required", "request body newly required", "Requests that leave it out are now rejected."
    ),
    _readers("request-body-optional", "request body no longer required", "Readers may find nothing."),
    _writers(
        "request-media-type-removed",
        "media type of a request removed",
        "Requests of that type are now rejected.",
    ),
    _readers(
        "request-media-type-added",
        "media type of a request added",
        "Clients go on with the type that they know; a webhook's receiver cannot choose.",
    ),
    _always(
        "response-media-type-removed",
        "media type of a response removed",
        "Clients that accept only that type are rejected.",
    ),
    _never(
        "response-media-type-added",
        "media type of a response added",
        "Clients name the types that they accept.",
    ),
    _never(
        "media-type-parameters-changed",
        "parameters of a media type changed",
        "The type is the same; a client that accepts it accepts it with any parameters.",
    ),
    _writers("media-type-narrowed", "media range narrower", "Requests of the other types are now rejected."),
    _readers("media-type-widened", "media range wider", "Clients may get a type that they cannot read."),
)

_RESPONSES = (
    _always("success-status-removed", "success status removed", "Clients wait for that status and its body."),
    _never("success-status-added", "success status added", _UNKNOWN_STATUS),
    _never("error-status-removed", "error status removed", "An error that never comes needs no handling."),
    _never("error-status-added", "error status added", _UNKNOWN_STATUS),
    _always(
        "error-format-changed",
        "error format changed",
        "Clients decide by the body of an error what to do next.",
    ),
    _always("header-removed", "header removed", "Clients that read it find nothing."),
    _always("header-renamed", "header renamed", "Clients know the old name."),
    _writers("required-header-added", "required header added", "Nobody who writes it knows of it yet."),
    _never("optional-header-added", "header added", "Clients pass over headers that they do not know."),
    _writers("header-required", "header newly required", "Writers may have left it out."),
    _readers("header-optional", "header no longer required", "Clients that rely on it may find nothing."),
)

_SECURITY = (
    _always(
        "authentication-changed",
        "authentication changed",
        "The credentials that a client has, or the way it sends them, are no longer enough.",
    ),
    _always(
        "authentication-removed",
        "way to authenticate removed",
        "Clients that know only this way are rejected.",
    ),
    _always(
        "authentication-required", "anonymous access removed", "Clients without credentials are rejected."
    ),
    _never("authentication-added", "way to authenticate added", "The known ways stay."),
    _never(
        "authentication-optional",
        "anonymous access allowed",
        "Clients with credentials are served as before.",
    ),
    _always("scope-required", "scope newly required", "The tokens that clients hold lack it."),
    _never("scope-not-required", "scope no longer required", "Tokens with more scopes are good too."),
    _always(
        "scope-removed",
        "scope removed from a scheme",
        "A request for a scope that is not known is rejected (RFC 6749 section 5.2).",
    ),
    _never("scope-added", "scope added to a scheme", "Nobody has to ask for it."),
)

OPENAPI_RULES = _ENDPOINTS + _PARAMETERS + _BODIES + _RESPONSES + _SECURITY
"""The rules for OpenAPI documents; their schemas follow the rules for schemas."""

RULES = table(SCHEMA_RULES, OPENAPI_RULES)
"""Every rule by its id, as in the table of the guide."""
