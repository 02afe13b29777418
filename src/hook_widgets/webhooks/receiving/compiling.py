"""From a provider's scheme to the steps of its receiver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hook_widgets.webhooks.receiving import steps, values
from hook_widgets.webhooks.receiving.deriving import Deriving
from hook_widgets.webhooks.receiving.steps import Let
from hook_widgets.webhooks.receiving.values import Body, Join, Variable
from hook_widgets.webhooks.scheme import PairKey
from hook_widgets.webhooks.scheme.derived import NumberClaim
from hook_widgets.webhooks.scheme.fields import BUILT_IN
from hook_widgets.webhooks.text.template import Template

if TYPE_CHECKING:
    from hook_widgets.webhooks.provider import Provider
    from hook_widgets.webhooks.scheme import Scheme


def compile_scheme(provider: Provider, scheme: Scheme) -> steps.Program:
    """The receiver's check of one scheme.

    Raises:
        InvalidRequest: the scheme cannot be checked with what a request carries.
    """
    return _Compiler(provider, scheme).program()


class _Compiler(Deriving):
    def program(self) -> steps.Program:
        """The whole."""
        key, signature = self._provider.key, self._signature
        self._take(self._carriers[signature.name])
        if self._checks_time:
            self._check_time()
        message = self._join(signature.message)
        for name in sorted(self._signed & self._scheme.fields.keys()):
            if self._scheme.fields[name].jwt is not None:
                self._check_claims(name)
        self._check_query()
        assert self._presented is not None  # its carrier was taken
        used = [part for step in self._steps for part in _atoms(step)] + list(message.parts)
        return steps.Program(
            title=f"{self._provider.title} ({self._scheme.title or self._scheme.name})",
            link=next(iter(self._provider.docs), ""),
            headers=any(
                isinstance(s, steps.ReadHeader | steps.ReadHeaders)
                or (isinstance(s, Let) and isinstance(s.value, values.SignedHeaders))
                for s in self._steps
            ),
            body=Body() in used,
            parameters=tuple(self._parameters.values()),
            steps=tuple(self._steps),
            algorithm=signature.algorithm,
            message=message,
            encoding=signature.encoding,
            presented=self._presented,
            key_title=key.title,
            key=key.spec,
            public_form=key.public_form if isinstance(key, PairKey) else None,
            notes=tuple(self._notes()),
        )

    # --- checks ------------------------------------------------------------------------------------------

    def _check_time(self) -> None:
        scheme = self._scheme
        in_token = (
            any(f.jwt is not None for f in scheme.fields.values()) and "timestamp" not in self._carriers
        )
        if not in_token and scheme.timestamp is not None and scheme.tolerance_s is not None:
            variable = self._text("timestamp")
            self._steps.append(steps.CheckTime(variable, scheme.timestamp, scheme.tolerance_s))

    def _check_claims(self, name: str) -> None:
        """Hold the claims of the token against the request."""
        jwt, scheme = self._scheme.fields[name].jwt, self._scheme
        assert jwt is not None
        checked = {
            claim: template
            for claim, template in jwt.templates.items()
            if not isinstance(jwt.claims[claim], NumberClaim) and self._is_known(template)
        }
        numbers = {n: c for n, c in jwt.claims.items() if isinstance(c, NumberClaim)}
        time = min(numbers, key=lambda n: numbers[n].plus_s) if numbers and scheme.tolerance_s else ""
        if not checked and not time:
            return
        claims = self._new("claims", own=True)
        self._steps.append(steps.ParseJson(claims, Variable(self._text(name)), claims=True))
        for claim, template in checked.items():
            expected = self._join(template.text)
            variable = self._new(f"{claim}_claim")
            self._let(variable, values.JsonValue(claims, (claim,)))
            self._steps.append(steps.CheckEqual(variable, expected))
        if time and scheme.timestamp is not None and scheme.tolerance_s is not None:
            variable = self._new(f"{time}_claim")
            self._let(variable, values.JsonValue(claims, (time,)))
            shift = -numbers[time].plus_s
            self._steps.append(steps.CheckTime(variable, scheme.timestamp, scheme.tolerance_s, shift))

    def _is_known(self, template: Template) -> bool:
        """Whether a receiver can work out what stands there."""
        sources = self._direct(template.names)
        return all(
            name in BUILT_IN or name in ("body", "url", "method") or name in self._scheme.fields
            for name in sources
        )

    def _check_query(self) -> None:
        """A value that binds the body to the URL, such as its hash, must be that of this body."""
        if "url" not in self._signed:
            return
        for name, text in self._scheme.query.items():
            if "body" in self._scheme.closure(Template(text).names):
                form = self._new("parameters", own=True)
                self._steps.append(steps.ParseForm(form, Variable(self._text("query"))))
                variable = self._new(f"{name}_parameter".lower().replace(".", "_"))
                self._let(variable, values.FormValue(form, name))
                self._steps.append(steps.CheckEqual(variable, self._join(text)))

    def _notes(self) -> list[str]:
        repeated = [s.header for s in self._steps if isinstance(s, steps.ReadHeader) and s.repeated]
        if repeated:
            return [f"{repeated[0]} may stand there twice; headers: join its values with a comma."]
        if self._signature.algorithm.reveals_secret:
            return ["Nothing is signed: the request carries the secret itself, so insist on HTTPS."]
        fields = [self._scheme.fields[name] for name in self._signed & self._scheme.fields.keys()]
        whole = "body" in self._signed or any(f.form is not None or f.lines is not None for f in fields)
        if whole or any(isinstance(step, steps.CheckEqual) for step in self._steps):
            return []
        return ["The body is not signed as a whole: trust no more of it than what is part of the message."]


def _atoms(step: steps.Step) -> tuple[values.Atom, ...]:
    """What a step reads, as far as the body may be among it."""
    match step:
        case Let(value=Join() as join) | steps.CheckEqual(right=join):
            return join.parts
        case Let(value=values.Digest(of=join) | values.Escaped(of=join)):
            return join.parts
        case steps.ParseJson(source=source) | steps.ParseForm(source=source):
            return (source,)
    return ()
