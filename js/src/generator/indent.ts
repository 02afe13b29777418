/** Indents JSON token by token: numbers, escapes and duplicate keys stay as they are. */

/** Maximum length to show; browsers take long to lay out more. */
const MOST_SHOWN = 200_000;
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** Returns the indented text, or the reason why there is none. */
export function indented(text: string): { text: string } | { reason: string } {
  if (text.length > MOST_SHOWN) return { reason: "The payload is too large to be shown indented." };
  try {
    JSON.parse(text);
  } catch {
    return { reason: "The payload is not valid JSON." };
  }
  const parts: string[] = [];
  let depth = 0;
  let size = 0;
  let before = "";
  const append = (part: string) => {
    parts.push(part);
    size += part.length;
  };
  for (const [token] of text.matchAll(TOKEN)) {
    const closes = token === "}" || token === "]";
    const opened = before === "{" || before === "[";
    if (closes) depth -= 1;
    if (closes ? !opened : opened || before === ",") append(`\n${"  ".repeat(depth)}`);
    append(token === ":" ? ": " : token);
    if (token === "{" || token === "[") depth += 1;
    before = token;
    // Deep nesting can make a short text very long.
    if (size > 2 * MOST_SHOWN) return { reason: "The payload is nested too deeply to be shown indented." };
  }
  return { text: parts.join("") };
}
