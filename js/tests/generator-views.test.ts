import assert from "node:assert/strict";
import { test } from "node:test";
import { signal } from "../src/core/signals.js";
import { isRecording } from "../src/generator/recordings.js";
import type { Diagnosis } from "../src/generator/replies.js";
import type { Rewrites } from "../src/generator/rewriting.js";
import { createSender, type Step } from "../src/generator/sending.js";
import { BodyText } from "../src/generator/view/BodyText.js";
import { createRunResults } from "../src/generator/view/check/RunResults.js";
import type { Lazy } from "../src/generator/view/Lazy.js";
import { createCustomHeaders } from "../src/generator/view/payload/HeaderEditor.js";
import { createPayload } from "../src/generator/view/payload/Payload.js";
import { createProblems } from "../src/generator/view/payload/Problems.js";
import { createClockTime } from "../src/generator/view/provider/ClockTime.js";
import { createProviderBar } from "../src/generator/view/provider/ProviderBar.js";
import { Confirm } from "../src/generator/view/request/Confirm.js";
import { createCurl } from "../src/generator/view/request/Curl.js";
import { createOutcome } from "../src/generator/view/request/Outcome.js";
import { createRequest } from "../src/generator/view/request/Request.js";
import { createSend } from "../src/generator/view/request/Send.js";
import { createVerification, type Verification } from "../src/generator/view/verify/check.js";
import { createDiagnosisReport } from "../src/generator/view/verify/DiagnosisReport.js";
import { requestArgs } from "../src/generator/view/verify/fields.js";
import { Result } from "../src/generator/view/verify/Result.js";
import { Steps, ValidYetRejected } from "../src/generator/view/verify/Verdict.js";
import type { View } from "../src/generator/view/view.js";
import type { Delivery } from "../src/generator/wire.js";
import { clockTime, TextField } from "../src/ui/controls.js";
import { draft, hold, signed } from "./model-support.js";
import { settled } from "./support.js";
import { elementsOf, openView, textOf } from "./view-support.js";

const lazy = (() => null) as unknown as Lazy;
/** Draws these two parts, and no other. */
const lazyOf = (view: View) => {
  const parts = { problems: createProblems(view), clockTime: createClockTime(view) } as Record<
    string,
    unknown
  >;
  return ((which: string, _waiting: unknown, props: object) =>
    (parts[which] as ((props: object) => unknown) | undefined)?.(props)) as unknown as Lazy;
};
const rewrites = { last: signal(""), undo() {} } as unknown as Rewrites;

test("a payload that is not the sample says so, and no other does", () => {
  const { model, state, view } = openView({}, { rewrites });
  const payload = createPayload(view, lazy);
  const chips = () =>
    elementsOf(payload(), "span")
      .filter(({ props }) => String(props.class).startsWith("hw-chip"))
      .map(({ text }) => text);
  const body = { length: 2, sha256: "00".repeat(32), kind: "json" };
  model.tell(draft(state.inputs.revision(), { body, edited: false }));
  assert.deepEqual(chips(), ["Valid JSON"]);
  model.tell(draft(state.inputs.revision(), { body, edited: true }));

  assert.deepEqual(chips(), ["Valid JSON", "Edited"]);
});

for (const [field, traits] of Object.entries({
  headers: { headers: [["X Bad", "1"]] },
  clock: { clock: { mode: "offset", at: "", offset_s: 1e12 } },
  body: {},
})) {
  test(`an error about the ${field} stands there, and not below the request`, () => {
    const { model, state, view } = openView(traits, { rewrites });
    const drawn = {
      headers: createCustomHeaders(view).rows,
      clock: createProviderBar(view, lazyOf(view)),
      body: createPayload(view, lazyOf(view)),
    };
    const request = createRequest(view);
    const places = () =>
      Object.entries(drawn).flatMap(([name, at]) => (/wrong/.test(textOf(at())) ? name : []));
    const alerts = () =>
      elementsOf(request(), "p").filter(({ props, text }) => /hw-alert/.test(String(props.class)) && text);
    assert.deepEqual(places(), []);
    model.tell(draft(state.inputs.revision(), { error: { code: "invalid", text: "wrong", field } }));

    assert.deepEqual(places(), [field]);
    assert.deepEqual(alerts(), []);
  });
}

test("an error about no field stands below the request", () => {
  const { model, state, view } = openView({}, { rewrites });
  const request = createRequest(view);
  model.tell(draft(state.inputs.revision(), { error: { code: "invalid", text: "wrong", field: "scheme" } }));

  assert.ok(
    elementsOf(request(), "p").some(
      ({ props, text }) => /hw-alert/.test(String(props.class)) && text === "wrong",
    ),
  );
});

test("the name that no header can have is marked, and its neighbours are not", () => {
  const { view } = openView({
    headers: [
      ["X Bad", "1"],
      ["X-Good", "a b"],
    ],
  });
  const marked = elementsOf(createCustomHeaders(view).rows(), "input")
    .filter(({ props }) => props["aria-invalid"])
    .map(({ props }) => props["aria-label"]);

  assert.deepEqual(marked, ["Name of header 1"]);
});

test("a rejection shows the widget's own inputs, then the receiver's words, then general advice", () => {
  const record = {
    n: 1,
    at: "",
    status: 400,
    reason: "Bad Request",
    level: "warn",
    elapsed_s: 0.1,
    own: ["The clock was 600 s behind.", "The payload is not valid."],
    quote: "stale timestamp",
    advice: "Rejected; often a signature mismatch.",
    headers: [],
  } as unknown as Delivery;
  const pasteBody = () => {};
  const shown = textOf(Result({ record, verify: () => null, brief: true }));
  const verified = textOf(ValidYetRejected({ record, pasteBody, why: () => null }));
  const places = (text: string, parts: string[]) => parts.map((part) => text.indexOf(part));
  const first = [...record.own, record.quote];

  for (const [text, last] of [
    [shown, record.advice],
    [verified, "So the receiver changed the body"],
  ] as const) {
    const order = places(text, [...first, last]);
    assert.ok(!order.includes(-1), text);
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
      text,
    );
  }
});

test("a run shows how many of its requests are sent, for as long as it goes on", () => {
  const { state, view } = openView();
  const sender = createSender(state);
  const results = createRunResults({ ...view, sender });
  const step = (n: number, sent: boolean) =>
    ({
      round: 1,
      event: `event ${n}`,
      fault: null,
      progress: sent ? "Sent" : "Waiting",
      delivery: sent ? { n, status: 200, reason: "OK", elapsed_s: 0.1 } : null,
      failure: "",
    }) as unknown as Step;
  const bars = () =>
    elementsOf(results([step(1, true), step(2, true), step(3, false)]), "progress").map(
      ({ props: { value, max } }) => [value, max],
    );
  assert.deepEqual(bars(), []);
  sender.running.set(true);

  assert.deepEqual(bars(), [[2, 3]]);
});

test("only a press of the user agrees to a host, and no click of a script", () => {
  const { view } = openView();
  const answers: boolean[] = [];
  const question = Confirm({
    view,
    home: "",
    text: "Really?",
    yes: "Send them",
    onAnswer: (agreed) => answers.push(agreed),
  });
  const yes = elementsOf(question, "button").find(({ text }) => text === "Send them");
  const click = yes?.props.onClick as (event: { isTrusted: boolean }) => void;
  click({ isTrusted: false });
  assert.deepEqual(answers, []);
  click({ isTrusted: true });

  assert.deepEqual(answers, [true]);
});

test("a body is shown indented or as it came, and one that gains nothing has no choice", () => {
  const choices = (text: string) => elementsOf(BodyText({ label: "Response body", text }), "button");
  const shown = (text: string) => elementsOf(BodyText({ label: "Response body", text }), "pre")[0]?.text;
  const body = '{"total": 1.0,"a":[1]}';
  const [pretty, raw] = choices(body).map(({ props }) => props.onClick as () => void);
  assert.deepEqual(choices("rejected"), []);
  assert.equal(shown(body), body);
  pretty?.();
  assert.equal(shown(body), '{\n  "total": 1.0,\n  "a": [\n    1\n  ]\n}');
  assert.equal(shown("rejected"), "rejected");
  raw?.();

  assert.equal(shown(body), body);
});

for (const [reason, more, likely] of [
  ["signature_differs", {}, true],
  ["signature_differs", { findings: [{ cause: "x", title: "A cause", change: "", frameworks: [] }] }, false],
  ["signature_differs", { hints: [{ cause: "x", title: "A hint", change: "", frameworks: [] }] }, false],
  ["missing_header", {}, false],
  ["malformed_header", {}, false],
  ["timestamp_outside_tolerance", {}, false],
] as const) {
  const what = [reason, ...Object.keys(more)].join(" with ");
  test(`the secret is ${likely ? "" : "not "}suspected after ${what}`, () => {
    const diagnosis = {
      verdict: { ok: false, reason, detail: "", steps: [] },
      findings: [],
      hints: [],
      excluded: [],
      not_excluded: [],
      strings: [],
      difference: "",
      ...more,
    } as unknown as Diagnosis;
    const report = createDiagnosisReport((name) => name);

    assert.equal(/most likely the secret/i.test(textOf(report(diagnosis))), likely);
  });
}

for (const [title, change, expected] of [
  [
    "a pasted request is taken over when another secret is set meanwhile",
    (view: View) => hold(view.state),
    "a: b",
  ],
  [
    "a pasted request does not replace what is typed meanwhile",
    (_: View, { fields }: Verification) => fields.setter("headers")("c: d"),
    "c: d",
  ],
  [
    "a pasted request does not replace a body that is loaded meanwhile",
    (_: View, { fields }: Verification) => fields.body.load({ name: "event.json", bytes: new Uint8Array(2) }),
    "curl https://hooks.example.com/in -H 'a: b'",
  ],
] as const) {
  test(title, async () => {
    const more = { toVerify: signal(null), ends: new AbortController().signal };
    const { model, view } = openView({ signer: "kernel" }, more);
    const verification = createVerification(view);
    const reading = verification.setHeaders("curl https://hooks.example.com/in -H 'a: b'");
    await settled();
    await change(view, verification);
    await settled();
    const request = { provider: "", url: "https://hooks.example.com/in", method: "POST", at: "" };
    model.answer("import", { ...request, format: "curl", count: 1, headers: [["a", "b"]], body_known: true });
    await reading;

    assert.equal(verification.fields.values().headers, expected);
  });
}

for (const [field, name] of [
  ["headers", "headers"],
  ["tolerance_s", "tolerance_s"],
  ["provider", ""],
] as const) {
  test(`an error of Verify about the ${field} stands ${name ? "there" : "below the button"}`, async () => {
    const more = { toVerify: signal(null), ends: new AbortController().signal };
    const { model, view } = openView({ signer: "kernel" }, more);
    const { fields, check } = createVerification(view);
    const checking = check();
    await settled();
    model.reject("verify", { code: "invalid_argument", text: "wrong value", field });
    await checking;
    const marked = (["headers", "tolerance_s", "url"] as const).filter((each) => {
      const drawn = TextField({ label: "", ...fields.text(each) });
      const [input] = elementsOf(drawn, "input");
      return textOf(drawn) === "Wrong value" && input?.props["aria-invalid"];
    });
    assert.deepEqual([marked, fields.failure()], [name ? [name] : [], { text: "wrong value", field: name }]);
    fields.setter("method")("PUT");

    assert.deepEqual(fields.failure(), { text: "", field: "" });
  });
}

test("a secret that stays in the headers is an error there", async () => {
  const more = { toVerify: signal(null), ends: new AbortController().signal };
  const { state, view } = openView({}, more);
  const request = async () => ({ request: null, blocked: "headers" });
  const vault = { ...state.vault, request } as unknown as typeof state.vault;
  const { fields, check } = createVerification({ ...view, state: { ...state, vault } });
  await check();

  assert.equal(fields.failure().field, "headers");
  assert.match(fields.failure().text, /^Not verified: the headers may contain a secret/);
});

for (const known of [true, false])
  test(`the body of a recording is ${known ? "loaded" : "asked for"} if it is ${known ? "" : "un"}known`, async () => {
    const more = { toVerify: signal(null), ends: new AbortController().signal };
    const { model, view } = openView({ signer: "kernel" }, more);
    const { fields, setHeaders } = createVerification(view);
    fields.body.load({ name: "another", bytes: new Uint8Array(2) });
    const reading = setHeaders('{"headers": {"X-Signature": "0"}, "method": "POST"}');
    await settled();
    const request = { provider: "", url: "", method: "POST", at: "", format: "request in JSON", count: 1 };
    model.answer("import", { ...request, headers: [["X-Signature", "0"]], body_known: known });
    await reading;
    const drawn = fields.body.draw();

    assert.deepEqual([elementsOf(drawn, "textarea").length, fields.body.bytes().length], [known ? 0 : 1, 0]);
    assert.equal(textOf(drawn).includes("request in JSON"), known);
  });

test("a text of which a line begins with a time is a recording, and header lines are none", () => {
  assert.ok(isRecording("07:18:04.1 IP a > b: length 9\n\tPOST /h HTTP/1.1\n\tHost: a", ""));
  assert.ok(!isRecording("Host: a\nx-signature: v1=00\n  folded\n\n", ""));
});

test("a recording that cannot be read is an error at the headers", async () => {
  const more = { toVerify: signal(null), ends: new AbortController().signal };
  const { model, view } = openView({ signer: "kernel" }, more);
  const { fields, setHeaders } = createVerification(view);
  fields.source.set("Read from a curl command");
  const reading = setHeaders("curl https://hooks.example.com/a https://hooks.example.com/b");
  await settled();
  model.reject("import", { code: "invalid_argument", text: "two URLs", field: "url" });
  await reading;

  assert.deepEqual(fields.failure(), { text: "two URLs", field: "headers" });
  assert.equal(fields.source(), "");
});

test("a tolerance that is no finite number goes to the kernel as it was typed", async () => {
  const more = { toVerify: signal(null), ends: new AbortController().signal };
  const { fields } = createVerification(openView({ signer: "kernel" }, more).view);
  const { body, sent, values } = fields;
  const { url, method, headers } = values();
  const request = { url, method, headers, body: body.bytes(), sent: sent.bytes(), publicKey: "" };
  const sentFor = (typed: string) => {
    fields.setter("tolerance_s")(typed);
    return JSON.parse(JSON.stringify(requestArgs(fields, request))).tolerance_s;
  };

  assert.deepEqual(["600", "0", "1e999", "ten", "", " "].map(sentFor), [
    600,
    0,
    "1e999",
    "ten",
    undefined,
    undefined,
  ]);
});

test("a step without a text ends with its label", () => {
  const steps = [
    { label: "Header present", ok: true, text: "" },
    { label: "Signature", ok: false, text: "it differs" },
    { label: "Age", ok: null, text: "" },
  ];

  const shown = elementsOf(Steps({ steps }), "li").map(({ text }) => text);
  assert.deepEqual(shown, ["PassedHeader present", "FailedSignature: it differs", "SkippedAge"]);
});

test("what was not sent says so once, as a sentence", () => {
  const { state, view } = openView();
  const rejection = signal("the event is not known");
  const needsCurl = signal(false);
  const sender = { ...createSender(state), rejection, needsCurl } as unknown as View["sender"];
  const outcome = createOutcome({ ...view, sender });

  assert.equal(textOf(outcome()), "Not sent The event is not known");
  rejection.set("x-signature is not a header that you may set");
  assert.equal(textOf(outcome()), "Not sent x-signature is not a header that you may set");
});

test("of another provider's response the outcome is left, without its body and headers", () => {
  const { model, state, view } = openView();
  const outcome = createOutcome({ ...view, sender: createSender(state) });
  const record = {
    n: 1,
    provider: state.inputs.provider(),
    revision: state.inputs.revision(),
    url: "https://api.example/hook",
    method: "POST",
    status: 200,
    reason: "OK",
    level: "ok",
    elapsed_s: 0.1,
    within_s: null,
    headers: [["Server", "any"]],
    body_text: "the body",
  };
  model.tell({ op: "delivery", record });
  const parts = () =>
    ["200 OK", "Response headers", "the body"].map((part) => textOf(outcome()).includes(part));

  assert.deepEqual(parts(), [true, true, true]);
  state.inputs.provider.set("github");
  assert.deepEqual(parts(), [true, false, false]);
});

test("a URL's error is not repeated below the response", () => {
  const { model, state, view } = openView();
  const more = { sender: createSender(state), pasted: signal(""), pasteResult: signal(null) };
  const send = createSend({ ...view, ...more }, lazy);
  model.tell(
    draft(state.inputs.revision(), { error: { code: "invalid_argument", text: "wrong", field: "url" } }),
  );

  assert.match(textOf(send.draw()), /wrong/);
  assert.equal(textOf(send.response()), "ResponseGo to inputsCorrect the receiver's URL first.");
});

test("the time to answer a question about a token is not that of the receiver", () => {
  const { state, view } = openView();
  const asking = signal(true);
  const vault = { ...state.vault, slot: (name: string) => ({ ...state.vault.slot(name), asking: asking() }) };
  const sender = { ...createSender(state), since: signal<number | null>(performance.now()) };
  const outcome = createOutcome({ ...view, sender, state: { ...state, vault } });
  const asked = textOf(outcome());
  asking.set(false);
  const sent = textOf(outcome());
  sender.since.set(null); // ends its timer

  assert.equal(asked, "Waiting for your consent in the secret's field");
  assert.match(sent, /^Waiting for the receiver.*many providers wait/);
});

test("the note on an import is gone when the request is edited", async () => {
  const { state, view } = openView();
  const revision = state.inputs.revision();
  const pasteResult = signal({ ok: true, text: "Read from a curl command.", revision });
  const more = { sender: createSender(state), pasted: signal(""), pasteResult };
  const send = createSend({ ...view, ...more }, lazy);
  assert.match(textOf(send.draw()), /Read from a curl command/);
  state.edit({ url: "http://127.0.0.1/other" });
  await settled();

  assert.doesNotMatch(textOf(send.draw()), /Read from a curl command/);
});

test("without a secret no curl command of another provider is shown", async () => {
  const { model, state, view } = openView();
  await hold(state);
  const curl = createCurl({ ...view, sender: createSender(state) });
  model.tell(draft("kernel:0"));
  model.tell(signed("kernel:0"));
  curl();
  model.answer("curl", { text: "curl --url http://127.0.0.1/hook" });
  await settled();
  assert.match(textOf(curl()), /curl --url/);
  state.edit({ provider: "other" });
  model.tell(draft(state.inputs.revision()));
  await settled();

  assert.match(textOf(curl()), /Available once the request is signed/);
  assert.doesNotMatch(textOf(curl()), /curl --url/);
});

test("the first hour of a day is hour 0, and what is no time stays as it is", () => {
  assert.equal(clockTime("2026-11-30T00:06:56"), "00:06:56");
  assert.equal(clockTime("2026-11-30T16:06:56"), "16:06:56");
  assert.equal(clockTime("soon"), "soon");
});
