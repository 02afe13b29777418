/**
 * Searches a redacted text for names of credential headers whose value was not found.
 *
 * Anything may stand between a name and its value in a pasted text: a comment, a column, a bracket. So a placeholder
 * has to follow the name. If other text does that may be a credential, the text is not safe.
 */
import { textOf, utf8 } from "../../crypto/primitives.js";
import { visible } from "./pieces.js";
import type { Place } from "./places.js";
import { escaped, percent } from "./views.js";

/** Characters before and after a name in which its value may stand. */
const NEAR = 500;
/** More names without a value would take too long to search. */
const MOST = 500;
const MOST_VIEWS = 6;

/** Characters between a name and its value, and between values. */
export const MARKS = "\\s\"'`“”\\[\\](){}<>|,:=";
/** Text that may stand between the words of a name: other hyphens, blanks, marks, entities and tags. */
const JOINT = "(?:[^a-z]|[<&]\\w{1,9}[>;]|[ux](?=[{\\d])|(?<=2)d){0,9}";
/** Name of another header. */
const NAME = "(?:[a-z]+\\d{0,3}(?:-[a-z]*\\d{0,3})+|host|accept|cookie|date)";
/** A line of another header, a member with its value, and the name of any member. */
const OTHERS = new RegExp(
  `\\n[<>|*\\s-]*${NAME} *:.*|(?<![\\w-])${NAME}["'\`]?\\]? *(?::|=>?) *` +
    `(?:"[^"\\n]*"|'[^'\\n]*'|[^\\s"',\\])}]*)|\\b[a-z_]{8,}["']?\\s*(?::|=>)`,
  "gi",
);
/** A name in a list of names. */
const LONE = /^(?:x|accept|access|cache|content|user)[-_][a-z_-]+$/i;
/** Text before a name in the value of a header that lists names. */
const LIST = /\b(?:vary|access-control-[\w-]+)(?:\W|value)+(?:[\w-]+,\s*)*$/i;
/** Text before a word in the value of a member of a body. */
const MEMBER = /(?<!name|key|header)["']\s*:\s*["'][^"'\n]*$/i;
const RUN = new RegExp(`["'\`](?=\\w)[^"'\`\\n]{8,}["'\`]|[^${MARKS};]{8,}`, "g");

/** A credential, which may follow the name of its scheme, and no comment. */
const CERTAIN = /^(?:\W{0,9}[:=].{0,40}?|[\w-]+\s+)?(?=[\w.~+/=-]{8})\S{0,40}\d/;
/** A word, or text with a credential somewhere: only behind a colon is it the value. */
const LIKELY = /^\S{8,}$|(?=[\w-]{8})[\w-]{0,40}\d/;
const ASSIGNED = /^(?:\W|value)*[:=](?:\W|\d|array|string)*$/i;

/** Returns what stands for a text that was replaced: `mark` for a credential, with a hyphen for a likely one. */
export function standIn(replaced: string, mark: string): string {
  if (LONE.test(replaced)) return replaced;
  return CERTAIN.test(replaced) ? mark : LIKELY.test(replaced) ? `${mark}-` : " ";
}

/** Returns whether the first credential in a part of a text was replaced; null if there is none. */
function replacedFirst(part: RegExp, text: string, mark: string): boolean | null {
  const rest = (part.exec(text)?.[0] ?? "").replace(OTHERS, "");
  for (const { 0: run, index } of rest.matchAll(RUN)) {
    if (!run.includes(mark)) {
      if (!LONE.test(run)) return false;
    } else if (!run.includes(`${mark}-`) || ASSIGNED.test(rest.slice(0, index))) return true;
  }
  return null;
}

/** True if a value may still stand beside the name of a credential header; `mark` stands for those replaced. */
export function hasUnplaced(text: string, places: readonly Place[], mark: string): boolean {
  const headers = places.filter((place) => place.in === "header");
  if (headers.length === 0) return false;
  const names = headers.map(({ name }) => name.split(/[^a-z\d]+/i).join(JOINT)).join("|");
  const header = new RegExp(`(?<![\\w-])(?:_+|\\w*http[-_])?(?:${names})(?![a-z\\d]|[-_][a-z\\d])`, "gi");
  let open = 0;
  const views = [visible(text.normalize("NFKC"))];
  for (const view of views) {
    for (const { 0: name, index } of view.matchAll(header)) {
      const before = view.slice(Math.max(0, index - NEAR), index);
      const after = view.slice(index + name.length, index + name.length + NEAR);
      // A member of the same object may have the value before the name.
      if (replacedFirst(/\{[^{}]*$/, before, mark)) continue;
      const inside = LIST.test(before) || (/^[a-z]+$/i.test(name) && MEMBER.test(before));
      const follows = replacedFirst(inside ? /^[^"'\n]*/ : /[\s\S]*/, after, mark);
      if (follows) continue;
      if (follows === false || ++open > MOST) return true;
      if (!inside && replacedFirst(/(?:\{|value)[\s\S]*$|.*$/i, before, mark) === false) return true;
    }
    for (const decoded of [escaped, percent].map((decode) => textOf(decode(utf8(view))?.bytes ?? utf8(view))))
      if (views.length < MOST_VIEWS && !views.includes(decoded)) views.push(decoded);
  }
  return false;
}
