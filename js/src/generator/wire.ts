/**
 * Messages between kernel and browser, and decoders for those of the kernel.
 *
 * TRAITS are the inputs, saved in the notebook: provider, event, scheme ("" = default), url, body (binary),
 * headers [[name, value]], clock, verify_tls, ca, locked, signer, signer_label, revision, and `still`: the inputs as
 * static HTML, for pages without a kernel. A browser edit sets its traits and `revision = "<tab>:<n>"` in one update, a
 * kernel edit sets `revision = "kernel:<n>"`. If provider or event is set without a body, the kernel sets body to the
 * event's template, with a new revision.
 *
 * REQUESTS, browser to kernel: `{id, op, args}` + buffers. The reply is `{re: id, ok: true, value}` or
 * `{re: id, ok: false, error: {code, text}}` (+ buffers). Replies reach every tab; ids begin with the tab's name.
 *   catalog {}                   -> Catalog. `words` are search words from a provider's events
 *   provider {id}                -> {provider: Provider}
 *   history {}                   -> {deliveries: [Delivery]}
 *   In as_sent, exchange, past_curl and open, `n` is the number of a delivery or the id of a check.
 *   as_sent {n}                  -> {url, method, headers: [[name, value]]}, buffer 0 = body: the request of a past
 *                                   delivery as sent. Error code: secret_inside
 *   exchange {n}                 -> Exchange, buffer 0 = body of the request, buffer 1 = of the response
 *   compare {a, b, all}          -> {headers, body, response, notes}: lines of unified diffs
 *   search {text}                -> {matches: [n]}: the entries whose summary, headers or bodies contain every word
 *   past_curl {n}                -> {text}. Error codes: no_body, no_url
 *   export {form: har | json}    -> {}, buffer 0 = the file, without credentials
 *   clear {}                     -> {}; every tab gets the notification `cleared`
 *   open {n}                     -> {}; the kernel sets the inputs. Error code: locked
 *   import {to: verify | editor | history}, buffer 0 = a recording, redacted -> ImportedRequest, buffer 0 = its body.
 *                                   For history every tab gets the notification `history`
 *   preview {}                   -> {}; the kernel sends the draft (and a sign job) again
 *   chunk {name}                 -> {}, buffer 0 = the source of a lazy part, whose hash is in this bundle
 *   format | minify | reset {}   -> {}; the kernel changes body. Error code: invalid_json
 *   randomize {seed, values}     -> {values}; the kernel sets body to the sample with other values: those in
 *                                   `values` by name; for an empty text one from the seed (null: the sample's own).
 *                                   Returns the inserted texts; skips values that the body does not have. An
 *                                   error names its field: params.<name>
 *   set_form {params}            -> {}; the kernel encodes the form and changes body
 *   curl {form, secret_env}      -> {text}. form: signed | env. Error code: not_signed
 *   receiver {language}          -> {text}: a receiver that verifies the provider and scheme of the inputs
 *   send {confirmed_host, beside, again | provider, event, seed, chain | fault, of} -> Delivery. `beside`: allow
 *                                   several deliveries at a time; `again`: number of a past delivery to sign and send
 *                                   again; `event`: an event of the provider with its sample body, randomized if
 *                                   there is a `seed`, with equal shared values for the events of `chain`; `fault`:
 *                                   the request of the valid delivery `of` with that fault. Without any of these: the
 *                                   current draft. Error codes: confirm_host (with host), not_applicable (this scheme
 *                                   cannot have the fault), rejected, no_secret, busy
 *   verify {provider, url, method, headers_text, now, tolerance_s, public_key}, buffer 0 = body -> Verdict.
 *       Credentials are replaced by placeholders, also in the jobs that follow. tolerance_s: omitted for the default,
 *       text if it is no number
 *   diagnose {as verify; provider "" = to be recognised}, buffer 0 = body, buffer 1 = the body as it was sent, if
 *       known -> Diagnosis
 *   checks {}                    -> the receiver checks, and the current or last run: see checks.ts
 *   check {suite, only, oracle, others, confirmed_url} -> {} at the end of a run; `only`: ids or areas; `others`:
 *                                   roles of other secrets, whose slots are the id of the provider, "_" and the role.
 *                                   Error codes: busy, confirm_host, secret_stays, bad_oracle, not_started
 *   why {n, confirmed_host}      -> the cause of the rejection of that delivery. Error codes: as check
 *   send_stop {ticket}           -> {}; the delivery ends now, and a response that comes later is dropped
 *   check_stop {}                -> {}; also ends `why`
 *   check_export {form: json | junit | markdown | pytest | html} -> {name, type}, buffer 0 = the file, without a secret
 *   ping {}                      -> {}
 *
 * NOTIFICATIONS, kernel to every tab, no id: draft, signed, delivery, history, cleared (readers below), check_begin,
 * check_row, check_waits, check_end (checks.ts). If the body contains the signature, `signed` has a body_note, and the
 * signed body as buffer 0.
 *
 * JOBS, kernel to every tab, with an id; only a tab that has the secret replies; the first valid reply counts. A job
 * cannot choose key form or algorithm: the tab pinned them when the secret was typed.
 *   sign {revision, purpose, provider, scheme, fields: [field]}, buffers = the messages
 *       -> {} + buffers = the raw signatures in order, or an error whose text is the same for every secret
 *   match {provider, jobs: [{scheme, field, variant, algorithm, message: [index], presented: [index]}]},
 *       buffers = pieces of messages and signatures, each once; a message is the concatenation of the pieces at its indices
 *       -> {matches: [index of the matching signature or -1, for each job]}. `variant` names another derivation of the
 *          key, `algorithm` another algorithm; empty for the pinned ones. A `token` is compared only with the
 *          credential of the pasted request.
 */

import {
  flag,
  list,
  number,
  oneOf,
  or,
  orNull,
  pair,
  type Read,
  record,
  some,
  text,
  words,
} from "../core/decoders.js";
import { fault } from "../core/rpc.js";
import type { Algorithm } from "../crypto/primitives.js";

export const algorithm = oneOf(
  "hmac-sha1",
  "hmac-sha256",
  "hmac-sha384",
  "hmac-sha512",
  "sha256-prefix",
  "sha256-suffix",
  "sha1-suffix",
  "token",
  "ed25519",
  "ecdsa-p256",
  "ecdsa-p256-raw",
  "rsa-sha256",
  "rsa-sha1",
);
const keyForm = or(oneOf("utf8", "base64", "hex"), "utf8");
const namedText = pair(text, text);
const no = or(flag, false);

const keySpec = {
  form: keyForm,
  strip_prefix: words,
  normalize: or(oneOf("", "NFKC", "NFKD"), ""),
  digest: or(oneOf("", "sha1", "sha256"), ""),
};

const place = record({
  in: oneOf("header", "query", "json", "form", "multipart"),
  name: text,
  template: text,
  encoding: oneOf("text", "base64"),
});

const keyFacts = record({
  type: oneOf("secret", "key-pair"),
  title: text,
  ...keySpec,
  note: words,
  example: orNull(record({ prefix: words, alphabet: oneOf("hex", "base62", "base64"), length: number })),
  algorithm: orNull(oneOf("ed25519", "ecdsa-p256", "rsa")),
  public_form: orNull(oneOf("hex", "base64", "base64-spki", "certificate")),
});

/** Evidence for the signature, the other headers and the bodies: a word for each. */
const confidence = record({ scheme: words, headers: words, bodies: words });

const provider = record({
  id: text,
  title: text,
  kind: text,
  /** Seconds that the provider waits for a response; null if unknown. */
  within_s: orNull(number),
  confidence,
  unconfirmed: some(text),
  docs: some(text),
  key: keyFacts,
  schemes: list(
    record({
      name: text,
      title: words,
      signatures: some(record({ field: text, algorithm })),
      /** Location of a request's credential. */
      credentials: some(place),
    }),
  ),
  events: list(record({ name: text, category: words, title: words })),
  /** Faults for negative tests; `problem` says why one does not apply to this provider. */
  faults: some(record({ name: text, title: text, expected: text, problem: words })),
  /** Parameters of the bodies that can be randomized. */
  params: some(record({ name: text, title: words, kind: words, hint: words })),
});

export const providerReply = record({ provider });

export const catalog = record({
  providers: list(
    record({
      id: text,
      title: text,
      kind: text,
      confidence,
      words,
      /** Rank by popularity; null if unranked. */
      rank: orNull(number),
    }),
  ),
  /** Locations of the credentials of all providers. */
  credentials: some(place),
  /** Languages of receiver code. */
  languages: some(record({ id: text, title: text })),
  /** Invalid provider files of the user: path and error of each. */
  problems: some(namedText),
});

const header = record({
  name: text,
  value: orNull(text),
  source: oneOf("provider", "yours"),
  signed: no,
});

export const draft = record({
  revision: text,
  error: orNull(fault),
  problems: some(
    record({ line: number, column: number, message: text, level: or(oneOf("error", "warning"), "error") }),
  ),
  url: words,
  method: or(text, "POST"),
  headers: some(header),
  body: orNull(record({ kind: or(oneOf("json", "form", "text"), "text") })),
  /** True if the body is neither the sample of the event nor a randomized one. */
  edited: no,
  form: orNull(list(namedText)),
  base_strings: some(
    record({
      field: text,
      algorithm: text,
      length: number,
      sha256: text,
      shown: text,
      cut: no,
    }),
  ),
  /** True if the request contains the secret itself, which is masked here. */
  reveals_secret: no,
  at: words,
  warnings: some(text),
});

export const signed = record({
  revision: text,
  headers: list(header),
  signatures: some(record({ field: text, text })),
  body_note: orNull(text),
  at: words,
});

export const delivery = record({
  n: number,
  at: words,
  url: text,
  method: text,
  status: orNull(number),
  reason: words,
  advice: words,
  level: oneOf("ok", "warn", "bad"),
  elapsed_s: number,
  /** Seconds that the provider waits for a response; null if unknown. */
  within_s: orNull(number),
  headers: some(namedText),
  body_text: words,
  body_length: or(number, 0),
  body_truncated: no,
  sent_sha256: words,
  equal_to_payload: no,
  error: orNull(fault),
  /** For a handshake: whether the response is the expected one. */
  answer: orNull(record({ ok: flag, detail: words })),
  /** The receiver's own reason for rejecting the request. */
  quote: words,
  /** Reasons in the inputs alone why a receiver may reject the request. */
  own: some(text),
  /** True if the response suggests a wrong signature and Verify can open the request. */
  verifiable: no,
  provider: words,
  /** Title of the provider. */
  title: words,
  event: words,
  /** True if read from a recording rather than sent by this widget. */
  imported: no,
  /** True if the request contains the secret itself, which is masked here. */
  reveals_secret: no,
  /** Name of the deliberate fault; "" for a valid request. */
  fault: words,
  /** Assessment of the response: `ok` tells if it is the expected one; null if undecided. */
  assessment: orNull(record({ ok: orNull(flag), text })),
  /** Revision of the inputs that were sent; "" if they were those of an earlier delivery. */
  revision: words,
});

export const deliveryNote = record({ record: delivery });
export const history = record({ deliveries: list(delivery) });
/** Number of the last cleared entry; numbering continues after it. */
export const cleared = record({ last: number });

const signedFields = { provider: text, scheme: text, fields: list(text) };
export const signArgs = record(signedFields);
export const releaseArgs = record({ ...signedFields, host: text, ticket: text });
export const matchArgs = record({
  provider: text,
  jobs: list(
    record({
      scheme: text,
      field: text,
      variant: words,
      algorithm: (value): Algorithm | "" => (value === "" ? "" : algorithm(value)),
      message: list(number),
      presented: list(number),
    }),
  ),
});

/** The clock trait. */
export const clock = record({
  mode: oneOf("now", "fixed", "offset"),
  at: words,
  offset_s: or(number, 0),
});

export const traits = {
  provider: words,
  event: words,
  scheme: words,
  url: words,
  headers: some(namedText),
  clock: or<Clock>(clock, { mode: "now", at: "", offset_s: 0 }),
  verify_tls: or(flag, true),
  ca: words,
  locked: some(text),
  revision: words,
  signer: or(oneOf("browser", "kernel"), "browser"),
  signer_label: words,
};

export type Catalog = Read<typeof catalog>;
export type Confidence = Provider["confidence"];
export type Listed = Catalog["providers"][number];
export type Provider = Read<typeof provider>;
export type KeyFacts = Read<typeof keyFacts>;
export type Fault = Provider["faults"][number];
export type Header = Read<typeof header>;
export type Draft = Read<typeof draft>;
export type Signed = Read<typeof signed>;
export type Delivery = Read<typeof delivery>;
export type Clock = Read<typeof clock>;
