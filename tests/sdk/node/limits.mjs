// Runs exported rate limits of the npm packages on a mock clock, and prints for each request if it was admitted.
// Input: [{target, code, at}], at in milliseconds.

import { mock } from "node:test";
import { text } from "node:stream/consumers";
import { rateLimit } from "express-rate-limit";
import { RateLimiterMemory } from "rate-limiter-flexible";

const BEGIN = Date.UTC(2026, 0, 1);

/** The code without its import, which a function cannot have. */
const body = (code) => code.replace(/^import .*$/m, "");

function express(code) {
  let middleware;
  new Function("rateLimit", "app", body(code))(rateLimit, { use: (each) => (middleware = each) });
  const request = { ip: "192.0.2.1", headers: {}, get: () => "key", app: { get: () => false } };
  return async () => {
    let admitted = false;
    const response = {
      headersSent: false,
      setHeader() {},
      status() {
        return this;
      },
      send() {},
    };
    await middleware(request, response, () => (admitted = true));
    return admitted;
  };
}

function flexible(code) {
  const limiter = new Function("RateLimiterMemory", `${body(code)}; return limiter;`)(RateLimiterMemory);
  return () =>
    limiter.consume("all").then(
      () => true,
      (rejection) => {
        if (rejection instanceof Error) throw rejection;
        return false;
      },
    );
}

const LIMITERS = { "express-rate-limit": express, "rate-limiter-flexible": flexible };
const results = [];
for (const { target, code, at } of JSON.parse(await text(process.stdin))) {
  mock.timers.enable({ apis: ["Date", "setTimeout", "setInterval"], now: BEGIN });
  const admits = LIMITERS[target](code);
  const admitted = [];
  let now = 0;
  for (const t of at) {
    mock.timers.tick(t - now);
    now = t;
    admitted.push(await admits());
  }
  results.push(admitted);
  mock.timers.reset();
}
console.log(JSON.stringify(results));
