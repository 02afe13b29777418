// A small deterministic planner behind a model with the anywidget interface. It answers by the protocol of
// src/planner/wire.ts with dates that only look like some; the picture is a few bars on a canvas.
//
// `faults` makes it misbehave:
//   silent    never answers            delayMs   answers late
//   hostile   answers nonsense to that request
//   problem   says that of all inputs
import { FakeFrames } from "./frames-kernel.js";

const field = ([name, label, help, placeholder]) => ({ name, label, help, placeholder, optional: true });
const CHOICES = {
  headers_begin: [
    { id: "announcement", title: "From the announcement" },
    { id: "at_once", title: "At once" },
  ],
  brownout_response: [
    { id: "unavailable", title: "503 Service Unavailable" },
    { id: "gone", title: "410 Gone" },
  ],
  warn: [
    { id: "no", title: "Not sent" },
    { id: "yes", title: "Sent" },
  ],
};
const CATALOG = {
  fields: [
    ["name", "API name", "As announcements and calendars call it.", "Orders API"],
    [
      "months",
      "Notice period (months)",
      "From the announcement to the removal: at least 12, usually 18.",
      "18",
    ],
    ["zone", "Time zone", "The zone of all dates that are entered here.", "Europe/Berlin"],
    ["holidays", "Holidays", "Days on which nothing is announced or removed.", "2026-12-25"],
    ["headers_begin", "Deprecation headers", "When they begin.", ""],
    ["warn", "Warning: 299", "Also send the obsolete header.", ""],
    ["brownout_response", "During brownouts", "503 with Retry-After, or 410.", ""],
    ["base_url", "Base URL", "Where the API is.", "https://api.example.com"],
    ["prefix", "Path prefix", "What stands before the version in a path.", "/api"],
    ["vendor", "Vendor", "The name in the media type.", "example"],
    [
      "migration_guide",
      "Migration guide",
      'URL. Link; rel="deprecation" needs it.',
      "https://example.com/migrate",
    ],
    ["at", "As of", "The time for which to show status and headers. Empty: now.", "now"],
    ["version", "Version shown", "Whose headers and texts to show.", "v1"],
  ]
    .map(field)
    .map((each) => ({ ...each, choices: CHOICES[each.name] ?? [] })),
  cells: [
    ["version", "Version", "The major number.", "3"],
    ["released", "Released", "Empty: it has always been there.", "always available"],
    ["deprecated", "Deprecated", "The day of the announcement.", "not deprecated"],
    ["removed", "Removed", "Empty: worked out.", "worked out"],
    ["stage", "Channel", "stable, or preview.", "stable"],
    ["brownouts", "Brownouts", "Planned outages.", "none; such as 2027-03-01 10:00 for 1h"],
  ].map(field),
  stages: [
    { id: "stable", title: "Stable" },
    { id: "preview", title: "Preview" },
  ],
  zones: ["UTC", "Europe/Berlin", "America/New_York"],
  texts: [
    { id: "announcement", title: "Announcement" },
    { id: "reminder", title: "Reminder" },
    { id: "final-notice", title: "Final notice" },
    { id: "removal", title: "Removal" },
  ],
};
const NOW = "2026-11-21";
const REMOVED = "2027-12-01";
const STEPS = [
  "2023-11-01",
  "2025-11-01",
  "2026-06-01",
  "",
  "2026-12-01",
  "2027-06-01",
  REMOVED,
  "2028-01-01",
];
const TYPES = {
  png: "image/png",
  svg: "image/svg+xml",
  ics: "text/calendar",
  csv: "text/csv",
  md: "text/markdown",
};

export class FakePlanner extends FakeFrames {
  /** Documents that were sent in parts, and what was asked about them. */
  documents = {};

  more(answer, reject, buffers) {
    const sent = (name) =>
      (this.documents[name] ?? []).map((part) => new TextDecoder().decode(part)).join("");
    return {
      part: ({ name, at }) => {
        if (at === 0) this.documents[name] = [];
        this.documents[name].push(buffers[0]);
        answer({ received: at + buffers[0].length });
      },
      changes: ({ old, new: now }) => {
        if (this.faults.changes) return reject("invalid_document", this.faults.changes);
        const same = sent(old) === sent(now);
        const columns = ["Where", "Change", "Who breaks", "Why", "Rule"];
        const row = [
          "GET /orders, response 200, total",
          "Field total was removed.",
          "all clients",
          "They rely on it.",
        ];
        answer(
          {
            level: same ? "ok" : "bad",
            verdict: same ? "Needs no new version: no difference" : "Needs a new major version: v4",
            next: same ? null : { version: "4", released: "2026-12-01" },
            summary: `${same ? 0 : 1} breaking and 0 other changes between the OpenAPI documents.`,
            tables: same
              ? []
              : [{ caption: "Breaking changes: 1", columns, rows: [[...row, "property-removed"]] }],
            not_compared: same ? [] : ["not compared: itemEncoding differs at /paths/~1orders"],
          },
          [new TextEncoder().encode("1 difference").buffer],
        );
      },
      usage: ({ log }) => {
        const lines = sent(log).split("\n").filter(Boolean);
        if (this.faults.usage) return reject("invalid_document", this.faults.usage);
        const rows = lines.map((line) => [
          line.split(" ")[0],
          "–",
          "curl/8.5",
          "2026-11-21",
          "2026-11-21",
          "1",
        ]);
        answer(
          {
            summary: `${lines.length} calls in ${lines.length} lines. 1 line could not be read.`,
            trends: ["v1: 20 calls a day in the last 3 days, 40 in the 3 before; removal on 2027-12-01."],
            samples: ["Line 7: neither common or combined log format nor a JSON object: x"],
            tables: [
              {
                caption: "Calls by day",
                columns: ["Day", "v1"],
                rows: [["2026-11-21", String(lines.length)]],
              },
              {
                caption: `v1: ${lines.length} calls`,
                columns: ["Client", "User", "User agent", "First day", "Last day", "Calls"],
                rows,
              },
            ],
          },
          ["Version,Client\n", "# Calls by version\n"].map((text) => new TextEncoder().encode(text).buffer),
        );
      },
    };
  }

  catalog() {
    return CATALOG;
  }

  problem(inputs) {
    if (this.faults.problem) return this.faults.problem;
    for (const [i, row] of inputs.versions.entries()) {
      if (row.slice(0, 4).every((text) => !text)) continue;
      if (!/^v?\d+$/.test(row[0]))
        return { field: `versions.${i}.version`, text: "Write the major number, such as 3." };
      for (const [at, name] of ["", "released", "deprecated", "removed"].entries())
        if (at && row[at] && !/^\d{4}-\d\d-\d\d/.test(row[at]))
          return {
            field: `versions.${i}.${name}`,
            text: `“${row[at]}” is no date: write one such as 2027-01-31.`,
          };
    }
    const outage = inputs.versions.findIndex((row) => row[5] && !/ (for|to) /.test(row[5]));
    if (outage >= 0) return { field: `versions.${outage}.brownouts`, text: "The brownout has no end." };
    if (inputs.at && !/^\d{4}-\d\d-\d\d/.test(inputs.at))
      return { field: "at", text: "Write a date such as 2027-01-31." };
    const months = Number(inputs.months);
    if (!(months >= 12)) return { field: "months", text: "The period is too short: write 12 or more." };
    if (inputs.prefix && !inputs.prefix.startsWith("/"))
      return { field: "prefix", text: "A path begins with a slash: write /api." };
    return null;
  }

  frame({ inputs, width, quick, scales }) {
    const at = inputs.at || NOW;
    const versions = inputs.versions.flatMap(([version, released, deprecated], row) => {
      if (!version) return [];
      const [status, level] =
        released > at
          ? ["planned", "plain"]
          : !deprecated || at < deprecated
            ? ["active", "ok"]
            : at < REMOVED
              ? ["deprecated, 375 days left", "warn"]
              : ["removed", "bad"];
      const asked = deprecated && Number(inputs.months) > 24;
      const advisories = asked ? ["The period is over 24 months: who keeps the version running?"] : [];
      return [{ row, version, title: `v${version}`, level, status, advisories }];
    });
    const index = STEPS.findLastIndex((step) => (step || NOW) <= at);
    const fields = {
      at: { index: Math.max(0, index), shown: `now, ${NOW}`, note: "" },
      ...(inputs.versions[0]?.[2] && { "versions.0.removed": { index: null, shown: REMOVED, note: "" } }),
    };
    const common = { fields, scales: scales === "a" ? null : { id: "a", steps: { at: STEPS } } };
    const error = this.problem(inputs);
    if (error) return { error, ...common, status: null, picture: null };
    const version = inputs.version.replace("v", "") || "1";
    const shown = versions.find((each) => each.version === version);
    const stops = STEPS.filter(Boolean).map((step) => ({ at: step, title: "v1 milestone" }));
    const notices = [
      ["Deprecation", "@1780264800"],
      ["Sunset", "Wed, 01 Dec 2027 00:00:00 GMT"],
      ["Link", '<https://example.com/migrate/v1-v2>; rel="deprecation"; type="text/html"'],
      ["Link", '</api/v2/orders>; rel="successor-version"'],
    ];
    const gone = shown?.level === "bad";
    const lines = [["Api-Version", version], ...(shown?.level === "warn" ? notices : [])];
    const quickFrame = {
      error: null,
      ...common,
      status: {
        level: shown?.level === "plain" ? "ok" : (shown?.level ?? "ok"),
        text: `v${version}: ${shown?.status}`,
      },
      moment: {
        text: `${inputs.at ? "On" : "Now,"} ${at}, 00:00 Europe/Berlin`,
        previous: stops.findLast((stop) => stop.at < at) ?? null,
        next: stops.find((stop) => stop.at > at) ?? null,
      },
      versions,
      version,
      answer: {
        title: `GET /api/v${version}/orders`,
        status: gone ? 410 : 200,
        reason: gone ? "Gone" : "OK",
        lines: gone ? [["Content-Type", "application/problem+json"]] : lines,
        body: gone ? '{\n  "code": "version_removed"\n}\n' : "",
        note: "",
        text: lines.map((line) => line.join(": ")).join("\n"),
      },
      picture: {
        width,
        height: 60 + 44 * versions.length,
        alt: quick ? "" : `${versions.length} versions at ${at}`,
        quick,
      },
    };
    if (quick) return quickFrame;
    const texts = CATALOG.texts.map(({ id, title }) => ({
      id,
      when: `Due on ${REMOVED}`,
      text: `# ${inputs.name}: ${title} of v${version}\n\nv${version} will be removed on 1 December 2027.\n`,
    }));
    return {
      ...quickFrame,
      texts: version === "1" ? texts : [],
      events: true,
      install: ["Python middleware", "nginx", "Envoy"].map((title) => ({
        title,
        code: `# ${title}\nlocation ~ '^/api/v${version}(?:/|$)' { add_header Api-Version '${version}' always; }\n`,
        note: "Write it again for each milestone.",
      })),
      table: {
        caption: `Versions of ${inputs.name} on ${at}`,
        columns: ["Version", "Status", "Released", "Deprecated", "Removed", "Days left", "Note"],
        rows: versions.map((each) => [
          each.title,
          each.status.split(",")[0],
          ...inputs.versions[each.row].slice(1, 4),
          each.level === "warn" ? "375" : "",
          each.advisories.join(" "),
        ]),
      },
    };
  }

  exported({ format, text }) {
    const name = format === "md" ? `orders-api-v1-${text}` : "orders-api";
    return { filename: `${name}.${format}`, media_type: TYPES[format] };
  }

  paint(pen, { inputs, width }, ink) {
    for (const [row, [, , deprecated]] of inputs.versions.entries()) {
      const top = 24 + 44 * row;
      pen.fillStyle = "#0072B2";
      pen.fillRect(60, top, width * 0.4, 22);
      pen.fillStyle = "#D55E00";
      if (deprecated) pen.fillRect(60 + width * 0.4, top, width * 0.3, 22);
      pen.fillStyle = ink;
      pen.fillText(`v${row + 1}`, 24, top + 15);
    }
  }

  height({ inputs }) {
    return 60 + 44 * inputs.versions.length;
  }
}
