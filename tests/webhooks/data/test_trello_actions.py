"""The members of Trello's actions stand as delivered in July and August 2025.

KirilStrezikozin/discord-trello-activity-app 89a52d7, test/lib/trello/action/types/_payloads.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from hook_widgets.webhooks import provider


def data(event: str) -> Any:
    return json.loads(provider("trello").template(event))["action"]["data"]


@pytest.mark.parametrize(
    ("event", "members"),
    [
        ("commentCard", "idCard text textData card board list"),
        ("addMemberToCard", "idMember card board member"),
        ("removeMemberFromCard", "idMember deactivated card board member"),
        ("updateCheckItemStateOnCard", "board card checklist checkItem"),
        ("updateCard", "old card board listBefore listAfter"),
        ("updateCard.renamed", "old card board list"),
        ("updateCard.archived", "old card board list"),
        ("updateCard.due", "old card board list"),
        ("addLabelToCard", "value text card board label"),
    ],
)
def test_an_action_has_the_members_of_2025(event: str, members: str) -> None:
    assert members.split() == list(data(event))


def test_an_archived_card_tells_when_it_was_closed() -> None:
    card = data("updateCard.archived")["card"]

    assert ["closed", "dateClosed", "id", "name", "idShort", "shortLink"] == list(card)


def test_the_address_of_a_board_is_escaped() -> None:
    """As in a delivery of January 2024: aruturu24/starter-express-api trello.js."""
    board = json.loads(provider("trello").template("createCard"))["model"]

    assert ("Zürich launch", "z%C3%BCrich-launch") == (board["name"], board["url"].rsplit("/", 1)[1])
