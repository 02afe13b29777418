// A small deterministic kernel, and the faults of one.
//
// It answers by the protocol of src/generator/wire.ts for a few made-up requests. `faults` makes it misbehave:
//   silent    never answers            delayMs   answers late
//   reversed  answers so many at once, the last first
//   keepsEdits  shows an edited body again, as the real one does; it is no fault
//   hostile   answers nonsense to that request, or for that part of the front end
import { CATALOG, EVENT_BODY, FORM_BODY, HASH, LANGUAGES } from "./catalog.js";
import { checkedRequest, checkOperations } from "./checks.js";
import { hex } from "./model.js";

const utf8 = new TextEncoder();
const text = new TextDecoder();

const STOPPED = {
  code: "stopped",
  text: "Stopped after 4.2 s; the receiver may have got the request.",
};

export class FakeKernel {
  constructor(model, faults = {}) {
    this.model = model;
    this.faults = faults;
    this.edits = 0;
    this.deliveries = [];
    this.hanging = new Map(); // deliveries whose receiver does not respond, by their tickets
    this.held = [];
    this.jobs = new Map();
    this.edited = new Map();
    this.next = 0;
    model.kernel = this;
    this.template();
  }

  /** `faults.many` more providers than the few above; it is no fault. */
  listed() {
    const more = Array.from({ length: this.faults.many ?? 0 }, (_, i) => this.known(`made-up-${i}`));
    const code = ["Gitea", "GitHub", "GitLab", "Digits"].map((title, n) => {
      const id = title.toLowerCase();
      return { ...this.known("payment"), id, title, kind: "code-hosting", rank: [null, 1, 6, null][n] };
    });
    const named = this.faults.codeHosting ? code : [];
    return [...CATALOG.providers, ...named, ...more].map(({ id, title, kind, confidence, events, rank }) => {
      const texts = events.map(({ name, category, title }) => `${name} ${category} ${title}`).join(" ");
      const words = `${texts} digits`.toLowerCase().replace(/[^a-z0-9]+/g, " ");
      return { id, title, kind, confidence, rank, words };
    });
  }
  known(id) {
    const provider = this.listing(id);
    if (!provider) return provider;
    const token = id === "gate";
    const pairs = { ed25519: "ed25519", rsa: "rsa-sha256" };
    const algorithm = token ? "token" : (pairs[provider.key.algorithm] ?? "hmac-sha256");
    const credentials = token
      ? [{ in: "header", name: "X-Signature", template: "{}", encoding: "text" }]
      : [];
    const signatures = [{ field: "signature", algorithm }];
    const fault = (name, title, problem = "", expected = "4xx") => ({ name, title, expected, problem });
    return {
      ...provider,
      faults: [
        fault("wrong_signature", "Wrong signature"),
        fault("no_signature", "No signature header"),
        fault("changed_body", "Changed body", token ? "the body is not signed" : ""),
        fault("expired_timestamp", "Expired timestamp", id === "stripe" ? "" : "no time is signed"),
        fault("sent_twice", "Sent twice", "", "2xx"),
      ],
      schemes: provider.schemes.map((scheme) => ({ ...scheme, signatures, credentials })),
    };
  }
  listing(id) {
    const match = /^made-up-(\d+)$/.exec(id);
    if (!match) return CATALOG.providers.find((provider) => provider.id === id);
    const n = Number(match[1]);
    return {
      ...CATALOG.providers[0],
      id,
      title: `Made Up ${n}`,
      kind: ["payment", "ci", "issue-tracking", "email-delivery", "observability", "crm"][n % 6],
      confidence: { scheme: ["sdk", "peer", "docs"][n % 3], headers: "docs", bodies: "unconfirmed" },
      unconfirmed: n % 3 ? ["User-Agent", "order of the headers"] : [],
      events: Array.from({ length: 80 }, (_, e) => {
        const name = `thing${n}.event_${e}`;
        return { name, category: `Group ${e % 8}`, title: `Event ${e} of ${n}` };
      }),
    };
  }

  template() {
    const { provider } = this.model.traits;
    if (this.shown) this.edited.set(this.shown, this.body());
    this.shown = provider;
    const edited = this.faults.keepsEdits && this.edited.get(provider);
    if (edited) return this.write(edited);
    const body =
      provider === "twilio"
        ? FORM_BODY
        : provider === "stripe" || provider === "payment"
          ? EVENT_BODY
          : '{"type":1}';
    this.sample = body;
    this.write(utf8.encode(body));
  }
  /** Every other value follows from the seed, so that one sees which is which. */
  randomize({ seed, values }, answer, reject) {
    if (values.amount && !/^\d+$/.test(values.amount)) {
      const text = `“${values.amount}” is no whole number: write one, such as 2500`;
      return reject("bad_value", text, { field: "params.amount" });
    }
    const sample = { amount: "2000", currency: "usd", id: "pi_3TestA0000000000000001" };
    const put = seed === null ? {} : { amount: String(100 * seed), currency: "eur", id: `pi_Seed${seed}` };
    this.sample = EVENT_BODY;
    for (const [name, is] of Object.entries(sample)) {
      if (values[name]) put[name] = values[name].toLowerCase();
      this.sample = this.sample.replace(is, put[name] ?? is);
    }
    this.write(utf8.encode(this.sample));
    this.draft();
    answer({ values: put });
  }
  receiver({ language }, answer, reject) {
    const { provider, scheme } = this.model.traits;
    if (provider === "discord")
      return reject("no_receiver", "there is no receiver for key pairs in this language");
    const body = Array.from({ length: 30 }, (_, n) => `    step_${n}(headers, body)`).join("\n");
    answer({
      text: `# ${language}, ${provider} ${scheme || "v1"}\ndef verify(headers, body):\n    ${"long_name, ".repeat(30)}\n${body}\n`,
    });
  }
  write(bytes) {
    this.model.traits.body = new DataView(new Uint8Array(bytes).buffer);
    this.model.traits.revision = `kernel:${++this.edits}`;
    this.model.emit("change:body");
    this.model.emit("change:revision");
  }
  body() {
    const { body } = this.model.traits;
    return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  }

  emit(content, buffers = []) {
    if (this.faults.silent) return;
    const deliver = () =>
      this.model.emit(
        "msg:custom",
        content,
        buffers.map((bytes) => new DataView(new Uint8Array(bytes).buffer)),
      );
    if (this.faults.reversed && content.re) {
      this.held.push(deliver);
      if (this.held.length === this.faults.reversed) for (const late of this.held.splice(0).reverse()) late();
    } else if (this.faults.delayMs) setTimeout(deliver, this.faults.delayMs);
    else queueMicrotask(deliver);
  }

  changed(names) {
    if (this.faults.silent) return;
    if (names.includes("provider") || names.includes("event")) this.template();
    this.draft();
  }

  problems() {
    const body = text.decode(this.body());
    if (this.model.traits.provider === "twilio") return [];
    const trailing = /,(\s*)([}\]])/.exec(body);
    if (trailing) {
      const before = body.slice(0, trailing.index);
      const line = before.split("\n").length;
      return [
        {
          line,
          column: trailing.index - before.lastIndexOf("\n"),
          message: `a comma right before “${trailing[2]}”: take it out`,
          level: "error",
        },
      ];
    }
    try {
      JSON.parse(body);
      return [];
    } catch {
      return [{ line: 1, column: 1, message: "this is not JSON", level: "error" }];
    }
  }

  headers(signature) {
    const { provider, headers } = this.model.traits;
    const name =
      provider === "stripe"
        ? "Stripe-Signature"
        : provider === "discord"
          ? "X-Signature-Ed25519"
          : "X-Signature";
    const value =
      signature === null
        ? provider === "gate"
          ? "••••••••"
          : null
        : provider === "stripe"
          ? `t=1795262400,v1=${hex(signature)}`
          : hex(signature);
    return [
      {
        name: "User-Agent",
        value: "Test/1.0 (+https://example.com/webhooks)",
        source: "provider",
        signed: false,
      },
      {
        name: "Content-Type",
        value:
          provider === "twilio" ? "application/x-www-form-urlencoded" : "application/json; charset=utf-8",
        source: "provider",
        signed: false,
      },
      { name, value, source: "provider", signed: true },
      ...headers.map(([header, is]) => ({ name: header, value: is, source: "yours", signed: false })),
    ];
  }

  job(purpose, then) {
    const { provider, revision } = this.model.traits;
    const id = `kernel-${++this.next}`;
    this.jobs.set(id, then);
    const message = utf8.encode("1795262400.");
    const whole = new Uint8Array([...message, ...this.body()]);
    const scheme = this.model.traits.scheme || this.known(provider).schemes[0].name;
    this.emit({ id, op: "sign", args: { revision, purpose, provider, scheme, fields: ["signature"] } }, [
      whole,
    ]);
  }

  draft() {
    const { revision, url, provider, clock } = this.model.traits;
    const body = this.body();
    const shown = `1795262400.${text.decode(body)}`.replaceAll("\n", "␊\n");
    const fixed = clock.mode === "fixed" ? clock.at : "2026-11-21T12:00:00Z";
    this.emit({
      op: "draft",
      revision,
      error:
        url === "bad"
          ? {
              code: "invalid_request",
              text: "“bad” is not a URL: begin with https:// or http://",
              field: "url",
            }
          : null,
      problems: this.problems(),
      url,
      method: "POST",
      headers: this.headers(null),
      body: {
        length: body.length,
        sha256: "00".repeat(32),
        bom: body[0] === 0xef,
        line_ends: "lf",
        trailing_newline: true,
        utf8: true,
        kind: provider === "twilio" ? "form" : "json",
      },
      edited: text.decode(body) !== this.sample,
      form: provider === "twilio" ? [...new URLSearchParams(text.decode(body))] : null,
      reveals_secret: provider === "gate",
      base_strings: [
        {
          field: "signature",
          algorithm: "hmac-sha256",
          length: body.length + 11,
          sha256: HASH,
          shown,
          cut: false,
        },
      ],
      at: fixed,
      warnings:
        url.startsWith("http://") && !url.includes("127.0.0.1")
          ? ["http:// is not encrypted: anyone in between can read this request."]
          : [],
    });
    if (provider === "gate") return;
    this.job("preview", (signature) => {
      if (revision !== this.model.traits.revision) return;
      this.signature = signature;
      this.emit({
        op: "signed",
        revision,
        headers: this.headers(signature),
        signatures: [{ field: "signature", text: hex(signature) }],
        body_note: null,
        at: fixed,
      });
    });
  }

  /** Knows one recording only, whatever the text says. */
  recording(to, content, answer, reject) {
    if (!content.includes("https://"))
      return reject("invalid_argument", "this is not a recording; paste a request");
    const record = {
      n: this.deliveries.length + 1,
      imported: true,
      elapsed_s: 0,
      at: "2026-11-21T11:00:00+00:00",
      url: "https://receiver.example/hook",
      method: "POST",
      status: 200,
      reason: "OK",
      level: "ok",
      provider: "stripe",
      event: "",
    };
    if (to === "history") {
      this.deliveries.push(record);
      this.emit({ op: "history", deliveries: [record] });
    }
    if (to === "editor") {
      this.write(utf8.encode('{"imported":1}'));
      this.draft();
    }
    answer(
      {
        format: "curl command",
        count: to === "verify" ? 1 : 2,
        provider: "stripe",
        url: record.url,
        method: "POST",
        headers: [["Stripe-Signature", "t=1,v1=00"]],
        body_known: true,
        notes: ["curl adds User-Agent by itself"],
        at: "",
      },
      [utf8.encode('{"imported":1}')],
    );
  }

  receive(content, buffers) {
    if (content.re) {
      const then = this.jobs.get(content.re);
      this.jobs.delete(content.re);
      if (then && content.ok) then(content.value.matches ?? buffers[0]);
      return;
    }
    const answer = (value, extra) => this.emit({ re: content.id, ok: true, value }, extra);
    const reject = (code, message, more = {}) =>
      this.emit({ re: content.id, ok: false, error: { code, text: message, ...more } });
    const { hostile } = this.faults;
    if (hostile && [content.op, content.args?.name].includes(hostile))
      return answer([null, { providers: "<img src=x onerror=alert(1)>" }]);
    const operations = {
      catalog: () =>
        answer({
          providers: this.listed(),
          languages: LANGUAGES,
          credentials: [],
          problems: this.faults.problems ?? [], // no fault of the kernel's
        }),
      provider: ({ id }) => {
        const provider = this.known(id);
        if (provider) answer({ provider });
        else reject("unknown_name", `there is no provider “${id}”`);
      },
      ping: () => answer({}),
      history: () => answer({ deliveries: [] }),
      as_sent: ({ n }) => {
        if (typeof n === "string") return answer(...checkedRequest());
        const { url, method, sent } = this.deliveries[n - 1];
        answer({ url, method, headers: sent?.headers ?? [] }, [sent?.body ?? new Uint8Array()]);
      },
      exchange: ({ n }) => {
        const { url, method, sent, imported } = this.deliveries[n - 1];
        const [name] = sent?.headers[0] ?? ["X-Imported"];
        answer(
          {
            url,
            method,
            headers: sent?.headers ?? [[name, "1"]],
            body_known: !imported,
            sha256: HASH,
            notes: imported ? ["the recording does not contain the body"] : [],
            base_strings: imported
              ? []
              : [
                  {
                    field: "signature",
                    algorithm: "hmac-sha256",
                    length: 9,
                    sha256: HASH,
                    shown: '1.{"id"}',
                  },
                ],
            started: "2026-11-21T12:00:00.250+00:00",
            duration_s: 0.042,
            response_headers: [["X-Answer", "1"]],
            response_known: true,
          },
          [sent?.body ?? [], utf8.encode("answered")],
        );
      },
      compare: ({ a, b }) =>
        answer({
          headers: ["@@ -1 +1 @@", `-X-Number: ${a}`, `+X-Number: ${b}`],
          body: [],
          response: [],
          notes: [],
          signature: "The signatures differ because signed parts do: timestamp.",
        }),
      search: ({ text: words }) => {
        if (this.faults.noSearch) return reject("unknown_op", "this kernel does not know the request");
        const inside = ({ sent }) => `${sent?.headers.join(" ")} ${text.decode(sent?.body)} answered`;
        const matches = this.deliveries.filter((entry) => inside(entry).includes(words)).map(({ n }) => n);
        answer({ matches });
      },
      past_curl: ({ n }) => answer({ text: `curl --request POST # ${n}` }),
      export: ({ form }) => answer({}, [utf8.encode(`{"form":"${form}"}`)]),
      clear: () => {
        answer({});
        this.emit({ op: "cleared", last: this.deliveries.length });
      },
      open: ({ n }) => {
        this.write(utf8.encode(JSON.stringify({ opened: n })));
        this.draft();
        answer({});
      },
      import: ({ to }) =>
        this.recording(to, text.decode(new Uint8Array(buffers[0].buffer ?? buffers[0])), answer, reject),
      preview: () => {
        this.draft();
        answer({});
      },
      chunk: ({ name }) => this.chunk(name).then((source) => answer({}, [source])),
      format: () => this.reformat(2, answer, reject),
      minify: () => this.reformat(0, answer, reject),
      reset: () => {
        this.template();
        this.draft();
        answer({});
      },
      randomize: (args) => this.randomize(args, answer, reject),
      receiver: (args) => this.receiver(args, answer, reject),
      set_form: ({ params }) => {
        this.write(utf8.encode(new URLSearchParams(params).toString()));
        this.draft();
        answer({});
      },
      curl: ({ form, secret_env }) =>
        answer({
          text:
            form === "env"
              ? `secret="$${secret_env}"\ncurl ${this.model.traits.url} …`
              : `${this.faults.piped ?? ""}curl --request POST '${this.model.traits.url}' \\\n  --header 'Stripe-Signature: t=1795262400,v1=${hex(this.signature ?? [])}' \\\n  --data-binary @-`,
        }),
      ...checkOperations(this, answer, reject),
      send_stop: ({ ticket }) => {
        if (this.faults.deaf) return; // a kernel that is busy with something else
        answer({});
        this.respond(ticket, { status: null, reason: "", level: "warn", error: STOPPED });
      },
      send: (args) => this.together(() => this.deliver(args, answer, reject)),
      verify: () => this.verify(answer),
      diagnose: (args) => this.diagnose(args, buffers, answer, reject),
    };
    operations[content.op] ? operations[content.op](content.args) : reject("unknown_op", "no such request");
  }

  reformat(indent, answer, reject) {
    try {
      this.write(utf8.encode(JSON.stringify(JSON.parse(text.decode(this.body())), null, indent)));
    } catch {
      return reject("invalid_json", "this is not valid JSON, so it cannot be formatted: correct it first");
    }
    this.draft();
    answer({});
  }

  /** With `faults.together`, nothing is sent until so many requests are under way. */
  together(work) {
    this.waiting = [...(this.waiting ?? []), work];
    if (this.waiting.length < (this.faults.together ?? 1)) return;
    const all = this.waiting;
    this.waiting = [];
    for (const each of all) each();
  }

  /** A receiver at `/lax` accepts everything, all others reject what is wrong. */
  deliver({ ticket, confirmed_host: confirmed, event: chosen, fault, of }, answer, reject) {
    if (fault && this.faults.notApplicable === fault)
      return reject("not_applicable", "does not apply: no time is signed");
    const { url, event, provider } = this.model.traits;
    const { hostname } = new URL(url);
    if (this.faults.noSockets)
      return reject("no_sockets", "Not sent from here: Python runs in this browser, which has no sockets.");
    if (hostname !== "127.0.0.1" && confirmed !== hostname) {
      return reject(
        "confirm_host",
        `This sends a signed request to ${hostname}, which is not this machine.`,
        { host: hostname },
      );
    }
    this.job("send", (signature) => {
      this.signature = signature;
      const slow = url.includes("slow");
      const wrong = Boolean(fault) && fault !== "sent_twice";
      const rejects = url.includes("reject") || (wrong && !url.includes("lax"));
      const expected = rejects === wrong;
      const assessment = {
        ok: expected,
        text: rejects
          ? expected
            ? "Rejected, as it should be (400)"
            : "Rejected: the receiver should accept this (400)"
          : expected
            ? "Accepted, as it should be (200)"
            : "Accepted: the receiver should reject this (200)",
      };
      const title = this.known(provider).faults.find(({ name }) => name === fault)?.title;
      const n = this.deliveries.length + 1;
      const record = {
        n,
        at: `2026-11-21T12:00:0${n % 10}Z`,
        url,
        method: "POST",
        status: slow ? 503 : rejects ? 400 : 200,
        reason: slow ? "Service Unavailable" : rejects ? "Bad Request" : "OK",
        advice: slow
          ? "The receiver failed; a provider would try again later."
          : rejects
            ? "Rejected; often a signature mismatch."
            : "Accepted.",
        quote: rejects ? "No signatures found matching the expected signature" : "",
        verifiable: rejects,
        level: slow ? "bad" : rejects ? "warn" : "ok",
        elapsed_s: slow ? 7.2 : 0.034,
        within_s: this.known(provider).within_s ?? null,
        title: this.known(provider).title,
        headers: [
          ["Content-Type", "application/json"],
          ["Server", "test"],
        ],
        body_text: this.answerBody ?? '{"received": true}',
        body_length: 18,
        body_truncated: false,
        sent_sha256: HASH,
        equal_to_payload: true,
        error: null,
        answer:
          event === "ping" ? { ok: false, detail: "the answer is 418, and the provider wants 204" } : null,
        provider,
        event: chosen ?? this.deliveries[of - 1]?.event ?? event,
        fault: title ?? "",
        assessment,
        revision: this.model.traits.revision,
      };
      const headers = this.headers(signature).map(({ name, value }) => [name, value]);
      const sent = { headers, body: this.body().slice() };
      const respond = (changes) => {
        const complete = { ...record, n: this.deliveries.length + 1, ...changes };
        this.deliveries.push({ ...complete, sent });
        this.emit({ op: "delivery", record: complete });
        answer(complete);
      };
      if (url.includes("hang")) this.hanging.set(ticket, respond);
      else respond({});
    });
  }

  /** Responds to a request that hangs; by default to the first one, as a receiver does that was late. */
  respond(ticket = [...this.hanging.keys()][0], changes = {}) {
    const respond = this.hanging.get(ticket);
    this.hanging.delete(ticket);
    respond?.(changes);
  }

  /** Asks the tab for `faults.guesses` guesses about a body of a megabyte, then says what it always says. */
  diagnose({ provider }, [body, sent], answer, reject) {
    if (this.faults.noDiagnosis) return reject("unknown_op", "this kernel does not know the request");
    const id = `kernel-${++this.next}`;
    const guesses = this.faults.guesses ?? 3;
    const jobs = Array.from({ length: guesses }, (_, i) => ({
      scheme: this.known(provider || "stripe").schemes[0].name,
      field: "signature",
      variant: i ? "newline-added" : "",
      algorithm: "",
      message: [0, 1],
      presented: [2],
    }));
    const providerId = provider === "" ? "stripe" : provider;
    this.jobs.set(id, (matches) => {
      const base = { label: "as received", length: 388, sha256: HASH, shown: '1795262400.{␊\n  "id": 1␊\n}' };
      const signed = { sha256: "5a".repeat(32), length: 361, shown: '1795262400.{"id":1}' };
      const nothing = matches.every((match) => match < 0) && this.faults.unexplained;
      answer({
        verdict: {
          ok: false,
          reason: "signature_differs",
          detail: "Stripe-Signature: the signature differs",
          steps: [
            { label: "Signature header", ok: true, text: "Stripe-Signature is present and well-formed" },
            { label: "Signature", ok: false, text: "the signature differs" },
          ],
        },
        provider: providerId,
        detected:
          provider === ""
            ? [
                { id: "stripe", title: "Stripe" },
                { id: "payment", title: "Payment" },
              ]
            : [],
        findings: nothing
          ? []
          : [
              {
                cause: "body-json-compact",
                title: "The body was re-serialized: it was signed with spaces",
                change: "Verify the raw bytes of the request, before any parser has seen them.",
                frameworks: [
                  ["Flask", "request.get_data() before request.form or request.json is touched"],
                  ["Django", "request.body, before request.POST is read"],
                  ["Express", "express.raw({ type: '*/*' }) on this route; verify the Buffer req.body"],
                ],
              },
              {
                cause: "secret-newline",
                title: "The secret ends with a line end",
                change: "Take the white space off the secret where it is read.",
                frameworks: [["Express", "process.env.NAME.trim()"]],
              },
            ],
        excluded: nothing
          ? [
              "17 variants of the secret (prefix, base64, hex, quotes, line endings …): no match",
              "24 variants of the body (whitespace, escapes, line endings, encodings …): no match",
            ]
          : [],
        not_excluded: nothing ? ["the signing secret of another endpoint, account or mode"] : [],
        strings: nothing
          ? [base]
          : [base, { ...base, ...signed, label: "as sent" }, { ...base, ...signed, label: "as signed" }],
        difference: nothing
          ? ""
          : `first difference at byte 12: received ‘␊··"id":·1␊}’, signed ‘"id":1}’${sent ? " (sent is known)" : ""}`,
      });
    });
    const long = new Uint8Array(this.faults.guesses ? 1 << 20 : body.length);
    this.emit({ id, op: "match", args: { provider: providerId, jobs } }, [
      utf8.encode("1."),
      long,
      new Uint8Array(32),
    ]);
  }

  verify(answer) {
    answer({
      ok: false,
      reason: "timestamp_outside_tolerance",
      detail: "The timestamp is 421 s old; the provider's library accepts 300 s.",
      steps: [
        { label: "Header Stripe-Signature", ok: true, text: "found, one signature" },
        { label: "Timestamp", ok: false, text: "421 s old, 121 s too old" },
        { label: "Signature", ok: null, text: "" },
      ],
    });
  }

  async chunk(name) {
    const reply = await fetch(new URL(`../../../src/hook_widgets/widgets/static/${name}`, import.meta.url));
    return reply.arrayBuffer();
  }
}
