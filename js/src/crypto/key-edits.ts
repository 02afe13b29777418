/**
 * Common copy and paste mistakes in a secret, which a diagnosis tries to undo.
 *
 * The kernel makes the same edits; both sides are tested from `tests/vectors/primitives.json`.
 */
import { base64, bytesToHex, sha256Hex, utf8 } from "./primitives.js";

/** White space, and a byte order mark that an editor may have inserted. */
const BLANKS = /^[ \t\n\r\v\f\u00a0\ufeff]+|(?<![ \t\n\r\v\f\u00a0\ufeff])[ \t\n\r\v\f\u00a0\ufeff]+$/g;
/** Of strings, of HTML, and $$ of Docker Compose. */
const ESCAPE = /\\([ntr"\\$/])|&(amp|lt|gt|quot|#39);|\$\$/g;
const CONTROLS: Record<string, string> = { n: "\n", t: "\t", r: "\r" };
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** Decodes percent escapes; invalid UTF-8 becomes U+FFFD, an incomplete escape stays. */
function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => {
    const bytes = run.slice(1).split("%");
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return decoder.decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
  });
}

function standardBase64(text: string): string {
  const body = text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  return body.padEnd(body.length + ((4 - (body.length % 4)) % 4), "=");
}

/** Removes what may be around a secret in a file or header, and undoes what a chat or editor did to it. */
function unwrapped(text: string): string {
  let name = NAME;
  text = text.replace(INSIDE, "").replace(DASH, "-").replace(COMMENT, "");
  for (let n = 0; n < MAX_WRAPPERS; n++) {
    const before = text;
    text = text.replace(INVISIBLE, "").replace(TAIL, "").replace(SCHEME, "");
    if (name.test(text)) {
      text = text.replace(name, "");
      name = SCHEME; // only one: the secret itself may have a =
    }
    text = QUOTED.exec(text)?.[2] ?? text;
    if (text === before) break;
  }
  return text;
}

/** Decodes the base64 of a text, also several times, and cuts off the line end of echo. */
function base64Decoded(text: string): string {
  for (let n = 0; n < MAX_WRAPPERS; n++) {
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4) break;
    const decoded = atob(text);
    if (!/^[\r\n -~]+$/.test(decoded) || btoa(decoded) !== text) break;
    text = decoded.replace(/^[\r\n]+|(?<![\r\n])[\r\n]+$/g, "");
  }
  return text;
}

const MAX_WRAPPERS = 5;
const INSIDE = /[\r\n\u00ad\u200b\u2060\ufeff]/g;
const DASH = /[\u2010-\u2015\u2212]/g;
const COMMENT = /(?<![ \t])[ \t]+#[ \t].*$/;
const INVISIBLE =
  /^[ \t\n\r\v\f\u00a0\ufeff\u200b\u2060]+|(?<![ \t\n\r\v\f\u00a0\ufeff\u200b\u2060])[ \t\n\r\v\f\u00a0\ufeff\u200b\u2060]+$/g;
/** It begins at the begin of a run only, so that no part of a long one is searched again. */
const TAIL = /(?<!\\r|\\n|[,;. \t\n\r\v\f])(?:\\r|\\n|[,;. \t\n\r\v\f])+$/;
const SCHEME = /^(?:bearer|basic|token|-) +/i;
const NAME =
  /^(?:(?:export|set|const|let|var) +|\$env:)?["']?[a-z_][a-z0-9_.-]*["']? *[=:] *(?=[^= \t\n\r\v\f])/i; // not of padding
const QUOTED = /^[bru]{0,2}(\\?["'`]|[\u201c\u2018<[({])(.+)(?:\1|[\u201d\u2019>\])}])$/is;

const EDITS = {
  trim: (text: string) => text.replace(BLANKS, ""),
  "add-newline": (text: string) => `${text}\n`,
  "add-crlf": (text: string) => `${text}\r\n`,
  quote: (text: string) => `"${text}"`,
  unquote: (text: string) => /^(["'`])(.+)\1$/s.exec(text)?.[2] ?? text,
  unprefix: (text: string) => text.replace(/^(v1,)?[A-Za-z0-9]+_/, ""),
  prefix: (text: string, prefix: string) => (text.startsWith(prefix) ? text : prefix + text),
  unassign: (text: string) => text.replace(/^(export )?[A-Za-z_][A-Za-z0-9_]*\s*[=:]\s*/, ""),
  unescape: (text: string) =>
    text.replace(ESCAPE, (_, char?: string, entity?: string) =>
      char ? (CONTROLS[char] ?? char) : entity ? (ENTITIES[entity] as string) : "$",
    ),
  "percent-decode": percentDecoded,
  lower: (text: string) => text.toLowerCase(),
  upper: (text: string) => text.toUpperCase(),
  "to-base64": (text: string) => base64(utf8(text)),
  "to-hex": (text: string) => bytesToHex(utf8(text)),
  "sha256-hex": (text: string) => sha256Hex(utf8(text)),
  unpad: (text: string) => text.replace(/=+$/, ""),
  pad: (text: string, prefix: string) => {
    const length = text.length - (text.startsWith(prefix) ? prefix.length : 0);
    return text.padEnd(text.length + ((4 - (length % 4)) % 4), "=");
  },
  "url-safe": standardBase64,
  unwrap: unwrapped,
  "html-escape": (text: string) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  "restore-plus": (text: string) => text.replaceAll(" ", "+"),
  "add-space": (text: string) => `${text} `,
  "space-before": (text: string) => ` ${text}`,
  empty: () => "\0", // HMAC fills a short key with it: this is the empty one
  unbase64: base64Decoded,
};

export type KeyEdit = keyof typeof EDITS;

/** The text after an edit; the same text where the edit finds nothing to change. `prefix` is the provider's. */
export function edited(text: string, edit: string, prefix: string): string {
  if (!Object.hasOwn(EDITS, edit)) throw new Error("This page does not know that edit of a secret");
  return EDITS[edit as KeyEdit](text, prefix);
}
