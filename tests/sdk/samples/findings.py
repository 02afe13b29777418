"""The samples, and what is wrong with each: the status of each check that does not pass, with its reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sample:
    """A sample of official documentation.

    Attributes:
        name: its name here.
        provider: the id of the provider.
        framework: its framework.
        source: the page or file that it follows.
        failed: the checks that fail, each group with its reason.
        warned: the checks that warn, each group with its reason.
    """

    name: str
    provider: str
    framework: str
    source: str
    failed: tuple[tuple[str, str], ...] = ()
    warned: tuple[tuple[str, str], ...] = ()

    def statuses(self) -> dict[str, str]:
        """Return the expected status of each check that does not pass."""
        groups = {"failed": self.failed, "warned": self.warned}
        return {name: status for status, rows in groups.items() for ids, _ in rows for name in ids.split()}


_SVIX = (
    ("B12 B13 F2", "the library decodes base64 outside of its own errors, and the view expects only these"),
    ("F8 F11", "the library decodes the body outside of its own errors"),
)
_SVIX_PAGE = "https://docs.svix.com/receiving/verifying-payloads/how"
_DEEP = ("F12", "a deeply nested body raises RecursionError, which the sample does not expect")
_LETTER = ("B13", "texts are compared, and compare_digest raises TypeError for a letter outside ASCII")
_FUTURE = ("C2", "the library looks at the past side only (stripe/stripe-php#657)")

SAMPLES = (
    Sample(
        "stripe",
        "stripe",
        "Flask",
        "https://github.com/stripe/stripe-python/blob/master/examples/webhooks.py",
        failed=(_LETTER, _DEEP),
        warned=(_FUTURE,),
    ),
    Sample(
        "accept_a_payment",
        "stripe",
        "Flask",
        "https://github.com/stripe-samples/accept-a-payment (custom-payment-flow, Python)",
        warned=(
            (
                "B1 B2 B3 B4 B5 B7 B8 B9 B11 B12 B13 B14 B16 C1 C3 C4 F2",
                "it returns the exception instead of a response: each rejection is a 500",
            ),
            (
                "F8 F10 F11 F12",
                "it parses the body before anything else, outside of an error handler: the same 500",
            ),
            _FUTURE,
        ),
    ),
    Sample("svix", "svix", "Flask", _SVIX_PAGE, failed=_SVIX),
    Sample(
        "svix_django",
        "svix",
        "Django",
        _SVIX_PAGE,
        failed=(
            *_SVIX,
            ("F7", "Django under WSGI reads as many bytes as Content-Length says, and chunks have none"),
        ),
    ),
    Sample(
        "twilio",
        "twilio",
        "Flask",
        "https://www.twilio.com/docs/usage/tutorials/how-to-secure-your-flask-app-by-validating-incoming-twilio-requests",
    ),
    Sample(
        "discord",
        "discord",
        "Flask",
        "https://docs.discord.com/developers/interactions/overview#validating-security-request-headers",
        failed=(
            ("B2", "a header is taken for granted"),
            (
                "B11 B12 B13 F2",
                "the signature is decoded, and its length is checked, outside of the one error",
            ),
            ("F8 F11", "the body is decoded outside of an error handler"),
            _DEEP,
        ),
        warned=(
            ("B1", "a header is taken for granted: a request without a signature is a 500"),
            ("H1", "it is the endpoint for interactions; the other handshake goes to the one for events"),
        ),
    ),
    Sample(
        "slack",
        "slack",
        "Flask",
        "https://docs.slack.dev/tools/bolt-python/concepts/adapters",
        failed=(
            ("C3", "slack_sdk converts the timestamp without an error handler"),
            _LETTER,
            ("D6", "Bolt responds with 404 to an event without a listener"),
            ("F8 F11", "Bolt parses the body without an error handler"),
            _DEEP,
        ),
        warned=(
            ("B7", "Bolt parses the body before it verifies: what is no JSON is a 500"),
            ("C4", "slack_sdk converts the timestamp without an error handler"),
        ),
    ),
    Sample(
        "github",
        "github",
        "FastAPI",
        "https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries#python-example",
        failed=(_LETTER,),
        warned=(("F16", "FastAPI redirects from the URL with a slash at its end"),),
    ),
    Sample(
        "shopify",
        "shopify",
        "Express",
        "https://shopify.dev/docs/apps/build/webhooks/subscribe/https",
        failed=(
            ("B2", "the header is taken for granted"),
            ("B11 B12 B13", "timingSafeEqual raises an exception for another length"),
        ),
        warned=(
            ("B1", "the header is taken for granted: a request without a signature is a 500"),
            ("B14", "timingSafeEqual raises an exception for another length"),
            ("A4", "the limit of express.raw is 100 kB"),
        ),
    ),
    Sample(
        "zoom",
        "zoom",
        "Express",
        "https://github.com/zoom/webhook-sample",
        failed=(
            (
                "B1 B3 B4 B5 B7 B8 B9 B11 B12 B13 B14 B16 C1 C3 F2 H2",
                "it responds with 200 to what it does not verify",
            ),
            ("F12", "it writes the parsed body again, which overflows the stack for a deep one"),
        ),
        warned=(
            ("C2", "it responds with 200 to what it does not verify"),
            ("A4", "the limit of express.json is 100 kB"),
        ),
    ),
    Sample(
        "octokit",
        "github",
        "node:http",
        "https://github.com/octokit/webhooks.js#usage",
        warned=(("F6", "it takes JSON only, and says so with 415"),),
    ),
)
