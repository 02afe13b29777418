"""Members of bodies stand as in a recorded delivery or in the model of the sender."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hook_widgets.webhooks import provider


def body(known: str, event: str) -> Any:
    return json.loads(provider(known).template(event))


@pytest.mark.parametrize("event", ["delete", "unpublish"])
def test_contentful_leaves_a_tombstone_of_an_entry(event: str) -> None:
    """A delivery of March 2024 (contentful/apps, pull request 6872), all of whose times are the same, and
    EntryDeleteEventPayload of @contentful/node-apps-toolkit of 2025, which has deletedBy as well."""
    sys = body("contentful", f"ContentManagement.Entry.{event}")["sys"]
    members = "type id space environment contentType revision createdAt updatedAt deletedAt deletedBy"

    assert members.split() == list(sys)
    assert ["id", "type", "linkType"] == list(sys["environment"]["sys"])
    assert sys["createdAt"] == sys["updatedAt"] == sys["deletedAt"]


def test_contentful_orders_a_content_type_as_an_entry() -> None:
    """BaseEntityPublishEventSys of @contentful/node-apps-toolkit: one model for all that is published."""
    entry = body("contentful", "ContentManagement.Entry.publish")["sys"]
    content_type = body("contentful", "ContentManagement.ContentType.publish")["sys"]

    assert [member for member in entry if member != "contentType"] == list(content_type)


def test_resend_tells_the_second_in_which_an_e_mail_came() -> None:
    """As delivered on 4 October 2026 and on 23 October 2025: whole seconds, and before the e-mail was
    stored. The first is kept in a test of a public repository with its secret: its signature is right."""
    received = body("resend", "email.received")

    assert received["created_at"].endswith(".000Z")
    assert received["created_at"] < received["data"]["created_at"]


def test_dropbox_sign_names_the_account_that_tests_its_callback() -> None:
    """As delivered in July 2016, January 2017 and December 2018 (raw bodies kept in public repositories,
    one of them in Pluralsight's guide to HelloSign): its account, no app, and an empty message last."""
    form = provider("dropbox-sign").template("callback_test").decode()
    metadata = json.loads(form.split("\r\n\r\n")[1].split("\r\n")[0])["event"]["event_metadata"]
    account = metadata.pop("reported_for_account_id")

    assert len(account) == 40
    assert [("related_signature_id", None), ("reported_for_app_id", None), ("event_message", None)] == list(
        metadata.items()
    )


@pytest.mark.parametrize("event", ["statusChange.finished", "statusChange.error"])
def test_cursor_tells_what_its_agent_is_called_and_when_it_began(event: str) -> None:
    """As delivered on 31 July 2025 (a comment in a public repository; an agent on eastlondoner/vibe-tools).

    Its repository has no https://, without which the API takes none.
    """
    change = body("cursor", event)
    members = "event timestamp id status source target name summary createdAt"

    assert members.split() == list(change)
    assert change["source"]["repository"].startswith("github.com/")
    assert change["createdAt"] < change["timestamp"]
