/** Finds credentials by location, whatever their value. */
import { base64, textOf, utf8 } from "../../crypto/primitives.js";
import { bytesOf, type Edit, escaped, latin1, percent, plain } from "./views.js";

/** Location of a provider's credential in its requests. */
export interface Place {
  in: "header" | "query" | "json" | "form" | "multipart";
  /** Header name, parameter name, part name, or JSON pointer. */
  name: string;
  /** The value with `{}` in place of the credential. */
  template: string;
  encoding: "text" | "base64";
}

export const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
/** Normalizes a name: case does not matter, and frameworks write `-` as `_` and append `[]`. */
const folded = (name: string) => name.trim().toLowerCase().replaceAll("_", "-").replace(/\[\]$/, "");
/** Names as bytes, one character each, like the text that is searched. */
const asBytes = (text: string) => latin1(utf8(text));

/** A location with its compiled template. */
interface Known extends Place {
  /** Pattern of the text before the credential, and of the credential; null for a template without one. */
  shape: RegExp | null;
}
type Names = ReadonlyMap<string, readonly Known[]>;

/** Groups locations by name, longest template first, since `{}` matches everything. */
function byName(places: readonly Place[]): Names {
  const names = new Map<string, Known[]>();
  for (const place of [...places].sort((a, b) => b.template.length - a.template.length)) {
    const [before = "", after] = asBytes(place.template)
      .split("{}")
      .map((part) => literal(part).replace(/\s+$/, "\\s+(?=\\S)").replace(/\s+/g, "\\s+"));
    const shape = after === undefined ? null : new RegExp(`^(${before})(.+)${after}$`, "is");
    const name = folded(asBytes(place.name));
    names.set(name, [...(names.get(name) ?? []), { ...place, shape }]);
  }
  return names;
}

/** Returns the range of the credential in a value; the whole value if no template matches. */
function inTemplate(
  text: string,
  start: number,
  end: number,
  places: readonly Known[],
): [number, number, Place?] {
  const value = text.slice(start, end);
  for (const place of places) {
    const credential = place.shape?.exec(value);
    if (!credential) continue;
    const from = start + (credential[1] as string).length;
    const to = from + (credential[2] as string).length;
    if (place.encoding === "text" || isBase64(text.slice(from, to))) return [from, to, place];
  }
  return [start, end];
}

const isBase64 = (text: string) => {
  const length = text.replace(/=+$/, "").length;
  return /^[\w+/-]+={0,2}$/.test(text) && length % 4 !== 1;
};

/** Creates the edit that replaces the bytes from `start` to `end`, in their encoding. */
function credential(
  bytes: Uint8Array,
  start: number,
  end: number,
  place: Place | undefined,
  text?: Uint8Array,
): Edit {
  const edit = plain(bytes, start, end, text);
  if (place?.encoding !== "base64") return edit;
  const digits = latin1(edit.raw).replace(/=+$/, "");
  const standard = digits.replaceAll("-", "+").replaceAll("_", "/");
  const decoded = bytesOf(atob(standard));
  const padded = digits.length % 4 === 0 || digits.length < edit.raw.length;
  const encode = (placeholder: string) => {
    const encoded = base64(bytesOf(placeholder));
    return padded ? encoded : encoded.replace(/=+$/, "");
  };
  return {
    ...edit,
    text: edit.raw,
    inner: plain(decoded, 0, decoded.length),
    kind: `whole${padded} `,
    encode,
  };
}

/** Adds an edit for the value from `start` to `end`, without surrounding blanks. */
function add(
  edits: Edit[],
  bytes: Uint8Array,
  text: string,
  [start, end]: [number, number],
  places: readonly Known[],
  read?: (value: Uint8Array) => Uint8Array,
) {
  let [from, to] = [start, end];
  while (from < to && text.charCodeAt(from) <= 32) from += 1;
  while (to > from && text.charCodeAt(to - 1) <= 32) to -= 1;
  if (from === to) return;
  const [a, b, place] = inTemplate(text, from, to, places);
  edits.push(credential(bytes, a, b, place, read?.(bytes.subarray(a, b))));
}

/** Line ends of Python's `str.splitlines`, as UTF-8 bytes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they end a line for the kernel
const LINE = /\r\n|[\n\r\v\f\x1c-\x1e]|\xc2\x85|\xe2\x80[\xa8\xa9]/g;

/** Returns the line that begins at `start`: its end, the start of the next one, and its indentation. */
function lineAt(text: string, start: number) {
  LINE.lastIndex = start;
  const lineEnd = LINE.exec(text);
  const end = lineEnd?.index ?? text.length;
  INDENT.lastIndex = start;
  const indent = Math.min((INDENT.exec(text) as RegExpExecArray)[0].length, end - start);
  return { start, end, next: lineEnd ? LINE.lastIndex : text.length, indent };
}
const INDENT = /(?:[<>] )?[ \t]*/y;

/** Returns the end of the quoted text that begins at `start`. */
function quoteEnd(text: string, start: number, end: number): number {
  let i = start + 1;
  while (i < end && text[i] !== text[start]) i += text[i] === "\\" ? 2 : 1;
  return Math.min(i, end);
}

const QUOTES = "\"'";
/** A value that is alone in a list. */
const LIST = /\[\s*(["']?)([^\s"'[\]\\]{8,})\1\s*\](?=[\s,\])}]|$)/y;
/** Text after the quote that ends a header: a bracket, or after blanks an option, another header or a URL. */
const FOLLOWS = /^.(?:$|[)\]}]|[\s,;]+(?:$|[-\\^]|["']?[\w-]+:))/;

function inHeaders(bytes: Uint8Array, text: string, places: Names): Edit[] {
  const edits: Edit[] = [];
  const names = [...places.keys()].map((name) => literal(name).replaceAll("-", "[-_]")).join("|");
  const header = new RegExp(`(^|[^\\w-])(?:http[-_])?(${names})(["']?)\\]?[ \\t]*(?::|=>?)`, "gi");
  for (let line = lineAt(text, 0); ; line = lineAt(text, line.next)) {
    const content = text.slice(line.start, line.end);
    header.lastIndex = 0;
    for (let field = header.exec(content); field; field = header.exec(content)) {
      const candidates = places.get(folded(field[2] as string)) ?? [];
      const start = line.start;
      let from = start + header.lastIndex;
      while (text[from] === " ") from += 1;
      LIST.lastIndex = from;
      const [, listed, value] = LIST.exec(text) ?? [];
      const before = start + field.index;
      const quote = !field[3] && QUOTES.includes(text[before] as string) ? before : from;
      const sign = text[quote] as string;
      let to = 0;
      // Brackets or quotes that are not in pairs may belong to the value.
      if (value && (listed || content.split("[").length === content.split("]").length)) {
        from = text.indexOf(value, from);
        to = from + value.length;
      } else if (QUOTES.includes(sign)) {
        to = quoteEnd(text, quote, line.end);
        const rest = text.slice(to, line.end);
        if (!field[3] && !(field.index && FOLLOWS.test(rest) && rest.split(sign).length % 2 === 0)) to = 0;
        else if (quote === from) from += 1;
      }
      if (!to) {
        to = line.end;
        // The continuation lines of a folded value are indented more.
        for (let more = line; more.next < text.length; line = more, to = more.end) {
          more = lineAt(text, more.next);
          if (more.indent <= line.indent || more.start + more.indent === more.end) break;
          more.indent = line.indent;
        }
      }
      add(edits, bytes, text, [from, to], candidates);
      header.lastIndex = to - start;
    }
    if (line.next >= text.length) return edits;
  }
}

/** Percent-decodes a parameter value completely, not only near an escape. */
function percentDecoded(bytes: Uint8Array): Uint8Array {
  const text = latin1(bytes).replaceAll("+", " ");
  return bytesOf(
    text.replace(/%[\da-f]{2}/gi, (pair) => String.fromCharCode(Number.parseInt(pair.slice(1), 16))),
  );
}

/** Finds parameters of a query or a form; a value ends at a match of `ends`. */
function inParameters(bytes: Uint8Array, text: string, places: Names, ends: RegExp): Edit[] {
  const edits: Edit[] = [];
  const parameter = /(?:^|[?&;#\s])([^?&;#=\s]*)=/g;
  for (let pair = parameter.exec(text); pair; pair = parameter.exec(text)) {
    const rawName = pair[1] as string;
    const name = /[%+]/.test(rawName) ? latin1(percentDecoded(bytesOf(rawName))) : rawName;
    const candidates = places.get(folded(name));
    // The delimiter before the next name may be the one after this value.
    if (!candidates) continue;
    ends.lastIndex = parameter.lastIndex;
    const end = ends.exec(text)?.index ?? text.length;
    add(edits, bytes, text, [parameter.lastIndex, end], candidates, percentDecoded);
    parameter.lastIndex = end;
  }
  return edits;
}

function inParts(bytes: Uint8Array, text: string, places: Names): Edit[] {
  const edits: Edit[] = [];
  const boundary = /(?:^|\n)(--[^\r\n]{1,200})/.exec(text);
  if (!boundary) return edits;
  const delimiter = `\n${(boundary[1] as string).trimEnd()}`;
  let start = boundary.index + (boundary[0] as string).length;
  while (start < text.length) {
    const following = text.indexOf(delimiter, start);
    const end = following < 0 ? text.length : following;
    const part = text.slice(start, end);
    const blank = /\r?\n\r?\n/.exec(part);
    const head = part.slice(0, blank?.index ?? 0);
    const named = /;\s*name\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(head);
    const name = folded(named?.[1] ?? named?.[2] ?? "");
    const candidates = places.get(name);
    if (blank && candidates) {
      const edge = start + blank.index + blank[0].length;
      add(edits, bytes, text, [edge, end], candidates);
    }
    start = end + delimiter.length;
  }
  return edits;
}

/** Decodes a JSON string. */
function jsonDecoded(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(BACKSLASH)) return bytes;
  try {
    return utf8(JSON.parse(`"${textOf(bytes)}"`));
  } catch {
    return escaped(bytes)?.bytes ?? bytes;
  }
}

/** Walks the JSON value at `at`, valid or not, and reports the value at the path. */
function walk(
  bytes: Uint8Array,
  at: number,
  path: readonly string[],
  report: (start: number, end: number) => void,
) {
  /** For each open container, how many names of the path lead to it, or -1. */
  const open: { array: boolean; matches: number; index: number }[] = [];
  const after = (matches: number, name: string) =>
    matches >= 0 && path[matches]?.toLowerCase() === name.toLowerCase() ? matches + 1 : -1;
  let matches = 0;
  let key = false;
  let i = at;
  /** Start of the container at the path, while it is open. */
  let start = 0;
  let level = -1;
  const atPath = () => level < 0 && matches === path.length;
  for (; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    const top = open.at(-1);
    if (byte === QUOTE) {
      const from = i;
      for (i += 1; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i += 1;
      if (key && top) matches = after(top.matches, latin1(jsonDecoded(bytes.subarray(from + 1, i))));
      else if (atPath()) report(from, Math.min(i + 1, bytes.length));
    } else if (byte === 0x7b || byte === 0x5b) {
      if (atPath()) {
        level = open.length;
        start = i;
      }
      key = byte === 0x7b;
      open.push({ array: !key, matches: level < 0 ? matches : -1, index: 0 });
      matches = key ? -1 : after(level < 0 ? matches : -1, "0");
    } else if (byte === 0x7d || byte === 0x5d) {
      open.pop();
      if (open.length === level) {
        report(start, i + 1);
        level = -1;
      }
      if (open.length === 0) return i + 1;
      matches = -1;
    } else if (byte === 0x2c && top) {
      key = !top.array;
      top.index += 1;
      matches = key ? -1 : after(top.matches, String(top.index));
    } else if (byte === 0x3a) key = false;
    else if (byte > 32 && atPath()) {
      const from = i;
      while (i < bytes.length && !ENDS.has(bytes[i] as number)) i += 1;
      report(from, i);
      i -= 1;
    }
  }
  if (level >= 0) report(start, i);
  return i;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Characters that end a number or a word: blanks, comma and closing brackets. */
const ENDS = new Set([9, 10, 13, 32, 0x2c, 0x5d, 0x7d]);

/** Creates an edit that replaces a JSON value other than a string by a string. */
function quotedValue(bytes: Uint8Array, start: number, end: number): Edit {
  const inner = plain(bytes, start, end);
  return { ...inner, inner, kind: "quoted ", encode: (placeholder) => `"${placeholder}"` };
}

/** The keys of a JSON pointer, or of a path with dots. */
export function keysOf(name: string): string[] {
  return name.startsWith("/")
    ? name
        .slice(1)
        .split("/")
        .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
    : name.split(".");
}

function inJson(bytes: Uint8Array, places: readonly Place[]): Edit[] {
  const edits: Edit[] = [];
  const text = latin1(bytes);
  for (const place of places) {
    const path = keysOf(asBytes(place.name));
    const known = byName([place]).values().next().value as readonly Known[];
    const root = /(?:^|[\n=])(?:\xef\xbb\xbf)?[ \t]*(?=[{[])/g;
    for (let value = root.exec(text); value; value = root.exec(text)) {
      root.lastIndex = walk(bytes, root.lastIndex, path, (start, end) => {
        if (bytes[start] === QUOTE) {
          const close = end > start + 1 && bytes[end - 1] === QUOTE ? 1 : 0;
          add(edits, bytes, text, [start + 1, end - close], known, jsonDecoded);
        } else if (!/^(?:null|true|false)$/.test(text.slice(start, end)))
          edits.push(quotedValue(bytes, start, end));
      });
    }
  }
  return edits;
}

const FIELDS = ["form", "multipart"];

/** Finds credentials in headers or in a URL. */
export function inHead(bytes: Uint8Array, places: readonly Place[], url: boolean): Edit[] {
  const named = (kind: string) => byName(places.filter((place) => place.in === kind));
  const [headers, query] = [named("header"), named("query")];
  const text = latin1(bytes);
  const edits = inParameters(bytes, text, query, url ? /[&#]/g : /[&#\s]/g);
  return url || !headers.size ? edits : edits.concat(inHeaders(bytes, text, headers));
}

/** Finds credentials in a body. */
export function inBody(bytes: Uint8Array, places: readonly Place[]): Edit[] {
  const json = places.filter((place) => place.in === "json");
  const edits = inJson(bytes, json);
  const view = json.length > 0 ? percent(bytes) : null; // a form may hold JSON
  if (view) edits.push(...inJson(view.bytes, json).map(view.lift));
  const fields = byName(places.filter((place) => FIELDS.includes(place.in)));
  if (!fields.size || /^\s*[{[<]/.test(latin1(bytes.subarray(0, 99)))) return edits;
  const text = latin1(bytes);
  return edits.concat(inParts(bytes, text, fields), inParameters(bytes, text, fields, /&/g));
}

/** True if a JSON credential cannot be found, because the body is in UTF-16 or UTF-32. */
export function hidesCredential(bytes: Uint8Array, places: readonly Place[]): boolean {
  const wide = /^(?:\xff\xfe|\xfe\xff|.?\0)/s.test(latin1(bytes.subarray(0, 2)));
  return wide && places.some((place) => place.in === "json");
}
