/**
 * Redacts a pasted text of any format (HAR, a curl command, a raw request, a printed dict) before the kernel parses
 * it.
 *
 * Every string of the text is searched for credentials as a request is. Each one found then counts as a secret, so
 * it is replaced wherever it occurs, in every form.
 */
import { textOf, utf8 } from "../../crypto/primitives.js";
import { type Original, redact as redactRequest } from "./index.js";
import { visible } from "./pieces.js";
import { inBody, inHead, keysOf, literal, type Place } from "./places.js";
import { MARKS } from "./unplaced.js";

/** Shorter credentials cannot be told from other text. */
const SHORTEST = 8;
const MOST = 500;
const NOTHING = new Uint8Array();
/** An apostrophe in prose has no closing quote; this bounds the search for one. */
const MOST_OPEN = 20;

export interface RedactedText {
  /** Null if a credential would remain in the text. */
  text: string | null;
  originals: Map<string, Original>;
  /** As in `Redacted`. */
  guessed: boolean;
}

/** Yields all strings of parsed JSON; a pair of name and value also as a header line. */
function* strings(value: unknown): Generator<string> {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") yield next;
    else if (next && typeof next === "object") {
      const { name, key, value: content } = next as Record<string, unknown>;
      yield `${name ?? key}: ${content}`;
      for (const [member, inner] of Object.entries(next)) {
        for (const one of [inner].flat())
          if (typeof one === "string" || typeof one === "number") yield `${member}: ${one}`;
        open.push(inner);
      }
      if (Array.isArray(next) && next.length === 2) yield `${next[0]}: ${next[1]}`;
    }
  }
}

/** Yields the quoted strings of a text in any language. */
function* quoted(text: string): Generator<string> {
  const start = /['"]/g;
  let unclosed = 0;
  for (let quote = start.exec(text); quote && unclosed < MOST_OPEN; quote = start.exec(text)) {
    let end = quote.index + 1;
    const mark = new RegExp(`[\\\\${quote[0]}]`, "g");
    for (mark.lastIndex = end; ; mark.lastIndex = end) {
      end = mark.exec(text)?.index ?? text.length;
      if (text[end] !== "\\") break;
      end += 2;
    }
    if (end >= text.length) unclosed += 1;
    else {
      yield text.slice(quote.index + 1, end);
      start.lastIndex = end + 1;
    }
  }
}

const BETWEEN = `(?:[${MARKS}]|value|array|string|b(?=['"])|\\d{1,6}(?=[\\])])){1,200}`;

/**
 * Yields header lines for names whose value is beside them without a colon: in tables, pairs, flat lists and on
 * alternating lines.
 */
function* headersWithoutColon(text: string, places: readonly Place[]): Generator<string> {
  const names = places.filter((place) => place.in === "header").map(({ name }) => literal(name));
  if (names.length === 0) return;
  const name = [...new Set(names)].join("|").replaceAll("-", "[-_]");
  const value = `[^${MARKS}][^"'\`“”\\]|\\r\\n]{${SHORTEST - 1},8000}`;
  const pair = new RegExp(`(?<![\\w-])(?:http[-_])?(${name})(?![\\w-])${BETWEEN}(${value})`, "gi");
  for (const [, header, content] of text.matchAll(pair)) yield `${header}: ${content}`;
}

/**
 * Yields values that stand beside the name of a member of JSON or of a parameter, wherever that is: a log has a body
 * behind a prefix on each line, in quotes, or as a string inside of JSON.
 */
function* valuesByName(text: string, places: readonly Place[]): Generator<string> {
  const names = places
    .filter((place) => place.in !== "header")
    .map((place) => (place.in === "json" ? (keysOf(place.name).at(-1) as string) : place.name))
    .filter((name) => name !== "")
    .map(literal);
  if (names.length === 0) return;
  const name = `(?<![\\w-])(?:${[...new Set(names)].join("|")})`;
  const member = `${name}(\\\\*)["']\\s*(?::|=>)\\s*\\1["']([^"'\\n]{${SHORTEST},8000}?)\\1["']`;
  for (const [, , value] of text.matchAll(new RegExp(member, "g"))) yield value as string;
  const parameter = `${name}=([^&\\s"'\\\\<>]{${SHORTEST},8000})`;
  for (const [, value] of text.matchAll(new RegExp(parameter, "g"))) yield value as string;
}

/** A command of HTTPie, whose words are headers, parameters and members of the body. */
const HTTPIE = /^\s*(?:[$%>#] *)?(?:[\w./-]*\/)?(?:https?|xhs?)[ \t\\]/;

/** Yields each word of such a command as a header, parameter or JSON. */
function* items(text: string): Generator<string> {
  let before = "";
  for (const [word] of text.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)) {
    const item = word.replace(/['"]/g, "");
    yield `${before.endsWith(":") ? before : ""}${item.replace("==", "=")}`;
    const [, name, value] = /^([^=:]{1,200})=([^=][\s\S]*)$/.exec(item) ?? [];
    if (name && value) yield JSON.stringify({ [name]: value });
    before = item;
  }
}

const VALUE = `(?:'([^']+)'|"([^"]+)"|([^\\s'"]+))`;
/** Options whose value a program sends as Authorization. */
const OPTIONS: readonly [RegExp, RegExp][] = [
  [
    /\bcurl\b/,
    argument("-[A-Za-z]*?u(?:[\\s\\\\]+|(?=['\"]|[^\\s:'\"]+:))|--(?:user|oauth2-bearer)[\\s=\\\\]+"),
  ],
  [/\b(?:https?|xhs?)[ \t\\]/, argument("-[A-Za-z]*?a[\\s\\\\]*|--auth[\\s=\\\\]+")],
  [/\bwget\b/, argument("--(?:http-)?password[\\s=\\\\]+")],
  [/SecureString/i, argument("ConvertTo-SecureString(?:\\s+-String)?\\s+", "gi")],
  [/@/, /:\/\/[^\s'"/@:]{0,200}:()()([^\s'"/@]+)(?=@)/g],
];
function argument(options: string, flags = "g") {
  return new RegExp(`(?<![\\w-])(?:${options})${VALUE}`, flags);
}

/** Yields what a command sends as Authorization without naming that header. */
function* credentialArguments(text: string): Generator<string> {
  for (const [program, options] of OPTIONS)
    if (program.test(text))
      for (const [, single, double, plain] of text.matchAll(options)) {
        const value = single || double || plain || "";
        yield value.slice(value.indexOf(":") + 1);
      }
}

/** Yields every part of the text that may be headers, a URL or a body. */
function* parts(text: string, places: readonly Place[]): Generator<string> {
  if (HTTPIE.test(text)) yield* items(text);
  else {
    yield text;
    // Line ends of a request in quotes or on one line.
    if (/\\(?:n|u000a)/i.test(text)) yield text.replace(/\\(?:[rn]|u000[ad])/gi, "\n");
    yield* headersWithoutColon(text, places);
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Another format.
  }
  if (parsed !== undefined) {
    yield* strings(parsed);
    return;
  }
  const blank = /\r?\n\r?\n/.exec(text);
  if (blank) yield text.slice(blank.index + blank[0].length);
  const cmd = /\^["\r\n]/.test(text) ? text.replace(/\^([\s\S])/g, "$1") : text;
  for (const inner of quoted(cmd)) {
    yield inner;
    if (inner.includes("\\")) yield inner.replace(/\\(['"\\/])/g, "$1");
  }
  if (text.includes("`"))
    // of PowerShell
    for (const [, inner] of text.matchAll(/"((?:[^"`]|`[\s\S]|"")*)"/g))
      yield (inner as string).replace(/`([\s\S])|"(")/g, "$1$2");
}

export function redactText(
  text: string,
  places: readonly Place[],
  secrets: readonly string[],
  mark: () => string,
): RedactedText {
  const credentials = new Set<string>();
  let short = false;
  const texts = [...new Set([text, visible(text)])];
  // A set: a text of nothing but quotes yields the same part a hundred thousand times.
  for (const part of new Set(texts.flatMap((each) => [...parts(each, places)]))) {
    if (credentials.size > MOST) break;
    const bytes = utf8(part);
    for (const url of [true, false])
      for (const edit of [...inHead(bytes, places, url), ...(url ? inBody(bytes, places) : [])]) {
        const value = textOf(edit.raw).trim();
        if (value.length >= SHORTEST) credentials.add(value);
        else if (value !== "") short ||= !texts.includes(part);
      }
  }
  for (const each of texts) for (const value of valuesByName(each, places)) credentials.add(value);
  if (credentials.size > MOST) return { text: null, originals: new Map(), guessed: false };
  if (places.some(({ name }) => name.toLowerCase() === "authorization"))
    for (const value of texts.flatMap((each) => [...credentialArguments(each)])) {
      if (value.length >= SHORTEST) credentials.add(value);
      else short ||= value !== "";
    }
  const request = { url: "", method: "", headers: text, body: NOTHING, sent: null, publicKey: "" };
  const {
    request: safe,
    originals,
    guessed,
    blocked,
  } = redactRequest(request, HTTPIE.test(text) ? [] : places, secrets, mark, places, [...credentials]);
  return { text: blocked || short ? null : safe.headers, originals, guessed };
}
