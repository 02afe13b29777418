// Defaults of the harness pages: style sheet, traits and fake kernel of each widget.
import { FakeCalculator, LABELS } from "./calculator-kernel.js";
import { FakeKernel } from "./kernel.js";
import { FakePlanner } from "./planner-kernel.js";

const STATIC = "../../../src/hook_widgets/widgets/static";

export const generator = {
  css: `${STATIC}/generator.css`,
  usual: {
    provider: "stripe",
    event: "payment_intent.succeeded",
    scheme: "",
    url: "http://127.0.0.1:8000/webhooks/stripe",
    body: new DataView(new ArrayBuffer(0)),
    headers: [["X-Trace", "runbook-42"]],
    clock: { mode: "now" },
    verify_tls: true,
    ca: "",
    locked: [],
    signer: "browser",
    signer_label: "",
    revision: "kernel:0",
  },
  kernel: (model, faults, traits) => {
    const fake = new FakeKernel(model, faults);
    if (traits.body) fake.write(Uint8Array.from(traits.body));
    return fake;
  },
};

export const calculator = {
  css: `${STATIC}/calculator.css`,
  usual: {
    preset: "pro",
    algorithm: "token_bucket",
    pattern: "bursts",
    limits: [["hourly", "100000/hour"]],
    capacity: "280",
    cushion: "15 %",
    steady: "18/s",
    burst: "400",
    burst_window_s: "",
    burst_every_s: "60 s",
    clients: "12",
    concurrency: "4",
    latency_s: "250 ms",
    timeout_s: "",
    duration_s: "",
    seed: "7",
    compare: false,
    locked: [],
    input_labels: LABELS,
  },
  kernel: (model, faults) => new FakeCalculator(model, faults),
};

export const planner = {
  css: `${STATIC}/planner.css`,
  usual: {
    name: "Orders API",
    base_url: "https://api.example.com",
    prefix: "/api",
    vendor: "example",
    migration_guide: "https://example.com/migrate/v{old}-v{new}",
    zone: "Europe/Berlin",
    months: "18",
    holidays: "",
    headers_begin: "announcement",
    warn: "no",
    at: "",
    version: "",
    locked: [],
    versions: [
      ["1", "2023-11-01", "2026-06-01", "", "stable"],
      ["2", "2025-11-01", "", "", "stable"],
      ["3", "2027-06-01", "", "", "preview"],
    ],
  },
  kernel: (model, faults) => new FakePlanner(model, faults),
};
