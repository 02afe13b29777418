"""A sample body varies in a few values and in nothing else."""

from __future__ import annotations

import json
import re
import uuid
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache
from random import Random
from urllib.parse import parse_qsl, unquote

import pytest
from hypothesis import example
from hypothesis import given as every
from hypothesis import strategies as st

from hook_widgets.errors import InvalidArgument, UnknownName
from hook_widgets.webhooks import provider, registry, verify
from hook_widgets.webhooks.samples.generators import (
    CURRENCIES,
    ParamKind,
    format_like,
    normalize,
    parse_time,
    random_value,
)
from hook_widgets.webhooks.samples.substitution import documents
from hook_widgets.webhooks.samples.variation import Param, Variation
from tests.support.extent import extent

VARIED = [known.id for known in registry.providers() if known.params]
SEEDS = extent((1,), (1, 2))
# Unix seconds have ten digits in between.
YEAR_2002, YEAR_2200 = datetime(2002, 1, 1), datetime(2200, 1, 1)  # noqa: DTZ001


def skeleton(value):
    """Keys, types and lengths of a decoded value, also of JSON inside its strings."""
    if isinstance(value, dict):
        return {key: skeleton(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [skeleton(inner) for inner in value]
    return shape(value) if isinstance(value, str) and value[:1] in ("{", "[") else type(value).__name__


def shape(text: str):
    try:
        return skeleton(json.loads(text))
    except ValueError:
        return "str"


def shape_of(body: bytes):
    """The shape of a body: of its JSON, of its form fields, or of the lines of anything else."""
    text = body.decode()
    if text[:1] in ("{", "["):
        return shape(text)
    if re.fullmatch(r"[^=&\s]+=[^\s]*", text):
        return [
            (name, shape(value))
            for name, value in parse_qsl(text, keep_blank_values=True, strict_parsing=True)
        ]
    return [shape(line) for line in text.splitlines()]


@cache
def secret(name: str):
    return provider(name).example_secret()


# -- every provider --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VARIED)
def test_every_parameter_stands_in_a_body_and_every_varied_body_keeps_its_shape(name):
    known = provider(name)
    never = set(known.params)
    for event in known.events:
        body, variation = known.template(event.name), known.variation(event.name)
        now = {variable.name: variable.value for variable in variation.variables}
        never -= now.keys()

        assert body == variation.vary(now), "the same values give the same bytes"
        if event not in known.events[: extent(2, None)]:
            continue
        bodies = {body}
        for seed in SEEDS if now else ():
            varied = known.sample(event.name, seed=seed)
            bodies.add(varied.body)
            assert shape_of(body) == shape_of(varied.body), event.name
            again = Variation(varied.body, known.params)
            at_paths = [v for v in again.variables if known.params[v.name].paths]
            assert {v.name: v.value for v in at_paths} == {v.name: varied.values[v.name] for v in at_paths}

        random = [v for v in variation.variables if v.value != "0" and known.params[v.name].random]
        drawn = {v.kind for v in random}
        made_up = drawn - {ParamKind.TEXT, ParamKind.TIME}
        short = all(v.kind is not ParamKind.ID or re.fullmatch(r"([A-Z]+-)?\d\d?", v.value) for v in random)
        few = made_up <= {
            ParamKind.CURRENCY,
            ParamKind.INTEGER,
            *[ParamKind.ID] * short,
        }  # there are only some
        assert (1 if not made_up else 2 if few else 1 + len(SEEDS)) <= len(bodies), event.name

    assert set() == never


@pytest.mark.parametrize("name", VARIED)
def test_of_a_varied_body_no_sample_is_left(name):
    known = provider(name)
    for event in known.events[:: extent(1 + len(known.events) // 10, 1)]:
        varied = known.sample(event.name, seed=1)
        changed = {
            n: known.params[n].sample for n, new in varied.values.items() if new != known.params[n].sample
        }
        text = unquote(re.sub(r"\\(?:u([0-9a-fA-F]{4})|(.))", unescaped, unquote(varied.body.decode())))
        # of a key of an object the name stays
        values = re.sub(r'"[^"]*"\s*:', "", text)
        for sample in filter(None, changed.values()):
            assert None is re.search(
                rf"(?<![A-Za-z0-9.,]){re.escape(sample)}(?![A-Za-z0-9]|[.,][0-9])", values
            ), event


def unescaped(known: re.Match[str]) -> str:
    return chr(int(known[1], 16)) if known[1] else known[2]


@pytest.mark.parametrize("name", VARIED)
def test_a_varied_body_signs_and_verifies(name):
    known = provider(name)
    for event in known.events[:2]:
        varied = known.sample(event.name, seed=7)
        draft = known.draft(event=event.name, body=varied.body, headers=varied.headers)
        request = draft.sign(secret(name))

        assert verify(known, request, secret(name)).ok, event.name


def test_the_same_seed_gives_all_events_of_a_provider_the_same_customer():
    known = provider("stripe")
    charge = known.sample("charge.succeeded", seed=5)

    assert charge == known.sample("charge.succeeded", seed=5)
    assert charge.body == known.sample("charge.succeeded", seed=5).body
    assert charge.values["customer"] == known.sample("invoice.paid", seed=5).values["customer"]
    assert charge.values["customer"] != known.sample("charge.succeeded", seed=6).values["customer"]


@pytest.mark.parametrize("name", ["openai", "seam", "square"])
def test_the_same_seed_keeps_the_events_of_a_provider_apart(name):
    """A receiver that drops an event whose id it knows gets them all."""
    known = provider(name)
    events = [event.name for event in known.events if "event_id" in known.sample(event.name, seed=5).values]
    ids = {known.sample(event, seed=5).values["event_id"] for event in events}

    assert len(ids) == len(events) > 10


@pytest.mark.parametrize("name", ["plivo", "telnyx", "vonage"])
def test_a_sender_and_a_recipient_stay_two(name):
    variation = provider(name).variation(provider(name).events[0].name)
    drawn = [variation.drawn(seed) for seed in range(300)]

    assert [] == [values for values in drawn if values["from"] == values["to"]]


# -- where a value stands --------------------------------------------------------------------------

EMAIL = {"email": Param(kind=ParamKind.EMAIL, sample="ada@example.com")}
GRAVATAR = "https://gravatar.com/avatar/"
UUID_4 = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}"
ORDER = {"order": Param(kind=ParamKind.ID, sample="1815")}


@pytest.mark.parametrize(
    ("body", "varied"),
    [
        ('{"to":"ada@example.com"}', '{"to":"eva@example.org"}'),
        ('{ "to" : "Ada <ada@example.com>, x" }\n', '{ "to" : "Ada <eva@example.org>, x" }\n'),
        (r'{"to":"ada\u0040example.com"}', r'{"to":"eva\u0040example.org"}'),
        (
            '{"url":"https://a.test/?m=ada%40example.com&x=%E9"}',
            '{"url":"https://a.test/?m=eva%40example.org&x=%E9"}',
        ),
        (r'{"url":"https:\/\/a.test\/ada@example.com"}', r'{"url":"https:\/\/a.test\/eva@example.org"}'),
        (r'{"inner":"{\"to\":\"ada@example.com\"}"}', r'{"inner":"{\"to\":\"eva@example.org\"}"}'),
        (
            "to=ada%40example.com&cc=Ada+%3Cada%40example.com%3E",
            "to=eva%40example.org&cc=Ada+%3Ceva%40example.org%3E",
        ),
        (
            "payload=%7b%22to%22%3a%22ada%40example.com%22%7d",
            "payload=%7b%22to%22%3a%22eva%40example.org%22%7d",
        ),
        ("<mail to='ada@example.com'/>", "<mail to='eva@example.org'/>"),
        (
            f"{GRAVATAR}3e3417d7ef77d5932a6734b916515ed5",
            f"{GRAVATAR}f94c86a9fde7987e98bbcc5c0a4caa59",
        ),  # by md5sum
        (  # by sha256sum
            f"{GRAVATAR}b5fc85e55755f9e0d030a10ab4429b6b2944855f9a0d60077fe832becbc41d72",
            f"{GRAVATAR}3f12bb17de259e162c9585a92bd968677ac9f6c9cbfb4c1b425df61db9ab7868",
        ),
        (
            '--b\r\nContent-Disposition: form-data; name="json"\r\n\r\n{"to":"ada@example.com"}\r\n--b--\r\n',
            '--b\r\nContent-Disposition: form-data; name="json"\r\n\r\n{"to":"eva@example.org"}\r\n--b--\r\n',
        ),
        ('{"ada@example.com":"nada@example.com ada@example.community"}', None),
        ("plain text", None),
        ("", None),
    ],
)
def test_a_sample_is_replaced_wherever_it_stands_and_written_in_that_places_manner(body, varied):
    variation = Variation(body.encode(), EMAIL)

    assert (varied or body) == variation.vary({"email": "eva@example.org"}).decode()
    assert (varied is not None) == bool(variation.variables)


@pytest.mark.parametrize(
    ("body", "varied"),
    [
        ('{"id":1815,"ref":"or_1815/x"}', '{"id":42,"ref":"or_42/x"}'),
        ('{"a":18150,"b":"1815.5 1.815 -1815","c":1815.0}', '{"a":18150,"b":"1815.5 1.815 -42","c":1815.0}'),
        ('{"1815":"In 1815, 1815."}', '{"1815":"In 42, 42."}'),
    ],
)
def test_a_number_is_replaced_only_as_a_whole(body, varied):
    assert varied == Variation(body.encode(), ORDER).vary({"order": "42"}).decode()


def test_new_characters_are_written_as_the_body_writes_its_others():
    text = {"name": Param(kind=ParamKind.TEXT, sample="Ada")}

    def varied(body: str) -> str:
        return Variation(body.encode(), text).vary({"name": 'É/"<'}).decode()

    assert '{"n":"É/\\"<","o":"ü"}' == varied('{"n":"Ada","o":"ü"}')
    assert r'{"n":"\u00c9\/\"\u003c","o":"\u00fc\/\u003c"}' == varied(r'{"n":"Ada","o":"\u00fc\/\u003c"}')
    assert '{"n":"https://a.test/%C3%89%2F%22%3C"}' == varied('{"n":"https://a.test/Ada"}')
    assert "n=%C3%89%2F%22%3C+x" == varied("n=Ada+x")


def test_of_a_repository_the_owner_and_the_name_change_with_it():
    params = {"repository": Param(kind=ParamKind.REPOSITORY, sample="loom/cards")}
    body = (
        '{"full_name":"loom/cards","name":"cards","login":"loom","url":"https://a.test/loom","head":"loom:main",'
        '"git":"git@a.test:loom/cards.git","text":"cards of a loom","other":"https://a.test/looms/loom-2"}'
    )

    assert (
        '{"full_name":"ada/mill","name":"mill","login":"ada","url":"https://a.test/ada","head":"ada:main",'
        '"git":"git@a.test:ada/mill.git","text":"cards of a loom","other":"https://a.test/looms/loom-2"}'
    ) == Variation(body.encode(), params).vary({"repository": "ada/mill"}).decode()


def test_of_several_paths_those_change_whose_value_is_that_at_the_first():
    paths = ("gone", "data.amount", "data.received", "data.fee", "data.text")
    variation = Variation(
        b'{"data":{"amount":2000,"received":0,"fee":2000,"text":"2000"}}',
        {"amount": Param(kind=ParamKind.INTEGER, paths=paths)},
    )

    assert b'{"data":{"amount":99,"received":0,"fee":99,"text":"2000"}}' == variation.vary({"amount": "99"})


def test_an_unpaid_payment_of_a_real_provider_does_not_claim_to_have_received_money():
    sample = provider("stripe").sample("payment_intent.created", values={"amount": "4242"})
    body = json.loads(sample.body)["data"]["object"]

    assert (4242, 0) == (body["amount"], body["amount_received"])


def test_what_may_be_varied_can_be_listed_for_a_form():
    listed = json.loads(
        json.dumps([asdict(v) for v in provider("stripe").variation("invoice.paid").variables])
    )

    assert {"name", "kind", "title", "value", "form"} == set(listed[0])
    assert ("Currency", "currency") in {(v["title"], v["kind"]) for v in listed}


def test_a_header_that_says_a_value_goes_with_it():
    known = provider("shopify")
    varied = known.sample(values={"order": "1234567890123"})

    draft = known.draft(body=varied.body, headers=varied.headers)

    assert "1234567890123" == dict(draft.render_headers({"signature": "x"}))["X-Shopify-Order-Id"]
    assert b'"id":1234567890123' in varied.body


def test_an_id_at_a_path_is_replaced_wherever_it_stands_if_it_is_long_enough():
    params = {
        "long": Param(kind=ParamKind.ID, paths=("long",)),
        "short": Param(kind=ParamKind.ID, paths=("short",)),
    }
    variation = Variation(
        b'{"long":"tr_18150","short":"1815","url":"https://a.test/tr_18150/1815?tr_18150.7","x":"tr_181507"}',
        params,
    )
    new = {"long": "tr_42", "short": "7"}

    assert (
        b'{"long":"tr_42","short":"7","url":"https://a.test/tr_42/1815?tr_42.7","x":"tr_181507"}'
    ) == variation.vary(new)
    assert {"X-Ids": "tr_42/1815"} == variation.headers({"X-Ids": "tr_18150/1815"}, new)


# -- values that are made up -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "sample", "form"),
    [
        ("id", "cus_TESTab0001", r"cus_[A-Z]{4}[a-z]{2}\d{4}"),
        ("id", "evt_TEST0001", r"evt_[A-Z]{4}\d{4}"),
        ("id", "5550000001001", r"5\d{12}"),
        ("id", "66e500000000000000000c42", r"66e50000[0-9a-f]{16}"),
        ("id", "user_0ujtsYcgvSTl8PAuAdqWYSMnLOv", r"user_0ujtsY[0-9A-Za-z]{21}"),
        ("id", "ch72gsb320000udocl363eofy", r"ch72gsb32[0-9a-z]{16}"),
        (
            "id",
            "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
            r"017f22e2-79b0-7[0-9a-f]{3}-9[0-9a-f]{3}-[0-9a-f]{12}",
        ),
        ("id", "C232AB00-9414-11EC-B3C8-9F6BDECED846", r"C232AB00-9414-11EC-B[0-9A-F]{3}-[0-9A-F]{12}"),
        ("id", "0xAB5E3F009D", r"0x[0-9A-F]{10}"),
        ("id", "HOOK-42", r"HOOK-\d\d"),
        ("id", "U91eeaf62d07c4b8fa3b5e6d1c2087f94", r"U[0-9a-f]{32}"),
        ("id", "private-orders", r"private-[a-z]{6}"),
        ("id", "WH-JEE1SX553R-MT1EW6Y8", r"WH-[A-Z]{3}\d[A-Z]{2}\d{3}[A-Z]-[A-Z]{2}\d[A-Z]{2}\d[A-Z]\d"),
        ("id", "user-test-c92b4c02-d910-421f-ae77-ce5ed7f4b31a", rf"user-test-{UUID_4}"),
        ("id", "bc-c41d90e7-3f5a-4b86-a2d9-7e08b6135fca", rf"bc-{UUID_4}"),
        ("id", "abcdefab-3f5a-4b86-a2d9-7e08b6135fca", UUID_4),
        ("id", "report_batch_42.csv", r"report_batch_\d\d\.csv"),
        ("id", "auth0|4b021e27da51", r"auth0\|[0-9a-f]{12}"),
        ("id", "org_01K614XQAM4RBKCRJ66ZZNCSTV", r"org_01K614XQAM[0-9A-HJKMNP-TV-Z]{16}"),
        ("id", "447700900461", r"4477009004\d\d"),
        ("integer", "2000", r"[1-9]\d{3}"),
        ("integer", "0", "0"),
        ("integer", "-15", r"-[1-9]\d"),
        ("decimal", "42.50", r"[1-9]\d\.\d\d"),
        ("decimal", "0.5", r"0\.\d"),
        ("decimal", "425", r"[1-9]\d\d"),
        ("currency", "EUR", "(?!EUR)[A-Z]{3}"),
        ("currency", "usd", "(?!usd)[a-z]{3}"),
        ("email", "ada@example.com", r"[a-z]+\d+@example\.(com|net|org)"),
        ("repository", "a/b", r"[a-z-]+-\d+/[a-z]+-\d+"),
        ("time", "1790000000123", "1790000000123"),
        ("text", "+447700900461", r"\+4477009004\d\d"),
        ("text", "Carry overflow", "Carry overflow"),
    ],
)
def test_a_value_that_is_made_up_has_the_samples_form(kind, sample, form):
    values = [random_value(ParamKind(kind), sample, Random(seed)) for seed in range(30)]

    assert [] == [value for value in values if not re.fullmatch(form, value)]
    assert (form == sample) == (len(set(values)) == 1)


@every(st.uuids(), st.integers(), st.sampled_from(["", "evt_", "a:b/"]), st.booleans())
@example(uuid.UUID("cfddfcce-1300-4369-85e8-39935a044b0c"), 0, "", False)
@example(uuid.UUID("a1b2c3d4-1300-4369-85e8-39935a044b0c"), 0, "evt_", True)
def test_a_uuid_stays_one_of_its_version(sample, seed, prefix, upper):
    text = str(sample).upper() if upper else str(sample)
    identifier = uuid.UUID(random_value(ParamKind.ID, prefix + text, Random(seed)).removeprefix(prefix))

    assert (sample.version, sample.variant) == (identifier.version, identifier.variant)


def test_currencies_have_two_decimals_and_three_capitals():
    assert [] == [code for code in CURRENCIES if not re.fullmatch("[A-Z]{3}", code)]
    assert not {"JPY", "KRW", "KWD", "BHD", "ISK"} & set(CURRENCIES)  # ISO 4217: other decimals than two


TIMES = [
    ("1793495045", "s"),
    ("1793495045678", "ms"),
    ("1793495045678901", "µs"),
    ("1793495045.678", "seconds with decimals"),
    ("2026-11-01T01:04:05Z", "ISO"),
    ("2026-11-01T01:04:05.678Z", "ISO, ms"),
    ("2026-11-01T01:04:05.678901000Z", "ISO, ns"),
    ("2026-10-31T18:04:05-07:00", "offset"),
    ("2026-11-01 03:04:05.6+0200", "offset without colon"),
    ("2026-11-01 01:04:05 UTC", "UTC"),
    ("2026-11-01T01:04:05", "naive"),
    ("2026-11-01T01:04", "minutes"),
    ("2026-11-01", "a day"),
    ("Sun, 01 Nov 2026 01:04:05 GMT", "HTTP date"),
    ("Sun, 01 Nov 2026 03:04:05 +0200", "e-mail"),
]


@pytest.mark.parametrize("text", [text for text, _ in TIMES], ids=[name for _, name in TIMES])
def test_a_time_keeps_its_unit_decimals_and_zone(text):
    """All of these say one moment, written out by hand; `date -d @1793495045` agrees."""
    moment = datetime(2026, 11, 1, 1, 4, 5, 678_901, tzinfo=UTC)

    assert text == format_like(text, moment)
    read = parse_time(text)
    assert read is not None
    assert abs((read - moment).total_seconds()) < 86_400


@every(st.datetimes(YEAR_2002, YEAR_2200, timezones=st.just(UTC)), st.sampled_from(TIMES))
def test_a_time_that_was_written_is_read_again(moment, sample):
    text = format_like(sample[0], moment)

    read = parse_time(text)

    assert read is not None
    assert text == format_like(text, read)


# -- values that are given -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"amount": "4,20"}, "amount cannot be '4,20'; give a whole number, such as 4200"),
        ({"amount": "04"}, "amount cannot be '04'"),
        ({"amount": 4200}, "amount cannot be a int; give a whole number"),
        ({"currency": "Euro"}, "currency cannot be 'Euro'; give a currency of three letters"),
        ({"email": "ada"}, "email cannot be 'ada'; give an e-mail address"),
        ({"customer": "a b"}, "customer cannot be 'a b'; give an id without spaces"),
        ({"time": "soon"}, "time cannot be 'soon'; give a time such as 2026-09-01T12:00:00Z"),
    ],
)
def test_a_value_of_the_wrong_form_is_rejected_by_name(values, words):
    with pytest.raises(InvalidArgument, match=re.escape(words)) as caught:
        provider("stripe").sample(values=values)
    assert f"params.{next(iter(values))}" == caught.value.field


def test_a_parameter_that_the_body_has_not_is_an_error_that_names_the_nearest():
    with pytest.raises(UnknownName, match=r"this body has no parameter 'amuont'; did you mean 'amount'"):
        provider("stripe").sample(values={"amuont": "1"})


def test_a_time_of_no_known_form_stays():
    variation = Variation(b'{"at":"soon"}', {"at": Param(kind=ParamKind.TIME, paths=("at",))})

    assert {} == variation.at(datetime(2026, 9, 1, tzinfo=UTC))
    with pytest.raises(InvalidArgument, match="at cannot be '2026-09-01'"):
        variation.checked({"at": "2026-09-01"})


def test_a_json_number_stays_one():
    variation = Variation(b'{"id":1815}', ORDER)

    with pytest.raises(InvalidArgument, match="give a JSON number, such as 1815"):
        variation.checked({"order": "or_1"})


def test_given_values_take_the_samples_manner():
    assert "eur" == normalize(ParamKind.CURRENCY, "usd", "EUR")
    assert None is normalize(ParamKind.DECIMAL, "42.50", "42.5")
    assert "1788264000" == normalize(ParamKind.TIME, "1790000000", "2026-09-01T12:00:00Z")
    assert "2026-09-01T12:00:00Z" == normalize(ParamKind.TIME, "2026-10-01T00:00:00Z", "1788264000")


def test_a_given_time_goes_into_every_time_and_given_values_go_before_made_up_ones():
    known = provider("stripe")

    at = datetime(2026, 9, 1, 12, tzinfo=UTC)
    varied = known.sample(seed=1, values={"amount": "4242"}, at=at)

    assert ("4242", "1788264000") == (varied.values["amount"], varied.values["time"])
    assert 1788264000 == json.loads(varied.body)["created"]
    assert known.template() == known.sample().body
    with pytest.raises(InvalidArgument, match="no time zone"):
        known.sample(at=datetime(2026, 9, 1))  # noqa: DTZ001


@every(
    st.text(max_size=40), st.text(min_size=1, max_size=12).filter(str.strip), st.text(min_size=1, max_size=12)
)
def test_any_text_in_any_json_string_is_replaced_and_the_json_stays(around, sample, new):
    body = json.dumps(
        {"a": f"{around} {sample} {around}", "b": [sample, 1, None]}, ensure_ascii=len(around) % 2 == 0
    )
    variation = Variation(
        body.encode("utf-8", "surrogatepass"), {"it": Param(kind=ParamKind.TEXT, sample=sample)}
    )

    varied = variation.vary({"it": new})

    assert variation.vary({"it": sample}) == body.encode("utf-8", "surrogatepass")
    assert shape_of(body.encode()) == shape_of(varied)


@every(st.binary(max_size=200))
@example(b"--")  # what begins as a form in parts does, and has none
def test_any_bytes_have_documents_and_stay_as_they_are(body):
    assert documents(body.decode("utf-8", "surrogateescape"))
    assert body == Variation(body, EMAIL | ORDER).vary({})
