// A small deterministic calculator behind a model with the anywidget interface. It answers by the protocol of
// src/calculator/wire.ts with figures that only look like some; the picture is a few lines on a canvas.
//
// `faults` makes it misbehave:
//   silent    never answers            delayMs   answers late
//   hostile   answers nonsense to that request
//   lose      so many frames do not arrive
//   problem   says that of all inputs
// `ownTraffic` is no fault: code has given the requests.
import { FakeFrames } from "./frames-kernel.js";

const CHANGED = { text: "Changed: In flight per client (published: 100).", source: "", changed: true };
const factsOf = ({ preset, concurrency }) =>
  preset === "github-user"
    ? [
        {
          text: "Published, read 2026-11-21: limits, algorithm (fixed window).",
          source: "https://docs.example.com/rate-limits",
          changed: false,
        },
        { text: "Not published, so assumed: burst allowance (5,000).", source: "", changed: false },
        ...(concurrency === "100" ? [] : [CHANGED]),
      ]
    : [];
const CATALOG = {
  presets: [
    { id: "free", title: "Free tier", kind: "tier" },
    { id: "pro", title: "Pro tier", kind: "tier" },
    { id: "github-user", title: "GitHub REST, user token", kind: "api" },
  ],
  algorithms: [
    { id: "token_bucket", title: "Token bucket", note: "Saves up what is not used, up to its capacity." },
    { id: "leaky_bucket", title: "Leaky bucket", note: "A queue that is served at a constant rate." },
    { id: "fixed_window", title: "Fixed window", note: "Starts a new count at every turn of the clock." },
    { id: "sliding_log", title: "Sliding log", note: "Remembers the time of every request." },
    { id: "sliding_counter", title: "Sliding counter", note: "Weighs the window before by its overlap." },
  ],
  patterns: [
    { id: "bursts", title: "Steady with bursts", note: "A burst on top, again and again." },
    { id: "poisson", title: "Random (Poisson)", note: "Independent requests." },
  ],
  groups: [
    { id: "limit", title: "Limit" },
    { id: "traffic", title: "Traffic" },
    { id: "clients", title: "Clients" },
    { id: "run", title: "Run" },
  ],
  levels: [
    { id: "ip", title: "each IP" },
    { id: "user", title: "each user" },
    { id: "endpoint", title: "each endpoint" },
  ],
  fields: [
    [
      "capacity",
      "Bucket capacity",
      "limit",
      "How many requests may go at once after a pause.",
      "10 s of the limit",
    ],
    ["cushion", "Cushion below the limit", "limit", "How far to stay below what is published.", "15 %"],
    ["steady", "Steady traffic", "traffic", "All clients together.", "18/s"],
    ["burst", "Burst", "traffic", "Requests that come on top of it.", "none"],
    ["burst_window_s", "Burst lasts", "traffic", "", "all at once"],
    ["burst_every_s", "Burst every", "traffic", "", "60 s"],
    ["users", "Users", "traffic", "", "as clients", "user"],
    ["ips", "IP addresses", "traffic", "", "as clients", "ip"],
    ["busiest_share", "Share of the busiest", "traffic", "", "even", "any"],
    ["clients", "Clients sharing the limit", "clients", "", "1"],
    ["concurrency", "In flight per client", "clients", "", "no bound"],
    ["latency_s", "Latency of a call", "clients", "", "250 ms"],
    ["timeout_s", "Client's timeout", "clients", "How long a client waits before it gives up.", "30 s"],
    ["duration_s", "Time shown", "run", "", "120 s"],
    ["seed", "Seed", "run", "", "1"],
  ].map(([name, label, group, help, placeholder, level = ""]) => ({
    level,
    add: name === "burst" ? "Add a burst" : "",
    name,
    label,
    group,
    help,
    placeholder,
    optional: name !== "cushion" && name !== "seed",
  })),
};

export const LABELS = Object.fromEntries(CATALOG.fields.map(({ name, label }) => [name, label]));

const counts = [1, 2, 5, 10, 20, 50, 100, 200, 280, 400, 500, 1000, 2000, 5000].map(String);
const times = [1, 2, 5, 10, 20, 30, 60, 120, 300].map((s) => `${s} s`);
const STEPS = {
  "limits.0": [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000].map(
    (n) => `${n}/hour`,
  ),
  capacity: counts,
  cushion: Array.from({ length: 51 }, (_, i) => `${i} %`),
  steady: Array.from({ length: 60 }, (_, i) => `${i + 1}/s`),
  burst: counts,
  burst_window_s: times,
  burst_every_s: times,
  clients: counts,
  concurrency: counts,
  latency_s: [10, 20, 50, 100, 250, 500, 1000].map((ms) => `${ms} ms`),
  timeout_s: times,
  duration_s: times,
};
const first = (text) => Number.parseFloat(text.replaceAll(",", ""));

export class FakeCalculator extends FakeFrames {
  scales = "a";

  // Two lanes over 120 s: tokens fall from 100 to 0 along the axis, and of each second's requests one is rejected.
  overlay({ width, height, part }) {
    const [begin, end] = part ?? [0, 120];
    const place = (top) => [46, top, width - 66, height / 2 - 40];
    const columns = Math.floor(width - 66);
    const seconds = Math.ceil(end) - Math.floor(begin);
    const tokens = Array.from(
      { length: columns },
      (_, k) => 100 - (begin + ((k + 0.5) / columns) * (end - begin)) / 1.2,
    );
    const series = (label, count, bins) => ({ label, count, bins });
    return {
      overlay: {
        begin,
        end,
        part: begin > 0 || end < 120,
        unit: { name: "s", seconds: 1, decimals: 1 },
        bins: { begin: Math.floor(begin), width: 1 },
        lanes: [
          { place: place(20), title: "", series: [series("Tokens left", columns, false)] },
          {
            place: place(height / 2 + 10),
            title: "",
            series: [series("Admitted", seconds, true), series("Rejected", seconds, true)],
          },
        ],
      },
      values: Float32Array.from([...tokens, ...Array(seconds).fill(20), ...Array(seconds).fill(1)]),
    };
  }

  catalog() {
    return this.faults.ownTraffic ? { ...CATALOG, patterns: [] } : CATALOG;
  }

  more(answer, reject, buffers) {
    return {
      preset: ({ name }) => answer({ inputs: this.preset(name) }),
      part: ({ at }) => {
        const [bytes] = buffers;
        this.log = at === 0 ? [bytes] : [...this.log, bytes];
        answer({ received: at + bytes.byteLength });
      },
      log: () => {
        const text = this.log.map((part) => new TextDecoder().decode(part)).join("");
        if (!text.includes("[")) return reject("invalid_arrivals", "There are no two lines with a time.");
        answer({
          inputs: { steady: "3/s", burst: "40", burst_window_s: "2 s", burst_every_s: "" },
          sentences: ["Read 5,250 requests.", "The times are whole seconds."],
        });
      },
      headers: ({ text }) => {
        if (!text.includes(":")) return reject("invalid_limit", "There is no header in this text.");
        answer({
          inputs: {
            preset: "",
            limits: [
              ["burst", "100/min"],
              ["daily", "5000/day"],
            ],
          },
          sentences: ["Read 2 limits from RateLimit-Policy.", "The headers do not say the algorithm."],
        });
      },
    };
  }

  exported({ format, sweep }) {
    return {
      filename: `rate-limit${sweep ? "-sweep" : ""}.${format}`,
      media_type: { svg: "image/svg+xml", csv: "text/csv" }[format] ?? "image/png",
    };
  }

  preset(name) {
    if (name === "free") return { preset: name, limits: [["hourly", "1000/hour"]], capacity: "" };
    if (name === "pro") return { preset: name, limits: [["hourly", "100000/hour"]], capacity: "280" };
    return {
      preset: name,
      concurrency: "100",
      limits: [
        ["hourly", "5000/hour"],
        ["reads of one endpoint", "900/min"],
      ],
    };
  }

  problem(inputs) {
    if (this.faults.problem) return this.faults.problem;
    for (const [i, [, rate]] of inputs.limits.entries()) {
      if (!/^[\d.,]+\s*\/\s*(s|min|hour|day)( per (ip|user|endpoint))?$/.test(rate))
        return {
          field: `limits.${i}`,
          text: `${JSON.stringify(rate)} is no rate: write a number and a unit, such as 1000/hour`,
        };
    }
    const wrong = Object.keys(STEPS).find((name) => inputs[name] && Number.isNaN(first(inputs[name])));
    if (wrong)
      return { field: wrong, text: `“${inputs[wrong]}” is no number: write one, such as ${STEPS[wrong][3]}` };
    if (first(inputs.cushion) > 99)
      return { field: "cushion", text: "A cushion of 100 % leaves nothing: choose less." };
    if (inputs.seed && !/^\d+$/.test(inputs.seed))
      return { field: "seed", text: "A whole number, such as 7." };
    return null;
  }

  frame({ inputs, width, height, quick, scales, sweep }) {
    const fields = Object.fromEntries(
      Object.entries(STEPS).map(([name, steps]) => {
        const value = name === "limits.0" ? inputs.limits[0][1] : inputs[name];
        const near = steps.reduce(
          (best, step, i) =>
            Math.abs(first(step) - first(value)) < Math.abs(first(steps[best]) - first(value)) ? i : best,
          0,
        );
        const planned = CATALOG.fields.find((field) => field.name === name)?.placeholder ?? "";
        const note = name === "cushion" && first(value) < 10 ? "Below the usual 10 to 20 %." : "";
        const suggested = name === "burst" ? "200" : "";
        return [name, { index: value ? near : null, shown: value || planned, note, suggested }];
      }),
    );
    const common = {
      fields,
      scales: scales === this.scales ? null : { id: this.scales, steps: STEPS },
    };
    const error = this.problem(inputs);
    if (error) return { error, ...common, status: null, picture: null };
    const burst = first(inputs.burst) || 0;
    const capacity = first(inputs.capacity) || 280;
    const rejected = Math.max(0, burst - capacity);
    const rows = inputs.compare
      ? CATALOG.algorithms.map(({ title }, i) => [
          title,
          2400 - 20 * i,
          60 + 20 * i,
          `${2 + i} %`,
          `${i}.4 s`,
        ])
      : [
          ["Requests", 2520],
          ["Admitted", 2520 - rejected],
          ["Rejected (429)", rejected],
          ["Longest wait", "3.1 s"],
          ["Lowest level", "0 tokens"],
        ];
    const quickFrame = {
      error: null,
      ...common,
      status: rejected
        ? { level: "warn", text: `Burst is rejected for ${(rejected / 38.7).toFixed(1)} s` }
        : { level: "ok", text: "Nothing is rejected" },
      cards: [
        { title: "Safe rate", value: "23.6/s", note: `${inputs.cushion || "15 %"} below the limit` },
        { title: "Per client", value: "1.97/s", note: "a call every 508 ms" },
        { title: "Utilisation", value: "76 %", note: "" },
        {
          title: "Rejected (429)",
          value: `${((rejected / 2520) * 100).toFixed(1)} %`,
          note: `${rejected} requests`,
        },
        { title: "p95 wait", value: "3.1 s", note: "" },
        { title: "Queue size", value: "74", note: "for a wait of 3 s" },
      ],
    };
    if (quick) return { ...quickFrame, picture: { width, height, alt: "", quick } };
    const knee = "At most 0.1% is rejected from 5,000 per hour on";
    const swept = {
      status: { level: "ok", text: knee },
      table: {
        caption: `${knee}: 2,520 requests under each limit`,
        columns: ["Limit, requests per hour", "Rejected (429)"],
        rows: ["2,500", "5,000", "10,000 (now)"].map((limit, i) => [limit, i ? "0 (0%)" : "900 (35.7%)"]),
      },
    };
    const alt = sweep
      ? knee
      : `Token level and queue depth over 120 seconds; ${rejected} requests are rejected.`;
    const whole = {
      ...quickFrame,
      preset: { id: inputs.preset, facts: factsOf(inputs) },
      advice: {
        verdict: "Steady traffic of 64,800/h uses 64.8 % of the limit of 100,000 per hour; it fits.",
        actions: [
          `A burst of ${burst} meets a bucket of ${capacity}: ${rejected} requests wait or get 429. A capacity of ${burst + 1} lets it pass.`,
          "Give each of the 12 clients 1.97 requests/s, one call every 508 ms; four in flight are enough at 250 ms (Little's law: 0.5).",
        ],
        reasons: ["In any hour at most 100,280 requests pass: the limit plus one full bucket."],
      },
      table: {
        caption: inputs.compare ? "All five on the same 2,520 requests" : "What the picture shows",
        columns: inputs.compare
          ? ["Algorithm", "Admitted", "Rejected (429)", "Rejected %", "p95 wait"]
          : ["What", "Value"],
        rows,
      },
      figures: {
        caption: "The plan",
        columns: ["Figure", "Value"],
        rows: [
          ["Published limit", "100,000/h"],
          ["Safe rate", "23.6/s"],
          ["Budget of a client", "1.97/s"],
          ["Time to drain the burst", "21 s"],
        ],
      },
      code: [
        {
          title: "Throttle calls",
          code: "limiter = AsyncLimiter(9, 1.125)\n",
          note: "At most 9 calls at once.",
        },
      ],
      configs_title: "Enforce the limit",
      configs: [
        {
          target: "nginx",
          kind: "proxies",
          text: "limit_req zone=limit1 burst=299 nodelay;\n",
          deviations: ["Times are whole milliseconds: 1 ms"],
          problem: "",
        },
        {
          target: "traefik",
          kind: "proxies",
          text: "",
          deviations: [],
          problem: "traefik limits each client on its own; let the limit apply to each IP address",
        },
        {
          target: "governor",
          kind: "libraries",
          text: "let limiter = RateLimiter::direct(quota);\n",
          deviations: [],
          problem: "",
        },
      ],
      headers: [
        {
          title: "While there is room",
          status: 200,
          lines: [
            ["RateLimit-Policy", '"hourly";q=100000;w=3600'],
            ["RateLimit", '"hourly";r=99720;t=3590'],
            ["X-RateLimit-Remaining", "99720"],
          ],
          body: "",
        },
        {
          title: "When the burst is rejected",
          status: 429,
          lines: [
            ["Retry-After", "4"],
            ["Content-Type", "application/problem+json"],
          ],
          body: '{\n  "title": "Too many requests",\n  "limit": "hourly",\n  "retry_after_s": 4\n}',
        },
      ],
      metrics: [
        {
          title: "Safe rate",
          value: "23.6/s",
          formula: "limit_rate * (1 - cushion)",
          inputs: "27.8/s * (1 - 0.15)",
          source: "Planning guidance: stay 10 to 20 % below the published limit",
        },
        {
          title: "Waiting when the burst ends",
          value: "120",
          formula: "max(0, burst + (steady - safe_rate) * burst_window_s)",
          inputs: "400, 18/s, 23.6/s, 0 s",
          source: "Conservation: what arrives and is not served waits (fluid queue)",
        },
      ],
      picture: { width, height, alt, quick },
    };
    return sweep ? { ...whole, ...swept } : whole;
  }

  paint(pen, { inputs, width, height, theme }) {
    const panels = inputs.compare ? 5 : 2;
    const deep = Math.min(1, (first(inputs.burst) || 0) / (first(inputs.capacity) || 280));
    for (let panel = 0; panel < panels; panel++) {
      const [top, bottom] = [(height / panels) * panel + 14, (height / panels) * (panel + 1) - 18];
      pen.strokeStyle = theme === "dark" ? "#555b66" : "#c4c9d1";
      pen.strokeRect(44.5, top, width - 60, bottom - top);
      pen.strokeStyle = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9"][panel];
      pen.lineWidth = 2;
      pen.beginPath();
      for (let i = 0; i <= 60; i++) {
        const level = i % 30 < 12 ? 1 : 1 - deep * Math.max(0, 1 - ((i % 30) - 12) / 14);
        const y =
          panel === 1 && panels === 2
            ? bottom - (1 - level) * (bottom - top) * 0.9
            : bottom - level * (bottom - top) * 0.9;
        pen.lineTo(44 + (i / 60) * (width - 60), y);
      }
      pen.stroke();
    }
  }
}
