import assert from "node:assert/strict";
import { test } from "node:test";
import { redact } from "../../src/vault/redaction/index.js";
import type { Place } from "../../src/vault/redaction/places.js";
import { redactText } from "../../src/vault/redaction/recording.js";
import { hasUnplaced } from "../../src/vault/redaction/unplaced.js";
import { generator, marks, type Random, request } from "./redaction-support.js";

/** Headers of the catalogue that carry the credential itself. */
const HEADERS = [
  "X-Gitlab-Token",
  "X-Telegram-Bot-Api-Secret-Token",
  "Authorization",
  "X-Webhook-Secret",
  "X-Buildkite-Token",
  "X-Vapi-Secret",
  "x-callback-token",
  "verif-hash",
  "dg-token",
];
const places = (names: readonly string[]): Place[] =>
  names.flatMap((name) => [
    ...(name === "Authorization"
      ? ([
          { in: "header", name, template: "Bearer {}", encoding: "text" },
          { in: "header", name, template: "Basic {}", encoding: "base64" },
        ] as const)
      : []),
    { in: "header", name, template: "{}", encoding: "text" },
  ]);
const PLACES = places(HEADERS);
/** Not a secret: it stands in a header of its own. */
const SIGNATURE = "t=1788264000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd";

/** Texts with a name and its value, and something between them. */
const FORMS: Record<string, (name: string, between: string, value: string) => string> = {
  "header lines": (name, x, value) => `Host: a\n${name}: ${x}${value}\nX-Signature: ${SIGNATURE}`,
  "a name without a colon": (name, x, value) => `X-Signature: ${SIGNATURE}\n${name}${x} ${value}\n`,
  "a line below": (name, x, value) => `X-Signature: ${SIGNATURE}\n${name}\n${x}\n  value is: ${value}`,
  "raw request": (name, x, value) =>
    `POST /in HTTP/1.1\nHost: a\nX-Signature: ${SIGNATURE}\n${name}${x}: ${value}\n\n{}`,
  HAR: (name, x, value) =>
    `{"log":{"entries":[{"request":{"method":"POST","url":"https://a","headers":[{"name":"X-Signature","value":"${SIGNATURE}"},{"name":"${name}",${x}"value":"${value}"}]}}]}}`,
  "value first": (name, x, value) =>
    `{'X-Signature': '${SIGNATURE}'}\n[{'value': '${value}', ${x} 'name': '${name}'}]`,
  Postman: (name, x, value) =>
    `[{"key":"${name}","enabled":true,"type":"text",${x}"value":"${value}"},{"key":"X-Signature","value":"${SIGNATURE}"}]`,
  "other member": (name, x, value) => `[{"header":"${name}",${x}"content":"${value}"}]`,
  "name, comment, value": (name, x, value) =>
    `[["${name}", "${x.replace(/["\n\\]/g, "")}", "${value}"], ["X-Signature", "", "${SIGNATURE}"]]`,
  "JSON of headers": (name, x, value) => `{"X-Signature":"${SIGNATURE}","${name}"${x}: "${value}"}`,
  "escaped JSON": (name, x, value) =>
    `"{\\"X-Signature\\":\\"${SIGNATURE}\\",\\"${name}\\":${x} \\"${value}\\"}"`,
  "Python dict": (name, x, value) =>
    `{'X-Signature': '${SIGNATURE}', 'headers': [{'name': '${name}', ${x} 'value': '${value}'}]}`,
  curl: (name, x, value) =>
    `curl https://a.example -H 'X-Signature: ${SIGNATURE}' -H '${name}'${x} '${value}' -d x`,
  "HTML table": (name, x, value) =>
    `<tr><td>${name}</td>${x}<td>${value}</td></tr>\n<tr><td>X-Signature</td><td>${SIGNATURE}</td></tr>`,
  YAML: (name, x, value) =>
    `headers:\n  - name: ${name} ${x}\n    value: ${value}\n  - name: X-Signature\n    value: ${SIGNATURE}`,
  "YAML with a comment": (name, x, value) =>
    `headers:\n  - name: ${name}\n    # of the hook\n    ${x}\n    value: "${value}"`,
  "Markdown table": (name, x, value) =>
    `| Name | Note | Value |\n|---|---|---|\n| \`${name}\` | ${x} | \`${value}\` |\n| X-Signature | | ${SIGNATURE} |`,
  "tabs, with a note": (name, x, value) => `Host\t\ta\n${name}\t${x}\t${value}\nX-Signature\t\t${SIGNATURE}`,
  CSV: (name, x, value) => `name,note,value\n${name},${x},${value}\n`,
  "CSV with names as columns": (name, x, value) =>
    `Content-Type,${name},User-Agent\n${x},${value},curl/8.0.1\n`,
  "tabs with names as columns": (name, x, value) =>
    `${name}\tContent-Type\tX-Request-Id\n${value}\t${x}application/json\t0f7c1d2e\n`,
  "Go map": (name, x, value) => `map[Host:[a] ${name}:${x}[${value}] X-Signature:[${SIGNATURE}]]`,
  "PHP dump": (name, x, value) => `array(1) {\n  ["${name}"]=>\n  ${x}\n  string(23) "${value}"\n}`,
  "code, two lines": (name, x, value) => `const name = "${name}";${x}\nconst secret = "${value}";`,
  prose: (name, x, value) => `We send the header ${name} ${x} with ${value} to you.`,
};
/** Texts between the name and the value. */
const BETWEEN = [
  "",
  " ",
  "\n",
  "\n   \n",
  "[x] ",
  "(see below) ",
  "/* a comment */ ",
  "// note\n",
  "# note\n",
  "<!-- note -->",
  "-> ",
  " ✓ ",
  "***",
  "{ ",
  "} { ",
  "] [ ",
  "\\n",
  "\\u0020",
  "&nbsp;",
  "<br>",
  " is set to ",
  '"type":"text",',
  "'enabled': True, ",
  '"note":"of the hook",',
  " the value of our hook ",
  " /* the token of our production hook */ ",
  " (in production since 2024) ",
  " %20of&nbsp;the hook, ",
  " #1234567 ✓ ",
  "\u200b",
  "\u00a0",
  "“",
  "~~",
  ";",
];
/** Other ways to write a name that someone can still read. */
const SPELLINGS: Record<string, (name: string) => string> = {
  "in lower case": (name) => name.toLowerCase(),
  "in upper case": (name) => name.toUpperCase(),
  "of an environment": (name) => `HTTP_${name.toUpperCase().replaceAll("-", "_")}`,
  "with zero-width spaces": (name) => name.replaceAll("-", "-\u200b"),
  "with soft hyphens": (name) => name.replace(/(?=.{3}$)/, "\u00ad"),
  "with other hyphens": (name) => name.replaceAll("-", "\u2011"),
  "with escaped hyphens": (name) => name.replaceAll("-", "\\u002d"),
  "with escaped hyphens in braces": (name) => name.replaceAll("-", "\\u{2d}"),
  "with twice escaped hyphens": (name) => name.replaceAll("-", "%252d"),
  "with escaped hyphens of C": (name) => name.replaceAll("-", "\\x2d"),
  "with escaped letters": (name) => name.replace(/[TaA]/, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
  "in percent escapes": (name) => name.replaceAll("-", "%2D"),
  "in percent escapes of letters": (name) => name.replace(/[TaA]/, (c) => `%${c.charCodeAt(0).toString(16)}`),
  "with entities": (name) => name.replaceAll("-", "&#45;"),
  "with entities in hex": (name) => name.replaceAll("-", "&#x2d;"),
  "with tags": (name) => name.replaceAll("-", "-<wbr>"),
  "with blanks": (name) => name.replaceAll("-", " - "),
  "on two lines": (name) => name.replace("-", "-\n  "),
  "in full-width letters": (name) =>
    name.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
  "in italics": (name) => `_${name}_`,
  bold: (name) => `**${name}**`,
  "in curly quotes": (name) => `“${name}”`,
};

const pick = <T>(from: readonly T[], random: Random) => from[random(from.length)] as T;
/** A token of one of the usual kinds; the last is of letters only. */
function tokenOf(random: Random, letters: string): string {
  return Array.from({ length: 20 + random(12) }, () => letters[random(letters.length)]).join("");
}
const TOKENS: ((random: Random) => string)[] = [
  (random) => `glpat-${tokenOf(random, "abcdefghijkmnopqrstuvwxyz0123456789_")}`,
  (random) => tokenOf(random, "0123456789abcdef"),
  (random) => `Bearer ${tokenOf(random, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijk0123456789+/")}`,
  (random) => `glpat-${tokenOf(random, "abcdefghijklm")}`,
];

interface Sample {
  title: string;
  text: string;
  token: string;
}
function* samples(): Generator<Sample> {
  const random = generator(29);
  for (const [form, write] of Object.entries(FORMS))
    for (const between of BETWEEN) {
      const name = pick(HEADERS, random);
      const value = pick(TOKENS, random)(random);
      const title = `${form}, ${JSON.stringify(between)}, ${name}`;
      yield { title, text: write(name, between, value), token: value.replace("Bearer ", "") };
    }
  for (const [spelling, respelled] of Object.entries(SPELLINGS))
    for (const [form, write] of Object.entries(FORMS)) {
      const name = pick(HEADERS, random);
      const value = pick(TOKENS, random)(random);
      const text = write(respelled(name), pick(BETWEEN, random), value);
      yield { title: `${form}, ${name} ${spelling}`, text, token: value.replace("Bearer ", "") };
    }
}
const SAMPLES = [...samples()];
const has = (text: string | null, token: string) => text?.includes(token) ?? false;

test("a token does not leave the tab, whatever stands between it and its name", () => {
  const passed = SAMPLES.filter(({ text, token }) => {
    assert.ok(text.includes(token));
    return has(redactText(text, PLACES, [], marks()).text, token);
  });
  const titles = passed.map(({ title, text }) => `${title}: ${text}`);
  assert.equal(passed.length, 0, `${passed.length} of ${SAMPLES.length}:\n${titles.join("\n")}`);
});

test("a token does not leave the tab with headers that are typed", () => {
  const passed = SAMPLES.filter(({ text, token }) => {
    const { request: safe, blocked } = redact(request({ headers: text }), PLACES, [], marks());
    return blocked !== "headers" && has(safe.headers, token);
  });
  const titles = passed.map(({ title, text }) => `${title}: ${text}`);
  assert.equal(passed.length, 0, `${passed.length} of ${SAMPLES.length}:\n${titles.join("\n")}`);
});

test("a text of any such form without the name of a credential is sent as it is", () => {
  for (const [form, write] of Object.entries(FORMS))
    for (const between of BETWEEN) {
      const text = write("X-Request-Note", between, "0f7c1d2e5b6a4f8a2c71");
      assert.equal(redactText(text, PLACES, [], marks()).text, text, `${form}, ${between}`);
    }
});

test("a signature in a header of its own stays in the text", () => {
  let read = 0;
  for (const { title, text } of SAMPLES) {
    const { text: safe } = redactText(text, PLACES, [], marks());
    // Nothing in a map of Go marks the end of a value, so the rest of its line is replaced.
    if (safe === null || !text.includes(SIGNATURE) || text.includes("map[")) continue;
    read += 1;
    assert.ok(safe.includes(SIGNATURE), `${title}: ${safe}`);
  }
  assert.ok(read > SAMPLES.length / 8, `${read}`); // the control
});

test("a name without a value leaves a text as it is", () => {
  const body = '\n\n{"id":"evt_1JVXl82eZvKYlo2C","type":"invoice.paid"}';
  const request = `POST /in HTTP/1.1\nHost: a\nX-Signature: ${SIGNATURE}\n`;
  for (const text of [
    `${request}Access-Control-Request-Headers: x-gitlab-token${body}`,
    `${request}Vary: Authorization${body}`,
    `${request}Vary: Origin, Authorization${body}`,
    `${request}\n{"object":"issuing.authorization","amount":382,"id":"iauth_1JVXl82eZvKYlo2C"}`,
    `${request}\n{"type":"issuing_authorization.request","id":"evt_1JVXl82eZvKYlo2C"}`,
    JSON.stringify({
      "X-Gitlab-Token": "",
      Host: "a",
      "X-Signature": SIGNATURE,
      "User-Agent": "GitLab/17.1",
    }),
  ])
    assert.equal(redactText(text, PLACES, [], marks()).text, text);
});

test("a text with a credential that is read as ever may have any other text behind it", () => {
  const other = `"X-Signature": "${SIGNATURE}", "X-Request-Id": "0f7c1d2e5b6a"`;
  for (const token of ["glpat-canary-4f8a2c71d9", "mysecrettoken", "my-secret-token"])
    for (const text of [
      `POST /in HTTP/1.1\nX-Gitlab-Token: ${token}\nHost: a\n\n{"id":"evt_1JVXl82eZvKYlo2C"}`,
      `{"headers": {"X-Gitlab-Token": "${token}", ${other}}, "body": "evt_1JVXl82eZvKYlo2C"}`,
      `{"headers": [{"name": "X-Gitlab-Token", "value": "${token}"}], "body": "evt_1JVXl82eZvKYlo2C"}`,
      `{'X-Gitlab-Token': '${token}', ${other.replaceAll('"', "'")}}`,
    ]) {
      const { text: safe } = redactText(text, PLACES, [], marks());
      assert.ok(safe !== null && !safe.includes(token), `${text}: ${safe}`);
      assert.equal(safe.replace(/mark\w{12}/, token), text);
    }
});

test("a printed map of Go is sent without its credential and what is behind it", () => {
  const text =
    'http.Header{"X-Gitlab-Token":[]string{"glpat-canary-4f8a2c71d9"}, "X-Twice":[]string{"1", "2"}}';
  const { text: safe } = redactText(text, PLACES, [], marks());
  assert.match(safe as string, /^http\.Header\{"X-Gitlab-Tokenmark\w{12}$/);
});

test("a text of nothing but names is searched in a few steps", () => {
  const { matchAll } = String.prototype;
  let steps = 0;
  String.prototype.matchAll = function (this: string, pattern) {
    steps += 1;
    return matchAll.call(this, pattern);
  } as typeof matchAll;
  try {
    for (const piece of [
      "X-Gitlab-Token\n",
      "vary: X-Gitlab-Token\n",
      "X-Gitlab-Token, ",
      "\\u0058-Gitlab-Token\n",
    ])
      hasUnplaced(piece.repeat(1_000_000 / piece.length), PLACES, "mark");
  } finally {
    String.prototype.matchAll = matchAll;
  }
  assert.ok(steps < 10_000, `${steps}`);
});
