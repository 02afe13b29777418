/** Fields of a received request: pasted headers and body, provider, clock and key. */

import { h, signal } from "../../lazy-exports.js";
import { WOULD_LEAVE } from "../../recordings.js";
import { headerLines, sentence } from "../../replies.js";
import type { Delivery } from "../../wire.js";
import { utcField } from "../provider/ClockTime.js";
import type { ToVerify, View } from "../view.js";
import { createBody } from "./Received.js";

/** Option among the providers: detect the provider from the headers. */
export const DETECT = "detect from headers";

/** Names of the parts of a pasted request in error messages. */
const PARTS: Record<string, string> = {
  url: "URL",
  method: "method",
  headers: "headers",
  body: "body",
  sent: "original body",
  publicKey: "public key",
};

const EMPTY = {
  /** Id of a provider, `DETECT`, or "" for that of the inputs. */
  provider: "",
  headers: "",
  url: "",
  method: "POST",
  when: "now",
  at: "",
  /** In seconds; "" for the provider's default. */
  tolerance_s: "",
  /** Public key. */
  key: "",
};
type Name = keyof typeof EMPTY;

/** Fields that show the errors about them themselves. */
const AT_FIELDS = ["headers", "tolerance_s"];

export type Fields = ReturnType<typeof createFields>;

/** Creates the fields; `onEdit` is called on every change. */
export function createFields({ state, id }: View, onEdit: () => void) {
  const values = signal(EMPTY);
  /** Name of the delivery whose request is shown. */
  const source = signal("");
  /** Notes on the missing parts of a recording. */
  const notes = signal<string[]>([]);
  /** The rejected delivery whose request is shown unchanged, if it is one. */
  const rejected = signal<Delivery | null>(null);
  /** Reason why there is no verdict; `field` is "" unless it is shown at its field. */
  const failure = signal({ text: "", field: "" });
  const onChange = () => {
    rejected.set(null);
    onEdit();
  };
  const body = createBody(id("verify-body"), "Body", "Load body from file", onChange);
  const sent = createBody(id("verify-sent"), "Original body", "Load original body", onChange);

  const providerId = () => values().provider || state.inputs.provider();
  const detecting = () => providerId() === DETECT;
  const provider = () => (detecting() ? null : state.providerOf(providerId()));
  /** Returns a handler that sets a value. */
  const setter = (name: Name) => (value: string) => {
    values.set({ ...values(), [name]: value });
    onChange();
  };

  return {
    values,
    source,
    rejected,
    notes,
    failure,
    fail({ message, field = "" }: Error & { field?: string }) {
      failure.set({ text: message, field: AT_FIELDS.includes(field) ? field : "" });
    },
    body,
    sent,
    providerId,
    detecting,
    provider,
    takesPublicKey: () => detecting() || provider()?.key.type === "key-pair",
    setter,
    /** Returns the properties of the text field of a value. */
    text: (name: Name) => ({
      id: id(`verify-${name}`),
      value: values()[name],
      onText: setter(name),
      ...(failure().field === name && {
        invalid: true,
        hint: h("span", { class: "hw-bad" }, sentence(failure().text)),
      }),
    }),
    fill(request: ToVerify) {
      values.set({
        ...values(),
        provider: request.provider,
        headers: headerLines(request.headers),
        url: request.url,
        method: request.method,
        when: request.at ? "at" : "now",
        at: utcField(request.at),
      });
      source.set(request.origin ?? "");
      notes.set(request.notes ?? []);
      sent.load(null);
      body.load(request.body && { name: request.name, bytes: request.body });
      rejected.set(request.rejected ?? null);
    },
  };
}

/**
 * Returns the pasted request, redacted in the vault. With a secret in the kernel nothing is redacted, because the
 * kernel compares it.
 *
 * @throws {Error} if a part would still contain a secret of this tab.
 */
export async function redactedRequest({ state }: View, fields: Fields) {
  const { url, method, headers, key } = fields.values();
  const sent = fields.sent.bytes();
  const request = {
    url,
    method,
    headers,
    body: fields.body.bytes(),
    sent: sent.length > 0 ? sent : null,
    publicKey: (fields.takesPublicKey() && key.trim()) || "",
  };
  if (state.inputs.signer() === "kernel") return request;
  const places = fields.detecting()
    ? state.catalog()?.credentials
    : fields.provider()?.schemes.flatMap(({ credentials }) => credentials);
  const { request: safe, blocked } = await state.vault.request("redact", { request, places: places ?? [] });
  if (safe) return safe;
  const error = new Error(
    `Not verified: the ${PARTS[blocked ?? ""] ?? "request"} may contain a secret that ${WOULD_LEAVE}`,
  );
  throw Object.assign(error, { field: blocked });
}

/** Returns the arguments of a `verify` or `diagnose` request. */
export function requestArgs(fields: Fields, request: Awaited<ReturnType<typeof redactedRequest>>) {
  const { when, at, tolerance_s } = fields.values();
  const seconds = Number(tolerance_s);
  return {
    provider: fields.detecting() ? "" : fields.providerId(),
    url: request.url,
    method: request.method,
    headers_text: request.headers,
    now: when === "at" && at ? `${at}Z` : null,
    // Omitted rather than null, because Pyodide does not convert null to None.
    // The kernel rejects what is no finite number; as a number, JSON would make null of it.
    ...(tolerance_s.trim() && { tolerance_s: Number.isFinite(seconds) ? seconds : tolerance_s }),
    public_key: request.publicKey || null,
  };
}
