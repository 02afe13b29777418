import assert from "node:assert/strict";
import { test } from "node:test";
import { originalOf, type PastedRequest, redact, restore } from "../../src/vault/redaction/index.js";
import type { Place } from "../../src/vault/redaction/places.js";
import { utf8 } from "../support.js";
import {
  assertRestored,
  bufferOf,
  generator,
  marks,
  PARTS,
  PLAIN,
  pieceIn,
  RANDOM,
  request,
  UMLAUT,
} from "./redaction-support.js";

const all = (pasted: PastedRequest) =>
  PARTS.map((part) => bufferOf(pasted[part]).toString("latin1")).join("\n");
const swapped = (text: string) => Buffer.from(text, "utf16le").swap16();

const SIGNS = "a+canary/4f8+2c71/d9e3";
const FIGMA = "pass/code/with/Slashes7";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const url64 = (text: string) => Buffer.from(text).toString("base64url");

/** The request, what is held, and what may not be in what is sent. */
const REPLACED: [string, Partial<PastedRequest>, string, string][] = [
  ["plain in a header", { headers: `X-Token: ${PLAIN}` }, PLAIN, PLAIN],
  [
    "JSON with `\\/`",
    { body: utf8(`{"passcode":"${FIGMA.replaceAll("/", "\\/")}"}`) },
    FIGMA,
    FIGMA.slice(-8),
  ],
  [
    "JSON with `\\u00e4`",
    { body: utf8(`{"passcode":"P\\u00e4sswort-f\\u00fcr-Haken-99"}`) },
    UMLAUT,
    "r-Haken-99",
  ],
  ["percent in a URL", { url: `https://r.example/h?token=${encodeURIComponent(RANDOM)}` }, RANDOM, "Lm5Rj8"],
  ["percent in a form", { body: utf8(`a=1&token=${encodeURIComponent(RANDOM)}&b=2`) }, RANDOM, "Lm5Rj8"],
  ["lower-cased", { headers: `X-Token: ${PLAIN.toLowerCase()}` }, PLAIN, PLAIN.toLowerCase()],
  [
    "beside a byte that is not UTF-8",
    { body: Buffer.concat([Buffer.from([0x7b, 0xff]), utf8(`"p":"${PLAIN}"}`)]) },
    PLAIN,
    PLAIN,
  ],
  ["in the public key", { publicKey: PLAIN }, PLAIN, PLAIN],
  ["in the method", { method: PLAIN }, PLAIN, PLAIN],
];

for (const [form, parts, secret, rest] of REPLACED) {
  test(`a held secret does not leave: ${form}`, () => {
    const pasted = request(parts);
    const redacted = redact(pasted, [], [secret], marks());

    assert.equal(redacted.blocked, null);
    assert.ok(all(pasted).includes(rest), "the request has it");
    assert.ok(!all(redacted.request).includes(rest), all(redacted.request));
    assertRestored(pasted, redacted);
  });
}

/** The request, what is held, and the form that the request has it in. */
const BLOCKED: [string, Partial<PastedRequest>, string, string][] = [
  [
    "Basic, typed with a blank",
    { headers: `Authorization: Basic ${base64(`u:${PLAIN}`)}` },
    `u:${PLAIN} `,
    base64(PLAIN.slice(4, 19)),
  ],
  [
    "Basic with another user",
    { headers: `Authorization: Basic ${base64(`hook:${PLAIN}`)}` },
    PLAIN,
    base64(PLAIN.slice(1, 19)),
  ],
  [
    "base64url without padding",
    { headers: `X-Token: ${url64(`${UMLAUT}?>`)}` },
    `${UMLAUT}?>`,
    url64(UMLAUT).slice(0, 16),
  ],
  [
    "hex",
    { headers: `X-Token: ${Buffer.from(PLAIN).toString("hex")}` },
    PLAIN,
    Buffer.from(PLAIN).toString("hex"),
  ],
  [
    "base64 folded over indented lines",
    { body: utf8(base64(PLAIN).replace(/.{7}/g, "$&\r\n\t ")) },
    PLAIN,
    base64(PLAIN).slice(0, 7),
  ],
  [
    "hex of another normal form",
    { headers: `X-Token: ${Buffer.from(UMLAUT.normalize("NFD")).toString("hex")}` },
    UMLAUT,
    Buffer.from("u\u0308r-Haken-99").toString("hex"),
  ],
  [
    "hex of the other base64 alphabet",
    { headers: `X-Token: ${Buffer.from(SIGNS.replaceAll("+", "-").replaceAll("/", "_")).toString("hex")}` },
    SIGNS,
    Buffer.from("a-canary_4f8").toString("hex"),
  ],
  [
    "UTF-16",
    { body: Buffer.from(`{"p":"${PLAIN}"}`, "utf16le") },
    PLAIN,
    Buffer.from(PLAIN, "utf16le").toString("latin1"),
  ],
  [
    "UTF-16, the other order",
    { body: swapped(`\ufeff{"p":"${PLAIN}"}`) },
    PLAIN,
    swapped(PLAIN).toString("latin1"),
  ],
];

for (const [form, parts, secret, carried] of BLOCKED) {
  test(`a request with a held secret in an encoding that is not replaced is blocked: ${form}`, () => {
    const pasted = request(parts);
    const { blocked } = redact(pasted, [], [secret], marks());

    assert.ok(all(pasted).includes(carried), "the request has it");
    assert.equal(blocked, Object.keys(parts)[0]);
  });
}

test("a body in UTF-16 or UTF-32 is blocked where the provider carries its token in JSON", () => {
  const utf32 = Buffer.from([...'{"passcode":"TOP-5"}'].flatMap((char) => [0, 0, 0, char.charCodeAt(0)]));
  for (const body of [
    Buffer.from('{"passcode":"TOP-5"}', "utf16le"),
    swapped('{"passcode":"TOP-5"}'),
    swapped('\ufeff{"passcode":"TOP-5"}'),
    Buffer.from("\ufeff{}", "utf16le"),
    utf32,
    Buffer.from(utf32).swap32(),
  ]) {
    assert.equal(redact(request({ body }), [PASSCODE], [], marks()).blocked, "body");
    assert.equal(redact(request({ sent: body }), [PASSCODE], [], marks()).blocked, "sent");
    assert.equal(redact(request({ body }), [GITLAB], [], marks()).blocked, null);
  }
  for (const text of ["", "{", "{}", "ä"])
    assert.equal(redact(request({ body: utf8(text) }), [PASSCODE], [], marks()).blocked, null, text);
});

test("a credential whose header has a character in its name that the kernel leaves out is blocked", () => {
  for (const char of ["\u200b", "\u00ad", "\u2060", "\ufeff"]) {
    const headers = `Host: a\nX-Gitlab-${char}Token: ${PLAIN}`;
    assert.equal(redact(request({ headers }), [GITLAB], [], marks()).blocked, "headers");
    assert.equal(redact(request({ headers }), [], [], marks()).blocked, null);
  }
});

test("of two secrets of which one begins the other, the whole longer one goes", () => {
  const pasted = request({ body: utf8(`{"p":"${PLAIN}"}`) });
  const redacted = redact(pasted, [], [PLAIN.slice(0, 12), PLAIN], marks());

  assert.match(all(redacted.request), /\{"p":"mark[a-z0-9]+"\}/);
  assertRestored(pasted, redacted);
});

const place = (
  where: Place["in"],
  name: string,
  template = "{}",
  encoding: Place["encoding"] = "text",
): Place => ({
  in: where,
  name,
  template,
  encoding,
});
const GITLAB = place("header", "X-Gitlab-Token");
const BEARER = place("header", "Authorization", "Bearer {}");
const BASIC = place("header", "Authorization", "Basic {}", "base64");
const QUERY = place("query", "token");
const PASSCODE = place("json", "/passcode");
const FORM = place("form", "token");
const PART = place("multipart", "token");
const LINES = "Host: r.example\nX-Request: 7\n";
const PARTED =
  "--b\r\nContent-Disposition: form-data; name=token\r\n\r\nTOP-5\r\n--b\r\nContent-Disposition: form-data; name=other\r\n\r\nkept\r\n--b--\r\n";

/** A place, a request, what may not be in what is sent, and the credentials as a receiver reads them. */
const PLACED: [Place, Partial<PastedRequest>, string, string[]][] = [
  [GITLAB, { headers: `${LINES}X-Gitlab-Token: TOP-5` }, "TOP-5", ["TOP-5"]],
  [GITLAB, { headers: `x-gitlab-token:TOP-5  \r\n${LINES}` }, "TOP-5", ["TOP-5"]],
  [GITLAB, { headers: `${LINES}HTTP_X_GITLAB_TOKEN: \t TOP-5` }, "TOP-5", ["TOP-5"]],
  [GITLAB, { headers: `${LINES}> X-GITLAB-TOKEN : TOP-5` }, "TOP-5", ["TOP-5"]],
  [GITLAB, { headers: `${LINES}X-Gitlab-Token: TOP-5\n  and more\nHost: x` }, "more", ["TOP-5\n  and more"]],
  [GITLAB, { headers: `X-Gitlab-Token: TOP-5\nX-Gitlab-Token: TOP-6` }, "TOP-", ["TOP-5", "TOP-6"]],
  [GITLAB, { headers: `{"Host": "x", "x-gitlab-token": "TOP-5", "a": "b"}` }, "TOP-5", ["TOP-5"]],
  [GITLAB, { headers: `curl -H 'X-Gitlab-Token: TOP-5' \\` }, "TOP-5", ["TOP-5"]],
  [GITLAB, { headers: "Host: x\x0bX-Gitlab-Token: TOP-5" }, "TOP-5", ["TOP-5"]],
  [BEARER, { headers: "authorization: bearer   TOP-5" }, "TOP-5", ["TOP-5"]],
  [BEARER, { headers: "Authorization: TOP-5 and all" }, "TOP-5", ["TOP-5 and all"]],
  [
    BASIC,
    { headers: `Authorization: Basic ${base64("u:TOP-5")}` },
    base64("u:TOP-5").slice(0, 6),
    ["u:TOP-5", base64("u:TOP-5")],
  ],
  [BASIC, { headers: "Authorization: Basic no:base64" }, "no:base64", ["Basic no:base64"]],
  [QUERY, { url: "https://r.example/h?a=1&token=TOP%2D5%2b+&b=2#c" }, "TOP", ["TOP-5+ "]],
  [QUERY, { url: "https://r.example/h?t%6Fken=TOP-5;x&b=2" }, "TOP-5", ["TOP-5;x"]],
  [QUERY, { headers: "POST /h?token=TOP-5 HTTP/1.1\nHost: x" }, "TOP-5", ["TOP-5"]],
  [PASSCODE, { body: utf8('{"a":{"passcode":"in"},"passcode":"TOP\\/5"}') }, "TOP", ["TOP/5"]],
  [PASSCODE, { body: utf8('{"passcode":"TOP-5","pass\\u0063ode":"TOP-6"}') }, "TOP-", ["TOP-5", "TOP-6"]],
  [PASSCODE, { body: utf8('{"passcode": 12345 , "b":1}') }, "12345", ["12345"]],
  [PASSCODE, { body: utf8('{"passcode":{"x":["TOP-5"]},"b":1}') }, "TOP-5", ['{"x":["TOP-5"]}']],
  [PASSCODE, { body: utf8('{"passcode":"TOP-5') }, "TOP-5", ["TOP-5"]],
  [PASSCODE, { body: utf8(`payload=${encodeURIComponent('{"passcode":"TOP-5"}')}`) }, "TOP-5", ["TOP-5"]],
  [
    place("json", "/data/1/key"),
    { body: utf8('{"data":[{"key":"a"},{"key":"TOP-5"}]}') },
    "TOP-5",
    ["TOP-5"],
  ],
  [FORM, { body: utf8("a=1&token=TOP%205&b=2&Token=TOP-6") }, "TOP", ["TOP 5", "TOP-6"]],
  [FORM, { sent: utf8("token%5B%5D=TOP-5") }, "TOP-5", ["TOP-5"]],
  [PART, { body: utf8(PARTED) }, "TOP-5", ["TOP-5"]],
  [FORM, { body: utf8(PARTED) }, "TOP-5", ["TOP-5"]],
];

for (const [where, parts, credential, texts] of PLACED) {
  test(`a credential leaves no ${where.in} in ${JSON.stringify(bufferOf(Object.values(parts)[0] as string).toString())}`, () => {
    const pasted = request(parts);
    const redacted = redact(pasted, [where], [], marks());
    const shown = all(redacted.request);

    assert.ok(all(pasted).includes(credential), "the request has it");
    assert.ok(!shown.includes(credential), shown);
    for (const text of texts)
      assert.ok(
        [...redacted.originals.values()].some(
          (original) => original.text === text && bufferOf(original.bytes).toString() === text,
        ),
        `${JSON.stringify(text)} among ${JSON.stringify([...redacted.originals.values()])}`,
      );
    assertRestored(pasted, redacted);
  });
}

test("what is beside a credential stays, and JSON stays JSON", () => {
  const bodies = [
    '{"a":"passcode","b":["x","y"],"passcode":12,"c":{"passcode":"kept"}}',
    '{"passcode":"a\\"b","c":1}',
    '{"passcode":null,"c":true}',
  ];
  const after = bodies.map((body) =>
    JSON.parse(
      bufferOf(
        redact(request({ body: utf8(body) }), [PASSCODE], [], () => "stand1in").request.body,
      ).toString(),
    ),
  );

  assert.deepEqual(after, [
    { a: "passcode", b: ["x", "y"], passcode: "stand1in", c: { passcode: "kept" } },
    { passcode: "stand1in", c: 1 },
    { passcode: null, c: true },
  ]);
});

test("equal credentials have one stand-in, others have another", () => {
  const pasted = request({
    headers: "X-Gitlab-Token: TOP-5",
    url: "https://r.example/?token=TOP-5&token=TOP-6",
  });
  const { request: after } = redact(pasted, [GITLAB, QUERY], [], marks());
  const [, first, second] = /token=(\w+)&token=(\w+)/.exec(after.url) ?? [];

  assert.equal(after.headers, `X-Gitlab-Token: ${first}`);
  assert.notEqual(first, second);
});

test("an original is had for exactly one stand-in only", () => {
  const pasted = request({ headers: `Authorization: Basic ${base64("u:TOP-5")}` });
  const { request: after, originals } = redact(pasted, [BASIC], [], marks());
  const written = after.headers.split(" ").at(-1) as string;
  const standIn = Buffer.from(written, "base64").toString();

  assert.equal(originalOf(utf8(standIn), originals)?.text, "u:TOP-5");
  assert.equal(originalOf(utf8(written), originals)?.text, base64("u:TOP-5"));
  for (const other of ["", standIn.slice(1), `${standIn} `, "u:TOP-5"])
    assert.equal(originalOf(utf8(other), originals), null);
});

test("originals are put back wherever and however often their stand-ins are in a message", () => {
  const pasted = request({ headers: "X-Gitlab-Token: TOP-5", body: utf8('{"passcode":12345}') });
  const { request: after, originals } = redact(pasted, [GITLAB, PASSCODE], [], marks());
  const standIn = after.headers.split(" ").at(-1);
  const message = `1.${standIn}.${bufferOf(after.body)}.${standIn}${standIn}`;

  assert.equal(
    bufferOf(restore(utf8(message), originals)).toString(),
    '1.TOP-5.{"passcode":12345}.TOP-5TOP-5',
  );
  const other = utf8("no stand-in here");
  assert.equal(restore(other, originals), other);
  assert.equal(restore(other, new Map()), other);
});

test("a secret of seven characters is a word of any text, one of eight is not", () => {
  const pasted = request({ body: utf8('{"a":"seven77 eight888"}') });
  const { request: after } = redact(pasted, [], [" seven77 ", "EIGHT888"], marks());

  assert.match(bufferOf(after.body).toString(), /^\{"a":"seven77 mark\w+"\}$/);
});

test("an escape before a secret is not cut", () => {
  for (const before of ["\\n", "\\\\", "\\u00e4", "%0A", '\\"']) {
    const pasted = request({ body: utf8(`{"p":"${before}${PLAIN}"}`) });
    const redacted = redact(pasted, [], [`n${PLAIN}`, `A${PLAIN}`, `4${PLAIN}`, PLAIN], marks());

    JSON.parse(bufferOf(redacted.request.body).toString());
    assertRestored(pasted, redacted);
  }
});

test("a small text is read three encodings deep", () => {
  const form = base64(base64(Buffer.from(PLAIN).toString("hex")));

  assert.equal(redact(request({ headers: `X: ${form}` }), [], [PLAIN], marks()).blocked, "headers");
});

test("five million bytes and a secret of 400,000 characters take a moment, not minutes", () => {
  const random = generator(7);
  const letters = (count: number) => Buffer.from(Uint8Array.from({ length: count }, () => 97 + random(26)));
  const secret = letters(400_000).toString();
  const body = Buffer.concat([
    Buffer.from('{"a":"'),
    letters(4_000_000),
    Buffer.from(`","b":"${secret}","c":"${encodeURIComponent(secret)}"}`),
  ]);
  const before = process.cpuUsage().user;
  const pasted = request({ body });
  const redacted = redact(pasted, [PASSCODE, FORM, QUERY], [secret], marks());

  assertRestored(pasted, redacted);
  assert.ok(redacted.request.body.length < 4_200_000);
  assert.ok(process.cpuUsage().user - before < 30e6);
});

test("hostile texts neither throw nor take long", () => {
  const size = 40_000;
  const units = [
    "[",
    "{",
    '"',
    "\\",
    "%",
    "=",
    "&a=",
    "token=",
    "--a\n",
    "--a\n;name=token\n\n",
    "\n",
    " ",
    "X-Gitlab-Token:",
    "'X-Gitlab-Token'",
    '"X-Gitlab-Token":"',
    "\0",
    "\0a",
    "%25",
    "\\u",
    "\ud800",
    "{={",
    '{"passcode":',
    "Basic ",
    "a",
    "=",
  ];
  const before = process.cpuUsage().user;
  for (const unit of units) {
    const text = unit.repeat(size / unit.length);
    const pasted = request({ url: text, headers: text, body: utf8(text) });
    const redacted = redact(
      pasted,
      [GITLAB, BASIC, BEARER, QUERY, PASSCODE, FORM, PART],
      ["a".repeat(99), PLAIN],
      marks(),
    );

    assert.equal(bufferOf(restore(redacted.request.body, redacted.originals)).compare(utf8(text)), 0, unit);
  }
  assert.ok(process.cpuUsage().user - before < 20e6);
});

test("a secret whose first letters follow a lone backslash does not leave, whether they are an escape or not", () => {
  const secret = "Xab/Zccc+=+9X+";
  for (const text of ["\\xab\\/zccc+=+9x+", "\\x58ab\\/Zccc+=+9X+", "\\xab/Zccc%2B=%2B9x%2B"]) {
    const pasted = request({ body: utf8(`-\\u00${text}"`) });
    const redacted = redact(pasted, [], [secret], marks());

    assert.ok(redacted.blocked || pieceIn(bufferOf(redacted.request.body), secret) === null, text);
    assertRestored(pasted, redacted);
  }
});
