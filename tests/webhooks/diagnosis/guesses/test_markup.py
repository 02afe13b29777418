"""XML that was parsed and re-serialized by the writers of the standard library."""

from __future__ import annotations

import html
from urllib.parse import quote_plus
from xml.dom import minidom
from xml.etree import ElementTree as ET

import pytest

from hook_widgets.webhooks.diagnosis.guesses.markup import documents
from tests.support.diagnosing import causes, key_of, received, signed
from tests.support.work import at_most_lines

ORDER = '<order id="1"><name>Ann &amp; Bob &lt;x&gt;</name><note/><price>1.50</price></order>'
QUOTED = '<a><b>it is "so"</b><c>é</c></a>'
DECLARED = '<?xml version="1.0" encoding="UTF-8"?>\n' + ORDER


def _found(before: str, after: str) -> tuple[str, ...]:
    key = key_of("github")
    request = received(signed("github", before.encode(), key=key), body=after.encode())
    return causes("github", request, key)


def _element_tree(text: str, *, indent: str = "", declared: bool = False, short: bool = True) -> str:
    tree = ET.fromstring(text)
    if indent:
        ET.indent(tree, indent)
    return ET.tostring(tree, "unicode", xml_declaration=declared or None, short_empty_elements=short)


@pytest.mark.parametrize(
    ("expected", "before", "after"),
    [
        ("body-xml-empty", ORDER, _element_tree(ORDER)),
        ("body-xml-empty", ORDER, _element_tree(ORDER, short=False)),
        ("body-xml-empty", _element_tree(ORDER, short=False), ORDER),
        ("body-xml-layout", minidom.parseString(ORDER).toprettyxml(indent="  ").partition("\n")[2], ORDER),
        ("body-xml-layout", _element_tree(ORDER, indent="    "), _element_tree(ORDER)),
        ("body-xml-layout", _element_tree(ORDER), _element_tree(ORDER, indent="\t")),
        ("body-xml-declaration", DECLARED, ORDER),
        ("body-xml-declaration", ORDER, minidom.parseString(ORDER).toxml("utf-8").decode()),
        ("body-xml-declaration", DECLARED, DECLARED.replace("\n", "")),
        ("body-xml-escapes", QUOTED, minidom.parseString(QUOTED.encode()).toxml().partition("?>")[2]),
        ("body-xml-escapes", ET.tostring(ET.fromstring(QUOTED)).decode(), QUOTED),
        ("body-xml-quotes", ORDER.replace('"', "'"), ORDER),
        ("body-form-field", "payload=" + quote_plus(ORDER), ORDER),
        ("body-escaped", ORDER, html.escape(ORDER, quote=False)),
        ("body-escaped", '{"a":"<b> & c"}', html.escape('{"a":"<b> & c"}', quote=False)),
    ],
)
def test_another_writer_of_xml_is_named(expected, before, after):
    assert (expected,) == _found(before, after)


def test_a_writer_with_a_declaration_and_an_own_form_of_empty_elements_is_named_by_both():
    after = ET.tostring(ET.fromstring(ORDER)).decode()

    assert {"body-xml-declaration", "body-xml-empty"} == set(_found(DECLARED, after))


@pytest.mark.parametrize(
    "body",
    [
        "<" * 60_000,
        "<a" * 30_000,
        "<a>" * 20_000,
        "<a/>" * 15_000,
        "<a></a>" * 9_000,
        "<a>" + " " * 60_000,
        "<a" + " " * 60_000,
        "<a b='" * 10_000,
        "<!--" * 15_000,
        "<a> > b" * 9_000,
    ],
)
def test_a_hostile_document_costs_no_work(body):
    with at_most_lines(100 * len(body) + 50_000):
        assert sum(len(text) for _, text in documents(body.encode())) < 1 << 26
