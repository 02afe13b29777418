"""The bodies of events against TypeScript types of npm packages, in one run of tsc.

Each body becomes an object literal that is passed as its type, so that tsc reports a member which the type
does not know, requires, or has another type for. A known gap is taken out of the literal, and once left in,
alone, to see that it still is one. `node/types` has a file for each provider, which declares the type.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hook_widgets.webhooks import provider
from tests.sdk.typescript_gaps import GAPS, Gap

NODE = Path(__file__).parent / "node"
TYPES = (NODE / "types").as_posix()
INVENTED = "hook_widgets_made_it_up"
_NEVER = "\ue000never"
_ERROR = re.compile(r"^(?:\S*/)?(?P<file>[\w-]+)\.ts\((?P<line>\d+),\d+\): error TS(?P<text>.*)$")
OPTIONS = {
    "noEmit": True,
    "strict": True,
    "skipLibCheck": True,
    "module": "esnext",
    "moduleResolution": "bundler",
    "target": "es2022",
    "types": [],
}


@dataclass(frozen=True)
class TypeModel:
    """A TypeScript type of one provider's bodies.

    Attributes:
        provider: the provider's id.
        name: the npm package and its type.
        part: name of the member of the body that the type describes; empty for the body.
        misses: events whose bodies it is not shown, each with the reason.
    """

    provider: str
    name: str
    part: str = ""
    misses: tuple[tuple[str, str], ...] = ()

    def bodies(self) -> Iterator[tuple[str, Any]]:
        """Yield the names of the events that the type describes, with what it describes."""
        known = provider(self.provider)
        for event in known.events:
            if event.name not in dict(self.misses):
                body = json.loads(known.template(event.name))
                yield event.name, body.get(self.part, body)


@dataclass(frozen=True, eq=False)
class Case:
    """An object literal that a type must accept or reject.

    Attributes:
        model: the type.
        event: name of the event.
        value: the body; a text of `_NEVER` is of no type, which each type accepts.
        gap: path of the gap that is left in it; empty if it must be accepted.
    """

    model: TypeModel
    event: str
    value: Any
    gap: str = ""

    def line(self) -> str:
        """Return a line of TypeScript that assigns the value to the type."""
        literal = json.dumps(self.value, ensure_ascii=False).replace(f'"{_NEVER}"', "null!")
        return f"check<Body<{json.dumps(self.event)}>>({literal});"


def cases(model: TypeModel) -> Iterator[Case]:
    """Yield each body without its gaps, then one body for each gap, and one with an invented member."""
    gaps = GAPS.get(model.provider, {})
    accepted = {event: without(body, in_event(gaps, event)) for event, body in model.bodies()}
    for event, value in accepted.items():
        yield Case(model, event, value)
    for path in gaps:
        others = {other: gap for other, gap in gaps.items() if other != path}
        for event, body in model.bodies():
            if accepted[event] != (value := without(body, in_event(others, event))):
                yield Case(model, event, value, path)
    event, value = next(iter(accepted.items()))
    yield Case(model, event, {**value, INVENTED: 1}, f".{INVENTED}")


def in_event(gaps: dict[str, Gap], event: str) -> dict[str, Gap]:
    """Return the gaps that apply to an event."""
    return {path: gap for path, gap in gaps.items() if not gap.events or event in gap.events}


def without(value: Any, gaps: dict[str, Gap], path: str = "") -> Any:
    """Return a copy of a value without the members of the gaps, or with those that a type requires."""
    if isinstance(value, list):
        return [without(item, gaps, path) for item in value]
    if not isinstance(value, dict):
        return value
    members = {}
    for name, inner in value.items():
        gap = gaps.get(f"{path}.{name}")
        if gap is None:
            members[name] = without(inner, gaps, f"{path}.{name}")
        elif not gap.unknown:
            members[name] = _NEVER
    required = [inner.rpartition(".") for inner, gap in gaps.items() if gap.required]
    return {**{name: _NEVER for parent, _, name in required if parent == path}, **members}


def errors(models: tuple[TypeModel, ...], folder: Path) -> dict[Case, list[str]]:
    """Return what tsc reports about the cases of the models, in one run, by case.

    Args:
        models: the types.
        folder: an empty folder for the program.
    """
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": OPTIONS, "include": ["*.ts"]}))
    lines: dict[tuple[str, int], Case] = {}
    for model in models:
        text = [
            f'import {{ check }} from "{TYPES}/wire";',
            f'import type {{ Body }} from "{TYPES}/{model.provider}";',
        ]
        for case in cases(model):
            text.append(case.line())
            lines[model.provider, len(text)] = case
        (folder / f"{model.provider}.ts").write_text("\n".join([*text, ""]))
    return read(tsc(folder), lines)


def tsc(folder: Path) -> str:
    """Compile a folder and return what tsc prints."""
    node = os.environ.get("NODE") or shutil.which("node") or "node"
    command = [node, str(NODE / "node_modules/typescript/bin/tsc"), "--pretty", "false", "--project", "."]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    return run.stdout + run.stderr


def read(output: str, lines: dict[tuple[str, int], Case]) -> dict[Case, list[str]]:
    """Return the errors of each case; one that is not about a case raises an AssertionError."""
    read_errors: dict[Case, list[str]] = {case: [] for case in lines.values()}
    case = None
    for text in output.splitlines():
        if text.startswith(" ") and case is not None:
            read_errors[case][-1] += f"\n{text}"
            continue
        error = _ERROR.match(text)
        case = lines.get((error["file"], int(error["line"]))) if error else None
        if error is None or case is None:
            raise AssertionError(text)
        read_errors[case].append(error["text"])
    return read_errors


_INTERACTION = "a payload of an interaction; the type is that of the Events API"
_BILLING = "Clerk's specification of August 2026 has other members than the type"
_SOCIAL = "an event of the Social SDK, of which the package has no type"

MODELS = (
    TypeModel(
        "clerk",
        "@clerk/backend WebhookEvent",
        misses=(
            ("session.pending", "newer than the package, which has no type of it"),
            ("subscription.active", _BILLING),
            ("subscriptionItem.active", _BILLING),
        ),
    ),
    TypeModel(
        "discord",
        "discord-api-types APIWebhookEvent and APIInteraction",
        misses=(
            ("lobby_message_create", _SOCIAL),
            ("lobby_message_update", _SOCIAL),
            ("lobby_message_delete", _SOCIAL),
            ("game_direct_message_create", _SOCIAL),
            ("game_direct_message_update", _SOCIAL),
            ("game_direct_message_delete", _SOCIAL),
        ),
    ),
    TypeModel(
        "linear",
        "@linear/sdk LinearWebhookPayload",
    ),
    TypeModel("mux", "@mux/mux-node UnwrapWebhookEvent"),
    TypeModel(
        "notion",
        "@notionhq/client, one type for each webhook",
        misses=(("verification", "brings the secret; the client has no type of it"),),
    ),
    TypeModel("resend", "resend WebhookEventPayload"),
    TypeModel(
        "slack",
        "@slack/types SlackEvent",
        part="event",
        misses=(
            ("slash_command", _INTERACTION),
            ("block_actions", _INTERACTION),
            ("view_submission", _INTERACTION),
            ("shortcut", _INTERACTION),
            ("message_action", _INTERACTION),
            ("view_closed", _INTERACTION),
            ("block_suggestion", _INTERACTION),
            ("url_verification", "a handshake; the type is that of the Events API"),
        ),
    ),
    TypeModel(
        "stripe",
        "stripe Stripe.Event",
    ),
    TypeModel(
        "zoom",
        "@zoom/rivet, the events of MeetingsEventProcessor and three more",
        misses=(("endpoint.url_validation", "a handshake; the library has no type of it"),),
    ),
)
