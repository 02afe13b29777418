/** State of a verification: its fields, the requests to the kernel, and their results. */

import type { RpcError } from "../../../core/rpc.js";
import { effect, signal } from "../../lazy-exports.js";
import { importRecording, isRecording } from "../../recordings.js";
import { type Diagnosis, diagnosis, type Verdict, verdict } from "../../replies.js";
import type { View } from "../view.js";
import { secretIsLikely, shownByRequest } from "./DiagnosisReport.js";
import { createFields, DETECT, redactedRequest, requestArgs } from "./fields.js";

export type Verification = ReturnType<typeof createVerification>;

export function createVerification(view: View) {
  const { state, ends } = view;
  const result = signal<Verdict | null>(null);
  const report = signal<Diagnosis | null>(null);
  const step = signal<"" | "verify" | "diagnose">("");
  let run = 0;
  /** Number of changes of the fields. */
  let edits = 0;

  /** Clears the verdict, also one in progress, because the inputs changed. */
  const clear = () => {
    run += 1;
    result.set(null);
    report.set(null);
    fields.failure.set({ text: "", field: "" });
  };
  const fields = createFields(view, () => {
    edits += 1;
    clear();
  });
  const { detecting, providerId } = fields;

  const diagnose = async (started: number) => {
    step.set("diagnose");
    state.matched.set(0);
    const request = await redactedRequest(view, fields);
    const buffers = request.sent ? [request.body, request.sent] : [request.body];
    const options = { buffers, slow: true };
    const { value } = await state.rpc.request("diagnose", requestArgs(fields, request), diagnosis, options);
    if (started !== run) return;
    report.set(value);
    result.set(value.verdict);
    const causes = value.findings.length > 0 ? value.findings : shownByRequest(value.hints);
    const summary = causes.map(({ title, change }) => `${title}. ${change}`).join(" ");
    const { ok, detail } = value.verdict;
    const otherwise = secretIsLikely(value.verdict, causes)
      ? "Cause not found: most likely the secret."
      : `Signature ${ok ? "valid" : "invalid"}. ${detail}`;
    state.say(summary || otherwise);
  };
  const verify = async (started: number) => {
    step.set("verify");
    const request = await redactedRequest(view, fields);
    const options = { buffers: [request.body] };
    const { value } = await state.rpc.request("verify", requestArgs(fields, request), verdict, options);
    if (started !== run) return;
    result.set(value);
    state.say(`${value.ok ? "Signature valid" : "Signature invalid"}. ${value.detail}`);
    if (!value.ok) await diagnose(started);
  };
  const check = async () => {
    if (state.verifying() !== null) return;
    clear();
    const started = run;
    state.verifying.set(detecting() ? "" : providerId());
    try {
      await (detecting() ? diagnose : verify)(started);
    } catch (error) {
      if (started !== run) return;
      fields.fail(error as Error);
      state.say((error as Error).message);
    } finally {
      state.verifying.set(null);
      step.set("");
    }
  };

  /** Sets the headers, or fills all fields if the text is a pasted recording. */
  const setHeaders = async (text: string) => {
    const { values, notes, fill } = fields;
    const before = values().headers;
    fields.setter("headers")(text);
    notes.set([]);
    if (!isRecording(text, before)) return;
    fields.source.set("");
    // Another secret meanwhile makes a verdict outdated, but not what was pasted; a changed field or body does.
    const pasted = edits;
    const outdated = () => edits !== pasted;
    try {
      const { provider, format, ...request } = await importRecording(state, text, "verify");
      if (outdated()) return;
      const chosen = detecting() ? DETECT : provider;
      const origin = `Read from a ${format}`;
      fill({ ...request, method: request.method || "POST", provider: chosen, name: format, origin, at: "" });
      clear();
      const more =
        request.count > 1 ? [`This is the first of ${request.count} requests; History takes all.`] : [];
      notes.set([...more, ...request.notes]);
      state.say(`${origin}. ${request.notes.join(". ")}`);
    } catch (error) {
      const { message, field } = error as RpcError;
      if (!outdated()) fields.failure.set({ text: message, field: field ? "headers" : "" });
    }
  };

  const stops = [
    effect(() => state.secrets() >= 0 && clear()),
    effect(() => {
      const request = view.toVerify();
      if (request) fields.fill(request);
      view.toVerify.set(null);
    }),
  ];
  ends.addEventListener("abort", () => {
    for (const stop of stops) stop();
  });
  return { fields, result, report, step, check, setHeaders };
}
