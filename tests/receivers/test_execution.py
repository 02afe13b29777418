"""The snippets at work: each scheme's receiver, in each language, against genuine and changed requests."""

from __future__ import annotations

import pytest

from hook_widgets.errors import InvalidRequest
from hook_widgets.webhooks.receiving import Language, receiver_snippet
from tests.receivers.cases import SUBJECTS, Subject
from tests.receivers.exceptions import EXCEPTIONS
from tests.receivers.runtimes import RUNTIMES, Receivers

PAIRS = [
    pytest.param(runtime, subject, id=f"{runtime.language}-{subject.name}")
    for runtime in RUNTIMES
    for subject in SUBJECTS
    if not runtime.missing() and (runtime.language, subject.name) not in EXCEPTIONS
]


@pytest.mark.parametrize(("receivers", "subject"), PAIRS, indirect=["receivers"])
def test_a_receiver_accepts_what_is_genuine_and_nothing_else(receivers: Receivers, subject: Subject) -> None:
    wrong = []
    accepted = refused = 0
    for case in subject.cases():
        answer = receivers.ask(subject.name, case.arguments)
        accepted += case.genuine is True
        refused += case.genuine is False
        right = ("true", "false") if case.genuine is None else (str(case.genuine).lower(),)
        if answer not in right:
            wrong.append(f"{case.title}: {answer}, not {' or '.join(right)}")
    assert wrong == []
    assert accepted
    assert refused


@pytest.mark.parametrize(("language", "name"), EXCEPTIONS)
def test_what_a_language_cannot_express_is_refused_with_the_reason(language: Language, name: str) -> None:
    subject = next(subject for subject in SUBJECTS if subject.name == name)

    with pytest.raises(InvalidRequest, match=EXCEPTIONS[language, name]):
        receiver_snippet(subject.provider, language, scheme=subject.scheme.name)
