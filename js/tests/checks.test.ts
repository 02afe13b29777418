import assert from "node:assert/strict";
import { test } from "node:test";
import { createChecks } from "../src/generator/checks.js";
import { draft } from "./model-support.js";
import { settled } from "./support.js";
import { openView } from "./view-support.js";

test("a question about checks goes when the URL changes, also while the kernel asks it", async () => {
  const { model, state, view } = openView({}, { ends: new AbortController().signal });
  const checks = createChecks(view);
  const ask = async (url: string) => {
    state.edit({ url });
    model.tell(draft(state.inputs.revision()));
    void checks.run({ suite: "standard" });
    await settled();
  };
  const reply = async () => {
    model.reject("check", { code: "confirm_host", text: "Really?", host: "api.example.com" });
    await settled();
  };
  await ask("https://api.example.com/a");
  await reply();
  assert.equal(checks.question()?.url, "https://api.example.com/a");
  state.edit({ url: "https://api.example.com/b" });
  await settled();
  assert.equal(checks.question(), null);

  await ask("https://api.example.com/c");
  state.edit({ url: "https://api.example.com/d" });
  await reply();
  assert.deepEqual([checks.question(), checks.failure()], [null, ""]);
});

test("the consent to checks names the whole URL", async () => {
  const { model, state, view } = openView({}, { ends: new AbortController().signal });
  const checks = createChecks(view);
  model.tell(draft(state.inputs.revision()));
  void checks.run({}, "https://api.example.com/a");
  await settled();

  assert.equal(model.asked("check")?.args?.confirmed_url, "https://api.example.com/a");
});
