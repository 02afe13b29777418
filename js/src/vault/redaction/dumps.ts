/**
 * Decodes requests that a pasted text shows in pieces: the hex digits and cut lines of curl's traces, and the base64
 * of Burp's items.
 *
 * The kernel joins the pieces in the same way, so a credential across them would leave the tab. They cannot be
 * replaced where they stand: a text with one is not sent.
 */

const WAYS = "(?:=> Send|<= Recv) (?:header|data), ";
const SECTION = new RegExp(
  "^(?:\\d\\d:\\d\\d:\\d\\d\\.\\d{1,9} )?(?:\\[[\\w-]{1,40}\\] )?" +
    "(=> Send|<= Recv) (header|data), (\\d{1,9}) bytes \\(0x[0-9a-f]{1,8}\\)[ \\t]*$",
);
/** A trace in quotes, in another text or with something before each line, too. */
const ANYWHERE = new RegExp(WAYS);
const ROW = /^([0-9a-f]{4,8}):(?: (.*))?$/s;
const DIGITS = /^[0-9a-f]{2}$/;
/** Bytes of a line of `curl --trace`, and of `curl --trace-ascii`. */
const [HEX_BYTES, TEXT_BYTES] = [16, 64];
const ITEM = /base64="true">\s{0,9}<!\[CDATA\[([A-Za-z0-9+/=\s]*)\]\]>/g;
const ANY_ITEM = /base64\s{0,9}=\s{0,9}[^\w\s]{0,2}true/g;

/** Bytes that were sent or received at once, and their number; each line has its offset and its text. */
interface Section {
  way: string;
  kind: string;
  size: number;
  rows: [number, string][];
}

/** Returns the requests and responses that a text shows in pieces, one character for each byte; null if not sure. */
export function dumped(text: string): string[] | null {
  const sections = ANYWHERE.test(text) ? sectionsOf(text.trim().split(/\r\n|\r|\n/)) : [];
  const items = [...text.matchAll(ITEM)].map(([, digits]) => (digits as string).replace(/\s+/g, ""));
  if (sections === null || items.length !== [...text.matchAll(ANY_ITEM)].length) return null;
  try {
    return [...traced(sections), ...items.map(atob)];
  } catch {
    return null;
  }
}

/** Returns the sections of a trace; null if a line shows that something is before or behind them. */
function sectionsOf(lines: string[]): Section[] | null {
  const sections: Section[] = [];
  let open: Section | null = null;
  for (const line of lines) {
    const [, way = "", kind = "", size] = SECTION.exec(line) ?? [];
    const [, offset, shown = ""] = ROW.exec(line) ?? [];
    if (way) {
      open = { way, kind, size: Number(size), rows: [] };
      sections.push(open);
    } else if (ANYWHERE.test(line)) return null;
    else if (open && offset) open.rows.push([Number.parseInt(offset, 16), shown]);
    else open = null;
  }
  return sections;
}

/** Yields the bytes of each way, of its heads and of its bodies, read from the digits and from the text. */
function* traced(sections: Section[]): Generator<string> {
  for (const way of ["=> Send", "<= Recv"])
    for (const kinds of [["header"], ["data"], ["header", "data"]])
      for (const read of [fromDigits, fromText]) {
        const whole = sections.filter((section) => section.way === way && kinds.includes(section.kind));
        if (whole.length) yield whole.map(read).join("");
      }
}

const fromDigits = ({ rows, size }: Section) =>
  rows
    .flatMap(([offset, shown]) => {
      const count = Math.max(0, Math.min(HEX_BYTES, size - offset));
      const words = shown.split(" ").filter(Boolean).slice(0, count);
      return words
        .filter((word) => DIGITS.test(word))
        .map((two) => String.fromCharCode(Number.parseInt(two, 16)));
    })
    .join("");

/** A line that ends before the next offset had a line end, or lost its blanks. */
const fromText = ({ rows, size, kind }: Section) =>
  rows
    .map(([offset, shown], n) => {
      const end = rows[n + 1]?.[0] ?? size;
      const length = [...shown].length;
      let lost = end - offset - length;
      // Someone wrote another text here.
      if (lost < 0 || lost > TEXT_BYTES)
        lost = length < TEXT_BYTES && (end < size || kind === "header") ? 2 : 0;
      return shown + (lost >= 2 ? `${" ".repeat(lost - 2)}\r\n` : " ".repeat(lost));
    })
    .join("");
