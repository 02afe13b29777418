// Checks of a receiver by the fake kernel: a few rows of each status. `faults.heldChecks` leaves a run under way.

const utf8 = new TextEncoder();
const STATUSES = [
  ["passed", "passed"],
  ["failed", "failed"],
  ["warned", "warning"],
  ["not_decided", "not decided"],
  ["not_applicable", "not applicable"],
];
const AREAS = [
  ["A", "good requests"],
  ["B", "forged or changed requests"],
  ["C", "time and replay"],
  ["H", "handshakes"],
];
const HOSTILE = '<img src=x onerror="alert(1)">';
const row = (id, status, title, observed, more = {}) => ({
  id,
  title,
  severity: status === "failed" ? "critical" : "medium",
  status,
  expected: "4xx, never 2xx",
  observed,
  elapsed_s: 0.007,
  why: "Only as many bytes as were sent are compared, so that anyone can forge a payment.",
  change: "Compare the whole signature, in constant time",
  frameworks: [
    ["Flask", "hmac.compare_digest(expected, received)"],
    ["Express", "crypto.timingSafeEqual(expected, received)"],
  ],
  sources: ["https://example.com/advisory", "svix before 1.17", "javascript:alert(1)"],
  sent: "",
  request: null,
  response: null,
  ...more,
});
const exchange = {
  sent: "2026-11-21T12:00:00+00:00",
  request: {
    label: "its first 4 bytes",
    method: "POST",
    url: "http://127.0.0.1:8000/hooks",
    headers: [
      ["Content-Type", "application/json"],
      ["Stripe-Signature", `t=1795262400,v1=${"0".repeat(80)}`],
    ],
    body: '{"id": "evt_TEST0001"}',
    body_length: 2339,
  },
  response: {
    status: 200,
    headers: [["X-Answer", HOSTILE]],
    body: HOSTILE,
    error: "",
    elapsed_s: 0.007,
  },
};
const ROWS = [
  row("A1", "passed", "A good request", "200"),
  row("A2", "passed", "The time to respond", "0.007 s of the 20 s that Stripe waits"),
  row("B1", "passed", "No signature", "401 for no signature"),
  row("B11", "failed", "An empty or truncated signature", "accepted: 200 for its first 4 bytes", exchange),
  row("C2", "warned", "A timestamp in the future, signed again", "200 for 301 s ahead"),
  row("C5", "not_decided", "The same request again", "no response tells how often the work was done"),
  row("H1", "not_applicable", "A handshake", "Stripe has no handshake"),
];
const CHECKS = ROWS.map(({ id }) => ({ id, suite: id === "C2" ? "full" : "standard", oracle: id === "C5" }));

/** The request of the row B11, as it was sent, and its body. */
export const checkedRequest = () => {
  const { url, method, headers, body } = exchange.request;
  return [{ url, method, headers }, [utf8.encode(body)]];
};

/** The kernel's part of a run; `this` of the kernel keeps what a later tab is told. */
export function checkOperations(kernel, answer, reject) {
  kernel.checks ??= { rows: [], begun: null, ended: null, running: false };
  const state = kernel.checks;
  const end = (stopped) => {
    state.running = false;
    state.ended = { stopped, elapsed_s: 18.4, requests: 150, error: "" };
    kernel.emit({ op: "check_end", ended: state.ended });
    state.reply({});
  };
  return {
    checks: () =>
      answer({
        areas: AREAS,
        statuses: STATUSES,
        checks: CHECKS,
        oracle_set: kernel.faults.oracleSet ?? false,
        ...state,
        reply: undefined,
      }),
    check: ({ suite, only, oracle, confirmed_url: confirmed }) => {
      const { url, provider } = kernel.model.traits;
      const { hostname } = new URL(url);
      if (oracle && !oracle.startsWith("http://127.0.0.1"))
        return reject("bad_oracle", "an oracle from the browser is a URL of this machine");
      if (hostname !== "127.0.0.1" && confirmed !== url)
        return reject("confirm_host", `This sends up to 250 requests to ${hostname}.`, { host: hostname });
      state.reply = answer;
      state.running = true;
      state.ended = null;
      const keeps = only?.length === 1 && only[0].length > 1;
      const command = `hook-widgets check ${provider} ${url} --secret-env WEBHOOK_SECRET`;
      state.begun = { of: [provider, url, suite], keeps, command, lacks: kernel.faults.lacks ?? [] };
      if (!state.begun.keeps) state.rows = [];
      kernel.emit({ op: "check_begin", begun: state.begun });
      const fits = ({ id }) => !only || only.includes(id) || only.includes(id[0]);
      const rows = ROWS.filter(fits).slice(0, kernel.faults.heldChecks ?? ROWS.length);
      rows.forEach((each, at) => {
        state.rows = [...state.rows.filter(({ id }) => id !== each.id), each];
        kernel.emit({ op: "check_row", done: at + 1, total: ROWS.filter(fits).length, row: each });
      });
      if (kernel.faults.heldChecks) kernel.emit({ op: "check_waits", seconds: 12 });
      else end("");
    },
    check_stop: () => {
      answer({});
      end("it was stopped");
    },
    check_export: ({ form }) =>
      answer({ name: `check-stripe.${form}`, type: "text/plain" }, [utf8.encode(`report as ${form}`)]),
  };
}
