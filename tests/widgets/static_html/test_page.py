"""One file of a widget, for a runbook, a ticket or a printer."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hook_widgets import RateLimitCalculator, Secret, VersionPlanner, WebhookGenerator, __version__
from hook_widgets.errors import CannotWrite, HookWidgetsError
from hook_widgets.ratelimit.reporting.report import report
from hook_widgets.versioning.planning.announcement import announcements
from hook_widgets.webhooks import Receiver, provider
from hook_widgets.webhooks.delivery.client import Delivery
from hook_widgets.webhooks.delivery.errors import DeliveryError
from hook_widgets.widgets._base import HookWidget
from tests.support.wire import Talk, Wire
from tests.widgets.fake_tab import FakeTab
from tests.widgets.static_html.cases import Page

TOKEN = "glptt-canary-4f8a2c71d9e3b650aa1"
CANARY = "whsec_Y2FuYXJ5NGY4YTJjNzFkOWUzYjY1"
WIDGETS: dict[str, Callable[[], HookWidget]] = {
    "generator": lambda: WebhookGenerator("stripe", secret=Secret(CANARY)),
    "calculator": RateLimitCalculator,
    "comparison": lambda: RateLimitCalculator(compare=True),
    "planner": VersionPlanner,
}


@pytest.fixture(params=WIDGETS)
def widget(request: pytest.FixtureRequest) -> HookWidget:
    return WIDGETS[request.param]()


def exported(widget: HookWidget, folder: Path) -> str:
    return widget.export_html(folder / "widget.html").read_text(encoding="utf-8")


def test_the_file_says_its_language_title_version_and_where_its_content_is(
    widget: HookWidget, tmp_path: Path
):
    text = exported(widget, tmp_path)
    page = Page(text)

    assert text.startswith("<!doctype html>\n")
    assert [{"lang": "en"}] == page.all("html")
    assert [1, 1, 1] == [len(page.all(tag)) for tag in ("title", "main", "h1")]
    assert [] == [tag for tag, _ in page.elements if tag in ("script", "link", "iframe", "base")]
    assert f"hook_widgets {__version__}" in page.words
    assert 1 == len(page.all("time"))
    assert f"{type(widget).__name__}(" in page.words


def test_the_file_allows_itself_no_request_and_no_script(widget: HookWidget, tmp_path: Path):
    [policy] = [m for m in Page(exported(widget, tmp_path)).all("meta") if "http-equiv" in m]

    assert "Content-Security-Policy" == policy["http-equiv"]
    assert "default-src 'none'; img-src data:; style-src 'unsafe-inline'" == policy["content"]


@pytest.mark.parametrize("name", ["calculator", "comparison", "planner"])
def test_the_full_picture_is_there_for_light_and_dark(name: str, tmp_path: Path):
    page = Page(exported(WIDGETS[name](), tmp_path))
    light, dark = page.all("img")

    assert ["light", "dark"] == [light["class"], dark["class"]]
    assert "matplotlib" in str(light["src"])
    assert light["src"] != dark["src"]
    assert light["alt"] == dark["alt"]


def test_without_a_drawing_library_the_light_picture_is_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib" or ".mpl" in name]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    for name in ("calculator", "planner"):
        page = Page(exported(WIDGETS[name](), tmp_path))
        assert ["light", "dark"] == [image["class"] for image in page.all("img")]
        assert "matplotlib" not in str(page.all("img"))


def test_a_calculation_is_reported_whole(tmp_path: Path):
    widget = RateLimitCalculator()
    assert widget.scenario is not None
    words = Page(exported(widget, tmp_path)).words

    for sentence in report(widget.scenario).advice.sentences:
        assert sentence in words
    for title, value in report(widget.scenario).figures.rows:
        assert f"{title}{value}" in words


def test_a_plan_is_reported_with_all_its_texts(tmp_path: Path):
    widget = VersionPlanner([[1, "2023-05-02", "2026-06-01"], [2, "2025-03-03"]], at="2026-11-20")
    assert widget.api is not None
    words = Page(exported(widget, tmp_path)).words

    announced = announcements(widget.api, 1)
    assert 4 == len(announced)
    for each in announced:
        assert each.text in words


def test_a_payload_is_reported_to_the_last_byte(tmp_path: Path):
    body = provider("github").template("pull_request.opened").decode()

    assert body in Page(exported(WebhookGenerator("github", "pull_request.opened"), tmp_path)).words


def test_an_edit_made_in_the_browser_is_in_the_file(tmp_path: Path):
    widget = WebhookGenerator("stripe")
    widget.set_state({"body": memoryview(b'{"edited": true}'), "url": "https://edited.example.com/"})
    words = Page(exported(widget, tmp_path)).words

    assert '{"edited": true}' in words
    assert "POST https://edited.example.com/" in words


def test_what_was_sent_is_in_the_file_with_what_came_of_it(tmp_path: Path):
    secret = Secret(CANARY)
    with Receiver("stripe", secret) as receiver:
        tab = FakeTab(WebhookGenerator("stripe", url=receiver.url, secret=secret))
        tab.ask("send")
        page = Page(exported(tab.widget, tmp_path))
    [delivery] = tab.widget.deliveries

    assert "Sent from here" in page.words
    assert f"{tab.widget.url}200{delivery.elapsed_s:.3f} s{delivery.advice}" in page.words
    tab.edit(url="ftp://no")
    assert "Sent from here" in Page(exported(tab.widget, tmp_path)).words


def test_a_receiver_that_repeats_a_token_does_not_get_it_into_the_file(tmp_path: Path):
    def repeat(talk: Talk) -> None:
        talk.hear()
        said = f"HTTP/1.1 302 {TOKEN}\r\nLocation: /{TOKEN}\r\nContent-Length: 32\r\n\r\n{TOKEN}"
        talk.connection.sendall(said.encode())

    with Wire(repeat) as wire:
        tab = FakeTab(WebhookGenerator("gitlab-token", url=wire.url, secret=Secret(TOKEN)))
        tab.ask("send")
        text = exported(tab.widget, tmp_path)

    assert TOKEN in str(tab.widget.deliveries[0].headers)
    assert "Redirect, shown and not followed" in text
    assert TOKEN not in text


@pytest.mark.parametrize("said", [f"{TOKEN}\r\n", f"HTTP/1.1 200 {TOKEN}\r\nContent-Length: 9\r\n\r\n"])
def test_a_broken_answer_that_begins_with_a_token_does_not_get_it_into_the_file(said: str, tmp_path: Path):
    def repeat(talk: Talk) -> None:
        talk.hear()
        talk.say(said.encode())

    with Wire(repeat) as wire:
        tab = FakeTab(WebhookGenerator("gitlab-token", url=wire.url, secret=Secret(TOKEN)))
        tab.ask("send")
        text = exported(tab.widget, tmp_path)

    [delivery] = tab.widget.deliveries
    assert delivery.error is not None
    assert "The response begins with" in delivery.error.text
    assert TOKEN[:20] in delivery.error.text
    assert "127.0.0.1" in text
    assert TOKEN[:20] not in text


REWORDED = "Reworded, with other signs; a colon: and no sentence of before."


@pytest.mark.parametrize(
    "said",
    [
        f"HTTP/1.1 302 {TOKEN}\r\nLocation: /{TOKEN}\r\nContent-Length: 0\r\n\r\n",
        f"HTTP/1.1 429 {TOKEN}\r\nRetry-After: {TOKEN}\r\nContent-Length: 0\r\n\r\n",
        f"HTTP/1.1 200 {TOKEN}\r\nContent-Length: 9\r\n\r\n",
        f"{TOKEN}\r\n",
    ],
)
def test_however_messages_are_worded_the_same_stays_out_of_the_file(
    monkeypatch: pytest.MonkeyPatch, said: str, tmp_path: Path
):
    """Fields decide what is left out; no sentence is taken apart."""
    quoting = property(lambda self: f"{REWORDED} {TOKEN} {self}")
    monkeypatch.setattr(Delivery, "advice", quoting)
    monkeypatch.setattr(DeliveryError, "text", quoting)
    monkeypatch.setattr(Delivery, "outcome", property(lambda self: REWORDED))

    def repeat(talk: Talk) -> None:
        talk.hear()
        talk.say(said.encode())

    with Wire(repeat) as wire:
        tab = FakeTab(WebhookGenerator("gitlab-token", url=wire.url, secret=Secret(TOKEN)))
        tab.ask("send")
        text = exported(tab.widget, tmp_path)

    assert REWORDED in text
    assert TOKEN[:20] not in text


@pytest.mark.filterwarnings("ignore:the JSON of the body has an error")
def test_names_and_payloads_add_no_element_to_the_file(tmp_path: Path):
    def elements(text: str) -> list[str]:
        page = Page(exported(VersionPlanner([[1], [2]], name=text), tmp_path))
        assert text in page.words
        return [tag for tag, _ in page.elements]

    def of_payload(text: str) -> list[tuple[str, list[str]]]:
        page = Page(exported(WebhookGenerator("github", body=text), tmp_path))
        assert text in page.words
        return [(tag, [*attributes]) for tag, attributes in page.elements]

    for nasty in (
        "</title></style><script>alert(1)</script>",
        "'\"><img src=x onerror=alert(1)>",
        "{{ 7 * 7 }}{% x",
    ):
        assert elements("plain") == elements(nasty)
        assert of_payload("plain") == of_payload(nasty)


def test_inputs_that_cannot_be_used_are_said_in_the_file(tmp_path: Path):
    widget = RateLimitCalculator()
    widget.set_state({"limits": [["", "many"]]})

    assert "The inputs cannot be used at the moment" in Page(exported(widget, tmp_path)).words


def test_no_secret_is_in_the_file(tmp_path: Path):
    widget = WIDGETS["generator"]()
    assert isinstance(widget, WebhookGenerator)
    request = widget.request
    assert request is not None
    text = exported(widget, tmp_path)

    assert CANARY not in text
    assert CANARY.removeprefix("whsec_") not in text
    assert request.headers.get("Stripe-Signature", "").partition("v1=")[2] not in text


def test_a_file_that_is_there_is_replaced_and_nothing_else_is_left(tmp_path: Path):
    path = tmp_path / "widget.html"
    path.write_text("old")
    before = path.stat().st_ino

    assert str(path) == os.fspath(VersionPlanner().export_html(str(path)))
    assert [path] == list(tmp_path.iterdir())
    assert before != path.stat().st_ino, "it was written in place: a reader may see half of it"
    assert stat.S_IMODE(path.stat().st_mode) & stat.S_IRUSR


def test_a_link_stays_one_and_the_file_that_it_leads_to_is_replaced(tmp_path: Path):
    (tmp_path / "real.html").write_text("old")
    link = tmp_path / "link.html"
    link.symlink_to("real.html")
    VersionPlanner().export_html(link)

    assert link.is_symlink()
    assert (tmp_path / "real.html").read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("missing/widget.html", "does not exist; create it first"),
        ("", "is a folder"),
        ("a\0b.html", "cannot be the path of a file"),
        (f"{'long' * 100}.html", "File name too long"),
    ],
)
def test_a_place_that_cannot_be_written_to_is_said(name: str, said: str, tmp_path: Path):
    with pytest.raises(CannotWrite, match=said):
        VersionPlanner().export_html(tmp_path / name)
    assert issubclass(CannotWrite, HookWidgetsError)


def test_who_may_read_a_file_stays_when_it_is_replaced(tmp_path: Path):
    path = tmp_path / "widget.html"
    path.write_text("old")
    path.chmod(0o600)
    VersionPlanner().export_html(path)

    assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    assert "old" != path.read_text()


def test_a_device_is_not_replaced(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    with pytest.raises(CannotWrite, match="is a device or a pipe and no file"):
        VersionPlanner().export_html(pipe)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_rejection_of_the_system_is_said_and_leaves_the_old_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    (tmp_path / "widget.html").write_text("old")

    def refuse(_self: Path, _target: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(CannotWrite, match=r"cannot be written \(Permission denied\); choose another place"):
        VersionPlanner().export_html(tmp_path / "widget.html")
    assert [("widget.html", "old")] == [(path.name, path.read_text()) for path in tmp_path.iterdir()]


def test_the_file_is_about_as_large_as_its_pictures(tmp_path: Path):
    sizes = {name: len(exported(make(), tmp_path)) for name, make in WIDGETS.items()}

    assert sizes["generator"] < 20_000
    assert max(sizes.values()) < 2_000_000, json.dumps(sizes)
