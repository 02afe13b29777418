/**
 * Decodes requests that a pasted text shows in pieces: the hex digits and cut lines of curl's traces, and the base64
 * of Burp's items.
 *
 * The kernel joins the pieces, so a credential across them would leave the tab. They cannot be replaced where they
 * stand: a text with one is not sent.
 */

const SENT = /=> Send (?:header|data), \d{1,9} bytes/;
const ROW = /^([0-9a-f]{4,8}):(?: (.*))?$/;
/** Bytes of a line of `curl --trace`, and of `curl --trace-ascii`. */
const DIGITS = /^(?:[0-9a-f]{2} ){1,16}/;
const WIDTH = 64;
const ITEM = /base64="true">\s{0,9}<!\[CDATA\[([A-Za-z0-9+/=\s]*)\]\]>/g;

const bytesOf = (digits: string) =>
  String.fromCharCode(
    ...digits
      .trim()
      .split(" ")
      .map((two) => parseInt(two, 16)),
  );

/** Yields the requests that are hidden in a text, one character for each byte. */
export function* dumped(text: string): Generator<string> {
  if (SENT.test(text)) yield* traced(text.split(/\r\n|\r|\n/));
  if (text.includes('base64="true"'))
    for (const [, digits] of text.matchAll(ITEM)) {
      try {
        yield atob((digits as string).replace(/\s+/g, ""));
      } catch {
        // not base64, so the kernel reads nothing either
      }
    }
}

/** Yields what a trace shows as sent: its bytes from hex digits, and its lines joined where curl cut them. */
function* traced(lines: string[]): Generator<string> {
  let fromDigits = "";
  let fromText = "";
  let isSent = false;
  let [end, cut] = [0, false];
  for (const line of lines) {
    const row = ROW.exec(line);
    if (SENT.test(line)) isSent = true;
    else if (!row) isSent = false;
    else if (isSent) {
      const [, offset, shown = ""] = row;
      const start = Number.parseInt(offset as string, 16);
      fromText += (fromText === "" || cut || start === end ? "" : "\r\n") + shown;
      [end, cut] = [start + shown.length, shown.length >= WIDTH];
      fromDigits += bytesOf(DIGITS.exec(`${shown} `)?.[0] ?? "");
    }
  }
  yield fromDigits;
  yield fromText;
}
