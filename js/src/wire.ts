/**
 * The wire between the kernel and the browser, and readers for all that the kernel says.
 *
 * TRAITS are the inputs, saved in the notebook: provider, event, scheme ("" = default), url, body (binary),
 * headers [[name, value]], clock, verify_tls, ca, locked, signer, signer_label, revision. A browser edit sets its
 * traits and `revision = "<tab>:<n>"` in one update, a kernel edit sets `revision = "kernel:<n>"`. When provider or
 * event arrives without a body, the kernel puts the event's template into body (and so makes a revision of its own).
 *
 * REQUESTS, browser to kernel: `{id, op, args}` + buffers. Each is answered by `{re: id, ok: true, value}` or
 * `{re: id, ok: false, error: {code, text}}` (+ buffers). Replies reach every tab; ids begin with the tab's name.
 *   catalog {}                   -> Catalog; its optional `chunks: {name: sha256}` spares a page from asking for a
 *                                   chunk that it already has
 *   refresh {}                   -> {}; the kernel sends the draft (and a sign job) again, and past deliveries
 *   chunk {name}                 -> {sha256}, buffer 0 = the text of an ES module
 *   format | minify | reset {}   -> {}; the kernel changes body. Error code: invalid_json
 *   set_form {params}            -> {}; the kernel encodes the form and changes body
 *   curl {form, secret_env}      -> {text}. form: signed | env. Error code: not_signed
 *   send {confirmed_host, again} -> Delivery. `again`: the n of a past delivery whose request is signed and sent
 *                                   once more, null for the current draft. Error codes: confirm_host (with host),
 *                                   refused, no_secret, busy
 *   verify {provider, url, method, headers_text, now, public_key}, buffer 0 = body -> Verdict
 *   ping {}                      -> {}
 *
 * NOTIFICATIONS, kernel to every tab, no id: draft, signed, delivery (readers below).
 *
 * JOBS, kernel to every tab, with an id; only a tab that holds a secret answers, the first valid answer counts:
 *   sign {revision, purpose, provider?, jobs: [{field, algorithm, form, strip_prefix}]}, buffers = the messages
 *       -> {} + buffers = the raw signatures in order (ECDSA: DER), or the error bad_key, whose text holds no part
 *          of the secret
 *   match {provider?, jobs: [{field, algorithm, form, strip_prefix, presented}], public_key: {algorithm, text} | null},
 *       buffers = for each job its message, then its `presented` signatures
 *       -> {matches: [index of the first signature that is right, or -1; one for each job]}
 * `provider` says whose secret is meant; left out, it is the provider of the verify request that is under way in
 * this tab, else the provider trait.
 */
import { flag, list, number, oneOf, or, orNull, pair, type Read, record, text } from "./shapes.js";

export const algorithm = oneOf("hmac-sha1", "hmac-sha256", "hmac-sha512", "ed25519", "ecdsa-p256");
const curve = oneOf("ed25519", "ecdsa-p256");
const keyForm = or(oneOf("utf8", "base64", "hex"), "utf8");
const namedText = pair(text, text);

const keyFacts = record({
  type: oneOf("secret", "key-pair"),
  title: text,
  form: keyForm,
  strip_prefix: or(text, ""),
  note: or(text, ""),
  example: orNull(
    record({ prefix: or(text, ""), alphabet: oneOf("hex", "base62", "base64"), length: number }),
  ),
  algorithm: orNull(curve),
  public_form: orNull(oneOf("hex", "base64-spki")),
});

const provider = record({
  id: text,
  title: text,
  kind: text,
  confidence: or(text, ""),
  unconfirmed: or(list(text), []),
  docs: or(list(text), []),
  key: keyFacts,
  schemes: list(record({ name: text, title: or(text, "") })),
  events: list(record({ name: text, category: or(text, ""), title: or(text, "") })),
});

export const catalog = record({
  providers: list(provider),
  chunks: or(record({ editor: or(text, ""), curves: or(text, "") }), { editor: "", curves: "" }),
});

const header = record({
  name: text,
  value: orNull(text),
  source: or(oneOf("provider", "yours"), "provider"),
  signed: or(flag, false),
});

export const fault = record({ code: or(text, "error"), text, field: or(text, ""), host: or(text, "") });

export const draft = record({
  revision: text,
  error: orNull(fault),
  problems: or(
    list(
      record({ line: number, column: number, message: text, level: or(oneOf("error", "warning"), "error") }),
    ),
    [],
  ),
  url: or(text, ""),
  method: or(text, "POST"),
  headers: or(list(header), []),
  body: orNull(
    record({
      length: number,
      sha256: text,
      bom: or(flag, false),
      line_ends: or(oneOf("none", "lf", "crlf", "mixed"), "none"),
      trailing_newline: or(flag, false),
      utf8: or(flag, true),
      kind: or(oneOf("json", "form", "text"), "text"),
    }),
  ),
  form: orNull(list(namedText)),
  base_strings: or(
    list(
      record({
        field: text,
        algorithm: text,
        length: number,
        sha256: text,
        shown: text,
        cut: or(flag, false),
      }),
    ),
    [],
  ),
  at: or(text, ""),
  clock_note: or(text, ""),
  warnings: or(list(text), []),
});

export const signed = record({
  revision: text,
  headers: list(header),
  signatures: or(list(record({ field: text, text })), []),
  body_note: orNull(text),
  at: or(text, ""),
});

export const delivery = record({
  n: number,
  at: or(text, ""),
  url: text,
  method: or(text, "POST"),
  status: orNull(number),
  reason: or(text, ""),
  advice: or(text, ""),
  level: oneOf("ok", "warn", "bad"),
  elapsed_s: or(number, 0),
  headers: or(list(namedText), []),
  body_text: or(text, ""),
  body_length: or(number, 0),
  body_truncated: or(flag, false),
  sent_sha256: or(text, ""),
  equal_to_payload: or(flag, false),
  error: orNull(fault),
  provider: or(text, ""),
  event: or(text, ""),
});

export const deliveryNote = record({ record: delivery });

export const verdict = record({
  ok: flag,
  reason: or(text, ""),
  detail: or(text, ""),
  steps: or(list(record({ label: text, ok: orNull(flag), text: or(text, "") })), []),
});

export const curlReply = record({ text });
export const chunkReply = record({ sha256: text });

const job = { field: text, algorithm, form: keyForm, strip_prefix: or(text, "") };
export const signArgs = record({
  revision: text,
  purpose: or(oneOf("preview", "send"), "preview"),
  provider: orNull(text),
  jobs: list(record(job)),
});
export const matchArgs = record({
  provider: orNull(text),
  jobs: list(record({ ...job, presented: number })),
  public_key: orNull(record({ algorithm: curve, text })),
});

/** The clock trait. */
export const clock = record({
  mode: oneOf("now", "fixed", "offset"),
  at: or(text, ""),
  offset_s: or(number, 0),
});

export const traits = {
  provider: or(text, ""),
  event: or(text, ""),
  scheme: or(text, ""),
  url: or(text, ""),
  headers: or(list(namedText), []),
  clock: or<Clock>(clock, { mode: "now", at: "", offset_s: 0 }),
  verify_tls: or(flag, true),
  ca: or(text, ""),
  locked: or(list(text), []),
  revision: or(text, ""),
  signer: or(oneOf("browser", "kernel"), "browser"),
  signer_label: or(text, ""),
};

export type Catalog = Read<typeof catalog>;
export type Provider = Read<typeof provider>;
export type KeyFacts = Read<typeof keyFacts>;
export type Header = Read<typeof header>;
export type Draft = Read<typeof draft>;
export type Signed = Read<typeof signed>;
export type Delivery = Read<typeof delivery>;
export type Verdict = Read<typeof verdict>;
export type Clock = Read<typeof clock>;
export type SignJob = Read<typeof signArgs>["jobs"][number];
export type MatchJob = Read<typeof matchArgs>["jobs"][number];
