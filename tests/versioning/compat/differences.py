"""Reasons for the differences between our classification and oasdiff's.

The agreement is measured against this table. A difference is listed by oasdiff's rule, or by the name of the
case if only that case differs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MARKS = re.compile(
    "deprecat|reactivated|sunset|stability|extensible|discriminator|readonly|writeonly|operationid|apitag"
    "|component|apischema|security"
)
"""Rules and checks of oasdiff about metadata, in lower case without hyphens.

Metadata does not change the data that clients send and read. Authentication does, but there oasdiff makes no
judgement: all of its rules say INFO, and its documentation shows how to change their level.
"""


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason for differences.

    Attributes:
        name: a short name.
        text: the reason for our classification.
        ours: True if the case is about a change of the data that clients send and read, or must send.
            Otherwise it counts neither as agreement nor as difference.
        rules: rules of oasdiff.
        cases: names of cases.
    """

    name: str
    text: str
    ours: bool
    rules: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()


POLICY = Reason(
    "policy",
    "oasdiff's policy for x-sunset and x-stability-level: periods, dates that must be there or be readable, "
    "experimental or deprecated parts that may go without a date. Periods are the matter of `lifecycle()`.",
    ours=False,
    rules=(
        "api-deprecated-sunset-missing",
        "api-deprecated-sunset-parse",
        "api-invalid-stability-level",
        "api-path-sunset-parse",
        "api-stability-decreased",
        "api-stability-increased",
        "api-sunset-date-too-small",
        "request-parameter-deprecated-sunset-missing",
        "request-parameter-sunset-date-too-small",
        "request-parameter-sunset-parse",
        "request-property-deprecated-sunset-invalid",
        "request-property-deprecated-sunset-missing",
        "request-property-stability-decreased",
        "request-property-stability-increased",
        "request-property-sunset-date-too-small",
        "response-property-deprecated-sunset-invalid",
        "response-property-deprecated-sunset-missing",
        "response-property-stability-decreased",
        "response-property-stability-increased",
        "response-property-sunset-date-too-small",
    ),
    cases=(
        "TestBreaking_DeprecationNoSunset",
        "TestBreaking_ParameterDeprecationNoSunset",
        "TestBreaking_PathDeprecationNoSunset",
        "TestBreaking_RemovedParameterForAlpha",
        "TestBreaking_RemovedPathForAlpha",
        "TestBreaking_RemovedPathForDraft",
        "TestRequestPropertyStability_InvalidLevel",
    ),
)

EXTENSION = Reason(
    "extension",
    "x-extensible-enum is no part of OpenAPI, and passed over like every x- keyword.",
    ours=False,
    rules=(
        "request-parameter-x-extensible-enum-value-removed",
        "request-property-x-extensible-enum-value-removed",
    ),
)

UNUSED = Reason(
    "unused",
    "A scheme that no operation uses: nobody authenticates by it.",
    ours=False,
    rules=("api-security-component-oauth-scope-changed",),
)

NO_EFFECT = Reason(
    "no effect",
    "Nobody sends or gets what would be refused now: a limit stands beside a type that it does not apply to "
    "(`maximum` of an array), in fields of what is no object, or on a value that an enum has fixed already; "
    "a number comes beside text in a path; or an alternative comes or goes beside an equal one.",
    ours=False,
    cases=(
        "TestBreaking_AnyOf",
        "TestBreaking_RequestParameterMaxItemsWithFlatten",
        "TestBreaking_RequestPropertyAllOfAdded",
        "TestBreaking_RequestPropertyAnyOfRemoved",
        "TestBreaking_RequestPropertyOneOfRemoved",
        "TestBreaking_ResponseMinItemsSmaller",
        "TestRequestBodyFormatChangedCheck",
        "TestRequestBodyMaxDecreasedCheck",
        "TestRequestBodyMaxLengthIncreasedCheck",
        "TestRequestBodyMinLengthIncreased",
        "TestRequestParameterMaxDecreased",
        "TestRequestParameterMaxItemsDecreased",
        "TestRequestPathParamTypeIntegerToNumber",
        "TestRequestPropertyAllOfAdded",
        "TestRequestPropertyAnyOfRemoved",
        "TestRequestPropertyMaxDecreasedCheck",
        "TestRequestPropertyOneOfRemoved",
        "TestResponsePropertyFormatChangedCheck",
        "TestResponsePropertyFormatRemovedCheck",
        "TestResponsePropertyTypeChangedCheck",
        "TestResponseSchemaTypeMultiCheck",
    ),
)

HIDDEN = Reason(
    "hidden",
    "Requests have no read-only fields, and responses no write-only ones: there, nothing changes.",
    ours=False,
    cases=(
        "TestBreaking_AddPattern",
        "TestBreaking_AddPatternRecursive",
    ),
)

FIXTURE = Reason(
    "fixture",
    "oasdiff's test runs one check only. The documents differ in something else too, which breaks clients, "
    "or another of its rules calls the same change breaking.",
    ours=False,
    cases=(
        "TestBreaking_NoChangeToSunsetDeprecatedEndpoint",
        "TestRequestBodyDefaultValueChanged",
        "TestRequestPropertyMarkedOptional",
        "TestResponseTypeCheckerSuppressedForNullOnly31",
        "TestResponseWriteOnlyPropertyBecameOptionalCheck",
    ),
)

INVALID = Reason(
    "invalid",
    "The document is refused, because its schema names a type that there is not (`int`).",
    ours=False,
    cases=("TestBreaking_ReqBodyBecameEnumAndTypeChanged",),
)

SECURITY = Reason(
    "authentication",
    "Authentication that is newly required, or a further scope, breaks clients without it; oasdiff leaves "
    "that to its settings.",
    ours=False,
    rules=(
        "api-global-security-added",
        "api-global-security-scope-added",
        "api-security-added",
        "api-security-scope-added",
    ),
)

DISCRIMINATOR = Reason(
    "discriminator",
    "Clients and generated code choose the type of an object by it: another property or mapping makes them "
    "choose wrongly; for oasdiff it is INFO.",
    ours=False,
    rules=(
        "request-body-discriminator-mapping-added",
        "request-body-discriminator-mapping-deleted",
        "request-body-discriminator-property-name-changed",
        "request-body-discriminator-removed",
        "request-property-discriminator-mapping-added",
        "request-property-discriminator-mapping-changed",
        "request-property-discriminator-mapping-deleted",
        "request-property-discriminator-property-name-changed",
        "request-property-discriminator-removed",
        "response-body-discriminator-mapping-added",
        "response-body-discriminator-mapping-deleted",
        "response-body-discriminator-property-name-changed",
        "response-body-discriminator-removed",
        "response-property-discriminator-mapping-added",
        "response-property-discriminator-mapping-changed",
        "response-property-discriminator-mapping-deleted",
        "response-property-discriminator-property-name-changed",
        "response-property-discriminator-removed",
    ),
)

READ_ONLY = Reason(
    "read-only",
    "A field that requests may no longer set, or that responses no longer have, is gone for that side; a "
    "required one that requests may newly set must be sent. For oasdiff it is INFO.",
    ours=False,
    rules=(
        "request-optional-property-became-read-only",
        "request-read-only-property-enum-value-removed",
        "request-read-only-property-max-decreased",
        "request-read-only-property-max-length-decreased",
        "request-read-only-property-min-increased",
        "request-required-property-became-not-read-only",
        "request-required-property-became-read-only",
        "response-optional-property-became-write-only",
        "response-required-property-became-write-only",
    ),
    cases=("TestBreaking_RequiredPropertyWriteOnlyEnabled",),
)

PATTERNS = Reason(
    "patterns",
    "A pattern in a response promises what clients may take apart; without it, or with another, they may "
    "meet what they cannot.",
    ours=True,
    rules=("response-property-pattern-changed", "response-property-pattern-removed"),
    cases=(
        "TestBreaking_DeletePatten",
        "TestBreaking_GeneralizedPattern",
        "TestBreaking_ModifyPatternToAnyString",
    ),
)

REQUIRED = Reason(
    "required",
    "A field may be required without being described; requests without it are refused.",
    ours=True,
    cases=("TestBreaking_ReqBodyNewRequiredPropertyNew",),
)

DEFAULT = Reason(
    "default",
    "A path parameter always has a value, so that its default is never used.",
    ours=True,
    cases=("TestRequestParameterDefaultValueChangedAndRenamedParameter",),
)

WIDENED = Reason(
    "widened",
    "The values of an enum are no longer fixed: all that was accepted still is. Or a part of `allOf` is "
    "added that describes one more optional field.",
    ours=True,
    cases=(
        "TestRequestPropertyAllOfAdded_WithSources_Inline",
        "TestTransitionClaims_RealChangeAlongsideTransitionStillReported",
    ),
)

ONE_OF = Reason(
    "oneOf",
    "The alternative that is added says the same as one that there is: what fits both is refused by oneOf. "
    "openapi-diff calls it breaking too.",
    ours=True,
    cases=("TestRequestPropertyOneOfAdded",),
)

CONFLICT = Reason(
    "items",
    "The first item changes its type from the one of `items` to another; oasdiff looks only at whether "
    "`prefixItems` is there.",
    ours=True,
    rules=(
        "request-body-prefix-items-added",
        "request-property-prefix-items-added",
        "response-body-prefix-items-removed",
        "response-property-prefix-items-removed",
    ),
)

MEDIA_TYPES = Reason(
    "media types",
    "A client that accepts application/json alone does not accept application/problem+json.",
    ours=True,
    cases=("TestChangeMediaTypeParameters", "TestSpecializeMediaTypeName"),
)

XML = Reason(
    "xml",
    "oasdiff takes every type of an XML body as compatible with text; an object becomes a text all the same.",
    ours=True,
    rules=("request-body-type-compatible", "response-body-type-compatible"),
)

SERVERS = Reason(
    "servers",
    "Clients call the address that they know; oasdiff takes servers for a matter of deployment.",
    ours=False,
    cases=("TestBreaking_Servers",),
)

DEPENDENCIES = Reason(
    "dependencies",
    "A response that promises more (a field comes with another one) breaks nobody who reads it.",
    ours=True,
    rules=("response-body-dependent-required-changed", "response-property-dependent-required-changed"),
)

REASONS = (
    POLICY,
    EXTENSION,
    UNUSED,
    NO_EFFECT,
    HIDDEN,
    FIXTURE,
    INVALID,
    SECURITY,
    DISCRIMINATOR,
    READ_ONLY,
    PATTERNS,
    REQUIRED,
    DEFAULT,
    WIDENED,
    ONE_OF,
    CONFLICT,
    MEDIA_TYPES,
    XML,
    SERVERS,
    DEPENDENCIES,
)
"""All reasons."""
