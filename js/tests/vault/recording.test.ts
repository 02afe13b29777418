import assert from "node:assert/strict";
import { test } from "node:test";
import { restoreRequest } from "../../src/vault/redaction/index.js";
import type { Place } from "../../src/vault/redaction/places.js";
import { redactText } from "../../src/vault/redaction/recording.js";
import { utf8 } from "../support.js";

const TOKEN = "glpat-canary-4f8a2c71d9";
const PLACES: Place[] = [
  { in: "header", name: "X-Gitlab-Token", template: "{}", encoding: "text" },
  { in: "header", name: "Authorization", template: "Bearer {}", encoding: "text" },
  { in: "json", name: "/passcode", template: "{}", encoding: "text" },
];
const body = JSON.stringify({ passcode: TOKEN, id: 1 });
const har = (headers: unknown[], url: string, text: string) =>
  JSON.stringify({ log: { entries: [{ request: { method: "POST", url, headers, postData: { text } } }] } });

/** A recording with the token at each place where one may stand. */
const AT_A_PLACE: Record<string, string> = {
  "curl, header": `curl 'https://a.example/x' -H 'X-Gitlab-Token: ${TOKEN}' --data-raw '{}'`,
  "curl, double quotes": `curl https://a.example -H "Authorization: Bearer ${TOKEN}" -d x`,
  "curl, body": `curl https://a.example --data-raw '${body}'`,
  "curl, escaped body": `curl https://a.example --data-raw "${body.replaceAll('"', '\\"')}"`,
  "curl, ANSI-C quotes": `curl https://a.example --data-raw $'${body}'`,
  "HAR, header": har([{ name: "x-gitlab-token", value: TOKEN }], "https://a.example", "{}"),
  "HAR, value first": har(
    [{ value: `Bearer ${TOKEN}`, comment: "", name: "authorization" }],
    "https://a",
    "{}",
  ),
  "HAR, body": har([], "https://a.example", body),
  "raw request, header": `POST /x HTTP/1.1\nHost: a\nX-Gitlab-Token: ${TOKEN}\n\n{}`,
  "raw request, body": `POST /x HTTP/1.1\nHost: a\n\n${body}`,
  "JSON of headers": JSON.stringify({ "X-Gitlab-Token": TOKEN }),
  "JSON of lists": JSON.stringify({ "X-Gitlab-Token": [TOKEN] }),
  "list of pairs": JSON.stringify([["X-Gitlab-Token", TOKEN]]),
  "event of a function": JSON.stringify({ headers: {}, body }),
  "Python dict": `{'X-Gitlab-Token': '${TOKEN}'}`,
  "environment, lines": `HTTP_X_GITLAB_TOKEN=${TOKEN}\nREQUEST_METHOD=POST`,
  "environment, dict": `{'HTTP_X_GITLAB_TOKEN': '${TOKEN}', 'REQUEST_METHOD': 'POST'}`,
  "environment, JSON": JSON.stringify({ HTTP_X_GITLAB_TOKEN: TOKEN }),
  "environment in Apache's log": `[Thu Oct 13 2016] [:error] [pid 1]     {'HTTP_X_GITLAB_TOKEN': '${TOKEN}',\n[Thu Oct 13 2016] [:error] [pid 1]      'REQUEST_METHOD': 'POST'}`,
  "headers in Apache's log": `[Thu Oct 13 2016] [:error] [pid 1]     'Authorization': 'Bearer ${TOKEN}',\n[Thu Oct 13 2016] [:error] [pid 1]     'X-A': 'b',`,
  "value after other text": `{'X-A': 'b', 'X-Gitlab-Token': x 'y' 'z', '${TOKEN}'}`,
  "second value of Spring": `[X-A:"b", X-Gitlab-Token:"a", "${TOKEN}"]`,
  "environment, PHP": `Array\n(\n    [HTTP_X_GITLAB_TOKEN] => ${TOKEN}\n)`,
  "header lines": `X-Gitlab-Token: ${TOKEN}`,
  "header lines, a name with a zero-width space": `Host: a\nX-Gitlab-\u200bToken: ${TOKEN}`,
  "header lines, a name with a soft hyphen": `Host: a\nX-Git\u00adlab-Token: ${TOKEN}`,
  "JSON of headers, a name with a word joiner": JSON.stringify({ "X-Gitlab\u2060-Token": TOKEN }),
  "flat list, a name with a zero-width space": JSON.stringify(["Host", "a", "X-Gitlab-\u200bToken", TOKEN]),
  "curl, a name with a mark of direction": `curl https://a.example -H 'X-Gitlab\u200e-Token: ${TOKEN}' -d x`,
  "alternating lines": `content-type\napplication/json\nx-gitlab-token\n${TOKEN}\nhost\na`,
  "alternating lines with colons": `X-Gitlab-Token:\n${TOKEN}\nHost:\na`,
  "table with tabs": `Host\ta\nX-Gitlab-Token\t${TOKEN}`,
  "table with bars": `| Host | a |\n| X-Gitlab-Token | ${TOKEN} |`,
  columns: `Key            Value\n---            -----\nX-Gitlab-Token ${TOKEN}`,
  "flat list": JSON.stringify(["Host", "a", "X-Gitlab-Token", TOKEN]),
  "flat list of Node": `[\n  'Host',\n  'a',\n  'X-Gitlab-Token',\n  '${TOKEN}'\n]`,
  "Python pairs": `EnvironHeaders([('Host', 'a'), ('X-Gitlab-Token', '${TOKEN}')])`,
  "Python pairs of bytes": `[(b'host', b'a'), (b'x-gitlab-token', b'${TOKEN}')]`,
  "Go map": `map[Host:[a] X-Gitlab-Token:[${TOKEN}] X-Other:[b]]`,
  "Java map": `{host=[a], x-gitlab-token=[${TOKEN}], x-other=[b]}`,
  "Ruby hash": `{"HTTP_HOST"=>"a", "HTTP_X_GITLAB_TOKEN"=>"${TOKEN}"}`,
  "PHP var_dump": `array(1) {\n  ["X-Gitlab-Token"]=>\n  string(23) "${TOKEN}"\n}`,
  "PHP print_r of lists": `Array\n(\n    [X-Gitlab-Token] => Array\n        (\n            [0] => ${TOKEN}\n        )\n)`,
  ".NET pairs": `[Host, a]\n[X-Gitlab-Token, ${TOKEN}]`,
  mitmdump: `192.0.2.1:5: POST https://a/x HTTP/2.0\n    x-gitlab-token: ${TOKEN}\n    a: b\n\n    {}\n\n << 200 OK`,
  "mitmdump, body": `192.0.2.1:5: POST https://a/x\n    a: b\n\n    {\n        "passcode": "${TOKEN}"\n    }\n\n << 200 OK`,
  "curl -v": `* Connected\n> POST /x HTTP/2\n> Host: a\n> X-Gitlab-Token: ${TOKEN}\n>\n< HTTP/2 200`,
  fetch: `fetch("https://a.example", {"headers": {"x-gitlab-token": "${TOKEN}"}})`,
  "HTTPie, header": `http POST a.example X-Gitlab-Token:${TOKEN} a=b`,
  "HTTPie, quoted header": `http POST a.example 'X-Gitlab-Token: ${TOKEN}' a=b`,
  "HTTPie, quoted value": `http POST a.example Authorization:"Bearer ${TOKEN}" a=b`,
  "HTTPie, member": `https POST a.example a=b passcode=${TOKEN}`,
  "HTTPie, body": `http POST a.example --raw '${body}'`,
  "HTTPie, bearer": `http -v -A bearer -a ${TOKEN} a.example a=b`,
  "HTTPie, long options": `http a.example --auth-type=bearer --auth='${TOKEN}' a=b`,
  "HTTPie, user": `xh -va ann:${TOKEN} a.example a=b`,
  "HTTPie, piped": `echo -n '{}' | http POST a.example -A bearer --auth "${TOKEN}"`,
  "curl, user": `curl https://a.example -u 'ann:${TOKEN}'`,
  "curl, attached user": `curl -sSuann:${TOKEN} https://a.example`,
  "curl, bearer": `curl https://a.example --oauth2-bearer ${TOKEN}`,
  "curl, user in the URL": `curl https://ann:${TOKEN}@a.example/`,
  "wget, password": `wget --auth-no-challenge --user=ann --password=${TOKEN} https://a.example`,
  "wget, header": `wget --header='X-Gitlab-Token: ${TOKEN}' --post-data='{}' https://a.example`,
  "PowerShell, table": `irm a.example -Headers @{'X-Gitlab-Token'='${TOKEN}'; 'A'='b'}`,
  "PowerShell, bare name": `irm a.example -Headers @{ Authorization = "Bearer ${TOKEN}" } -Body '{}'`,
  "PowerShell, variable": `$h = @{}\n$h.Add("X-Gitlab-Token", "${TOKEN}")\nirm a.example -Headers $h`,
  "PowerShell, index": `$h = @{}\n$h["X-Gitlab-Token"] = "${TOKEN}"\nirm a.example -Headers $h`,
  "HttpClient, wire": `DEBUG wire - http-outgoing-0 >> "POST /x HTTP/1.1[\\r][\\n]"\nDEBUG wire - http-outgoing-0 >> "X-Gitlab-Token: ${TOKEN}[\\r][\\n]"\nDEBUG wire - http-outgoing-0 >> "[\\r][\\n]"`,
  OkHttp: `--> POST https://a.example/x h2\nX-Gitlab-Token: ${TOKEN}\n\n{}\n--> END POST (2-byte body)`,
  Feign: `[A#b] ---> POST https://a.example/x HTTP/1.1\n[A#b] X-Gitlab-Token: ${TOKEN}\n[A#b] ---> END HTTP (0-byte body)`,
  Undertow: `---REQUEST---\n               URI=/x\n            header=X-Gitlab-Token=${TOKEN}\n            method=POST`,
  Tomcat: `exec-1 START TIME        =1\nexec-1                requestURI=/x\nexec-1                    header=x-gitlab-token=${TOKEN}`,
  "ASP.NET Core": `info: Microsoft.AspNetCore.HttpLogging.HttpLoggingMiddleware[1]\n      Request:\n      Method: POST\n      X-Gitlab-Token: ${TOKEN}`,
  ngrep: `T 192.0.2.1:5 -> 192.0.2.2:80 [AP]\nPOST /x HTTP/1.1.\nHost: a.\nX-Gitlab-Token: ${TOKEN}.\n.\n{}`,
  Bruno: `post {\n  url: https://a.example\n}\n\nheaders {\n  X-Gitlab-Token: ${TOKEN}\n}\n`,
  "Bruno, body": `post {\n  url: https://a.example\n}\n\nheaders {\n  X-A: b\n}\n\nbody:json {\n  ${body}\n}\n`,
  "Insomnia, YAML": `type: collection.insomnia.rest/5.0\ncollection:\n  - url: https://a.example\n    headers:\n      - name: X-Gitlab-Token\n        value: ${TOKEN}`,
  "actix-web": `HttpRequest HTTP/1.1 POST:/x\n  headers:\n    "x-gitlab-token": "${TOKEN}"`,
  "docker, a log file": ["POST /x HTTP/1.1", `X-Gitlab-Token: ${TOKEN}`]
    .map((line) => JSON.stringify({ log: `${line}\n`, stream: "stdout" }))
    .join("\n"),
  "CloudWatch, events": JSON.stringify({
    events: [{ message: `INFO\t${JSON.stringify({ headers: { "x-gitlab-token": TOKEN } })}` }],
  }),
  "Go code": `req.Header.Add("X-Gitlab-Token", "${TOKEN}")`,
  "Java code": `Request request = new Request.Builder()\n  .addHeader("X-Gitlab-Token", "${TOKEN}")`,
  "Ruby code": `request["X-Gitlab-Token"] = "${TOKEN}"`,
  "PHP code": `curl_setopt_array($curl, array(\n  CURLOPT_HTTPHEADER => array(\n    'X-Gitlab-Token: ${TOKEN}',\n  ),`,
  "Net::HTTP": `<- "POST /x HTTP/1.1\\r\\nX-Gitlab-Token: ${TOKEN}\\r\\n\\r\\n"`,
  "Net::HTTP, body": `<- "POST /x HTTP/1.1\\r\\nX-A: b\\r\\n\\r\\n"\n<- ${JSON.stringify(body)}`,
  "http.client": `send: b'POST /x HTTP/1.1\\r\\nX-Gitlab-Token: ${TOKEN}\\r\\n\\r\\n'`,
  "one line": `POST /x HTTP/1.1\\r\\nHost: a\\r\\nX-Gitlab-Token: ${TOKEN}\\r\\n\\r\\n{}`,
  "HttpClient, body": `wire >> "POST /x HTTP/1.1[\\r][\\n]"\nwire >> "X-A: b[\\r][\\n]"\nwire >> "[\\r][\\n]"\nwire >> "${body}"`,
  "Feign, body": `[A#b] ---> POST https://a/x HTTP/1.1\n[A#b] X-A: b\n[A#b] \n[A#b] ${body}\n[A#b] ---> END HTTP (${body.length}-byte body)`,
  "ASP.NET Core, body": `info: Microsoft.AspNetCore.HttpLogging.HttpLoggingMiddleware[1]\n      Request:\n      X-A: b\ninfo: x[3]\n      RequestBody: ${body}`,
  "CloudWatch, body": JSON.stringify({
    events: [{ message: `INFO ${JSON.stringify({ headers: { "x-a": "b" }, body })}` }],
  }),
  "quoted mail, body": `> POST /x HTTP/1.1\n> X-A: b\n>\n> ${body}`,
  "one line, escaped body": `POST /x HTTP/1.1\\r\\nX-A: b\\r\\n\\r\\n${body.replaceAll('"', '\\"')}`,
  "one line, escapes of JSON": `POST /x HTTP/1.1\\u000d\\u000aX-Gitlab-Token: ${TOKEN}\\u000d\\u000a`,
  Zapier: JSON.stringify({ headers: { http_x_gitlab_token: TOKEN }, raw_body: "{}" }),
  WordPress: `Array\n(\n    [x_gitlab_token] => Array\n        (\n            [0] => ${TOKEN}\n        )\n\n)`,
  Hoppscotch: JSON.stringify({ endpoint: "https://a", headers: [{ key: "X-Gitlab-Token", value: TOKEN }] }),
  "Erlang, a request": `#{headers => #{<<"x-gitlab-token">> => <<"${TOKEN}">>},qs => <<>>}`,
  "Clojure, a request": `{:headers {"x-gitlab-token" "${TOKEN}"}, :body #object[a.B 0x1 "c"]}`,
  Traefik: `Request="{\\"Header\\":{\\"X-Gitlab-Token\\":[\\"${TOKEN}\\"]}}"`,
  "Django, a page": `HTTP_HOST\t'a'\nHTTP_X_GITLAB_TOKEN\t'${TOKEN}'`,
  "quoted mail": `> POST /x HTTP/1.1\n> X-Gitlab-Token: ${TOKEN}\n>\n> {}`,
  "PowerShell, escaped body": `irm a.example -Method Post -Body "${body.replaceAll('"', '`"')}"`,
  "cmd.exe, body": `curl a.example --data-raw ^"${body.replaceAll('"', '\\"').replace(/["\\{}]/g, "^$&")}^"`,
  "PowerShell, here-string": `irm a.example -Method Post -Body @'\n${body}\n'@`,
  "PowerShell, token": `irm a.example -Authentication Bearer -Token (ConvertTo-SecureString "${TOKEN}" -AsPlainText)`,
};
/** A recording with the token somewhere else: only a secret that the tab holds can be known there. */
const ELSEWHERE: Record<string, string> = {
  "curl, URL": `curl 'https://a.example/x?key=${TOKEN}'`,
  "curl, base64": `curl https://a.example -H 'X: Basic ${btoa(`:${TOKEN}`)}'`,
  "curl, escapes": `curl https://a.example -d $'${[...TOKEN].map((c) => `\\x${c.charCodeAt(0).toString(16)}`).join("")}'`,
  "HAR, URL": har([], `https://a.example/?k=${encodeURIComponent(TOKEN)}`, "{}"),
  "HAR, body": har([], "https://a.example", JSON.stringify({ deep: { er: `a ${TOKEN} b` } })),
  "HAR, base64 of the body": har([], "https://a.example", btoa(JSON.stringify({ a: TOKEN }))),
  "HAR, escapes": har([], "https://a", "@").replace(
    "@",
    [...TOKEN].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join(""),
  ),
};
/** A request as curl's traces and Burp's items show it, in pieces or as base64. */
const sent = (content: string) => `POST /x HTTP/1.1\r\nHost: a.example\r\n${content}`;
const chunks = (text: string, size: number) => text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
const at = (offset: number) => offset.toString(16).padStart(4, "0");
const hexTrace = (text: string) =>
  `== Info: Connected\n=> Send header, ${text.length} bytes (0x${text.length.toString(16)})\n${chunks(
    text,
    16,
  )
    .map((row, n) => {
      const digits = [...row].map((c) => `${c.charCodeAt(0).toString(16).padStart(2, "0")} `).join("");
      return `${at(16 * n)}: ${digits.padEnd(48)}${row.replace(/[^ -~]/g, ".")}`;
    })
    .join("\n")}\n`;
const textTrace = (text: string) => {
  let offset = 0;
  const rows = text.split("\r\n").flatMap((line) => {
    const cut = (chunks(line, 64).length ? chunks(line, 64) : [""]).map(
      (row, n) => `${at(offset + 64 * n)}: ${row}`,
    );
    offset += line.length + 2;
    return cut;
  });
  return `=> Send header, ${text.length} bytes (0x${text.length.toString(16)})\n${rows.join("\n")}\n`;
};
const burp = (text: string) =>
  `<?xml version="1.0"?>\n<items burpVersion="1">\n<item><request base64="true"><![CDATA[${btoa(text)}]]></request>`;
const IN_PIECES: Record<string, string> = {
  "curl --trace, header": hexTrace(sent(`X-Gitlab-Token: ${TOKEN}\r\n\r\n{}`)),
  "curl --trace, body": hexTrace(sent(`A: b\r\n\r\n${body}`)),
  "curl --trace-ascii, cut": textTrace(sent(`Authorization: Bearer ${TOKEN}${TOKEN}${TOKEN}\r\n\r\n`)),
  "curl --trace-ascii": textTrace(sent(`X-Gitlab-Token: ${TOKEN}\r\n\r\n`)),
  "curl --trace-ascii, behind a full line": textTrace(
    sent(`X-Long: ${"a".repeat(56)}\r\nX-Gitlab-Token: ${TOKEN}\r\n\r\n`),
  ),
  "curl --trace, more blanks": hexTrace(sent(`X-Gitlab-Token: ${TOKEN}\r\n\r\n{}`)).replace(
    /(?<=\b[0-9a-f]{2}) (?=[0-9a-f]{2} )/g,
    "  ",
  ),
  "curl --trace, two heads and a body between": hexTrace(sent("A: b\r\nX-Gitlab-Tok"))
    .concat(hexTrace("{}").replace("header", "data"), hexTrace(`en: ${TOKEN}\r\n\r\n`))
    .replaceAll("== Info: Connected\n", ""),
  "curl --trace, response": hexTrace(`HTTP/1.1 200 OK\r\nX-Gitlab-Token: ${TOKEN}\r\n\r\n`).replace(
    "=> Send",
    "<= Recv",
  ),
  "curl --trace, quoted": hexTrace(sent(`X-Gitlab-Token: ${TOKEN}\r\n\r\n`)).replace(/^/gm, "> "),
  "curl --trace in JSON": JSON.stringify(hexTrace(sent(`X-Gitlab-Token: ${TOKEN}\r\n\r\n`))),
  "Burp, curly quotes": burp(sent(`X-Gitlab-Token: ${TOKEN}\r\n\r\n{}`)).replace('"true"', "“true”"),
  "Burp, header": burp(sent(`X-Gitlab-Token: ${TOKEN}\r\n\r\n{}`)),
  "Burp, body": burp(sent(`A: b\r\n\r\n${body}`)),
};
let marks = 0;
const mark = () => (++marks).toString(16).padStart(24, "0");
const forms = [TOKEN, btoa(TOKEN), btoa(`:${TOKEN}`), encodeURIComponent(TOKEN), TOKEN.slice(6)];

for (const [name, text] of Object.entries(AT_A_PLACE)) {
  test(`a credential at its place that nobody holds does not leave the tab: ${name}`, () => {
    assert.ok(text.includes(TOKEN)); // the control
    const { text: safe } = redactText(text, PLACES, [], mark);
    if (safe !== null) assert.ok(!forms.some((form) => safe.includes(form)), safe);
    assert.notEqual(safe, null);
  });
}

test("a member that is named by a path with dots is found behind a prefix", () => {
  const place: Place = { in: "json", name: "auth.pass.code", template: "{}", encoding: "text" };
  const line = `RequestBody: ${JSON.stringify({ auth: { pass: { code: TOKEN } } })}`;
  assert.ok(!redactText(line, [place], [], mark).text?.includes(TOKEN));
});

for (const [name, text] of Object.entries({ ...AT_A_PLACE, ...ELSEWHERE })) {
  test(`a secret of the tab does not leave it: ${name}`, () => {
    const { text: safe } = redactText(text, PLACES, [TOKEN], mark);
    assert.ok(safe === null || !forms.some((form) => safe.includes(form)), `${safe}`);
  });
}

for (const [name, text] of Object.entries(IN_PIECES)) {
  test(`a request in pieces that has a credential or secret does not leave the tab: ${name}`, () => {
    assert.equal(redactText(text, PLACES, [], mark).text, null);
    assert.equal(redactText(text, [], [TOKEN], mark).text, null);
  });
}

test("a secret with characters that the kernel leaves out does not leave the tab", () => {
  const split = `${TOKEN.slice(0, 12)}\u200b${TOKEN.slice(12)}`;
  for (const text of [
    `X-Any: ${split}`,
    JSON.stringify({ "X-Any": split }),
    `X-Gitlab-\u00adToken: ${split}`,
  ])
    assert.equal(redactText(text, PLACES, [TOKEN], mark).text, null, text);
  assert.ok(!redactText(`X-Gitlab-\u200bToken: ${split}`, PLACES, [], mark).text?.includes("canary"));
});

test("invisible characters beside a credential do not block its text", () => {
  const { text } = redactText(`X-A: b\u200b\u00a0c\nX-Gitlab-Token: ${TOKEN}`, PLACES, [TOKEN], mark);
  assert.ok(text?.includes("b\u200b\u00a0c") && !text.includes(TOKEN));
});

test("a request in pieces without a credential is as it was", () => {
  const plain = sent('X-Hub-Signature-256: sha256=00\r\n\r\n{"a":"b"}');
  for (const text of [hexTrace(plain), textTrace(plain), burp(plain)])
    assert.equal(redactText(text, PLACES, [TOKEN], mark).text, text);
});

test("what stands for a credential is put back into the request that is made of the recording", () => {
  const text = AT_A_PLACE["HAR, body"] as string;
  const { text: safe, originals } = redactText(text, PLACES, [TOKEN], mark);
  const sent = JSON.parse(safe as string).log.entries[0].request.postData.text as string;
  const none = { url: "", method: "", headers: "", sent: null, publicKey: "" };
  const restored = restoreRequest({ ...none, body: utf8(sent) }, originals);
  assert.equal(new TextDecoder().decode(restored.body), body);
});

/** Texts that a reader can no longer read if more than the token is replaced. */
const WITH_MORE: Record<string, string> = {
  "list in JSON": JSON.stringify({
    headers: { "x-gitlab-token": [TOKEN] },
    url: "https://a.example",
    size: 3,
  }),
  "list in formatted JSON": JSON.stringify(
    { headers: { "x-gitlab-token": [TOKEN], host: ["a"] }, n: 1 },
    null,
    2,
  ),
  "list of Python": `{'x-gitlab-token': ['${TOKEN}'], 'host': ['a']}`,
  "map of Go": `map[Host:[a] X-Gitlab-Token:[${TOKEN}] X-Other:[b]]`,
  "map of Java": `{x-gitlab-token=[${TOKEN}], host=[a]}`,
  Spring: `[host:"a", x-gitlab-token:"${TOKEN}", content-type:"b"]`,
  "the last of Spring": `before [host:"a", x-gitlab-token:"${TOKEN}"], payload={}]`,
  "curl in one line": `curl -H 'X-Gitlab-Token: ${TOKEN}' -X POST https://a.example -d '{"a":1}'`,
  "curl in one line, double quotes": `curl -H "X-Gitlab-Token: ${TOKEN}" https://a.example -d "{}"`,
  "curl of cmd.exe": `curl ^"https://a.example^" ^\n  -H ^"x-gitlab-token: ${TOKEN}^" ^\n  --data-raw ^"x^"`,
  "array of lines": `["Host: a", "X-Gitlab-Token: ${TOKEN}", "X-Other: b"]`,
};
for (const [name, text] of Object.entries(WITH_MORE))
  test(`only the token is replaced, not what follows it: ${name}`, () => {
    const { text: safe } = redactText(text, PLACES, [], () => "0".repeat(24));

    assert.equal(safe, text.replace(new RegExp(`${TOKEN}\\^?`), "0".repeat(24)));
  });

/** Texts with a credential that goes on where its end may be assumed. */
const IN_TWO: Record<string, string> = {
  "a quote of bash": `curl -H 'X-Gitlab-Token: glpat-canary'\\''4f8a2c71d9' -d '{}'`,
  "two words of bash": `curl -H 'X-Gitlab-Token: glpat-canary'"-4f8a2c71d9" -d '{}'`,
  "a word of bash without quotes": `curl -H 'X-Gitlab-Token: glpat-canary'-4f8a2c71d9:x -d '{}'`,
  "two in a list": JSON.stringify({ "x-gitlab-token": ["glpat-canary", "4f8a2c71d9"], host: ["a"] }),
  "two in a list of Go": "map[X-Gitlab-Token:[glpat-canary 4f8a2c71d9] Host:[a]]",
  "a bracket in a header": "Host: a\nX-Gitlab-Token: [glpat-canary]4f8a2c71d9",
  "two in quotes": 'Host: a\nX-Gitlab-Token: "glpat-canary" "4f8a2c71d9"',
  "a quote and an option": `I 2026 "X-Gitlab-Token: glpat-canary" -x 4f8a2c71d9" "A: b"`,
  "a quote and a name": "I 2026 'X-Gitlab-Token: glpat-canary', c:4f8a2c71d9' 'A: b'",
  "a quote and an option in a raw header": 'Host: a\nX-Gitlab-Token: "glpat-canary" -x 4f8a2c71d9',
  "a bracket in a list of Go": "map[X-Gitlab-Token:[glpat-canary] 4f8a2c71d9] Host:[a]]",
};
for (const [name, text] of Object.entries(IN_TWO))
  test(`a credential that goes on does not leave the tab: ${name}`, () => {
    const { text: safe } = redactText(text, PLACES, [], mark);

    assert.ok(!/canary|4f8a2c71d9/.test(safe ?? ""), safe ?? "");
  });

test("other text stays as it is", () => {
  const text = `curl 'https://a.example/x?y=1' -H 'X-Hub-Signature-256: sha256=00' -d '{"a":"b"}'`;
  assert.equal(redactText(text, PLACES, [TOKEN], mark).text, text);
});

test("a credential that is too short to be known elsewhere blocks a recording", () => {
  assert.equal(
    redactText(har([{ name: "x-gitlab-token", value: "short" }], "https://a", "{}"), PLACES, [], mark).text,
    null,
  );
});

test("long and odd texts end in time", () => {
  for (const piece of [
    "'",
    '"',
    "\\",
    "{",
    "[",
    "a:",
    '"a',
    "'a\\",
    "\n\n",
    "X-Gitlab-Token: ",
    '{"passcode":',
    "'a' ",
    "X-Gitlab-Token\n",
    "X-Gitlab-Token 'value' ",
    "=> Send header, 1 bytes (0x1)\n",
    "=> Send header, 1 bytes (0x1)\n0000: 61 61\n",
    'base64="true"><![CDATA[',
    'base64="true"><![CDATA[QQ==]]>',
  ]) {
    const start = performance.now();
    redactText(piece.repeat(200_000 / piece.length), PLACES, [TOKEN], mark);
    const took = performance.now() - start;
    assert.ok(took < 10_000, `${piece}: ${took} ms`);
  }
});

/** A secret of a password generator, as the strings of shells write it. */
const ODD = "ab'cdefghij`klmnop^qrs$tu\"vw";
const QUOTED: Record<string, string> = {
  "PowerShell, single quotes": `irm a.example -Body '${ODD.replaceAll("'", "''")}'`,
  "PowerShell, double quotes": `irm a.example -Body "${ODD.replace(/[`$"]/g, "`$&")}"`,
  "PowerShell, doubled double quotes": `irm a.example -Body "${ODD.replaceAll('"', '""')}"`,
  bash: `curl a.example -d '${ODD.replaceAll("'", "'\\''")}'`,
  "bash, the quote in double quotes": `curl a.example -d '${ODD.replaceAll("'", `'"'"'`)}'`,
  "bash, double quotes": `curl a.example -d "${ODD.replace(/[`$"]/g, "\\$&")}"`,
  "cmd.exe": `curl a.example -d ^"${ODD.replace(/[^\w]/g, "^$&")}^"`,
};

for (const [name, text] of Object.entries(QUOTED)) {
  test(`no piece of a secret that a shell quotes leaves the tab: ${name}`, () => {
    const { text: safe } = redactText(text, PLACES, [ODD], mark);
    for (let at = 0; at + 5 <= ODD.length; at++)
      assert.ok(safe === null || !safe.includes(ODD.slice(at, at + 5)), `${safe}`);
  });
}

test("only the credential of a command of HTTPie is replaced, not what follows it", () => {
  const { text: safe } = redactText(
    `http a.example X-Gitlab-Token:${TOKEN} token==${TOKEN} a=b`,
    PLACES,
    [],
    mark,
  );
  assert.match(safe as string, /^http a\.example X-Gitlab-Token:\w+ token==\w+ a=b$/);
});

test("a password that the kernel wrote as base64 is put back", () => {
  const { text: safe, originals } = redactText(`curl a.example -u ann:${TOKEN}`, PLACES, [], mark);
  const [, user] = /-u (.*)$/.exec(safe as string) ?? [];
  const none = { url: "", method: "", body: utf8(""), sent: null, publicKey: "" };
  const headers = `Authorization: Basic ${btoa(user as string)}\nHost: a.example`;
  const restored = restoreRequest({ ...none, headers }, originals);
  assert.equal(restored.headers, `Authorization: Basic ${btoa(`ann:${TOKEN}`)}\nHost: a.example`);
});
