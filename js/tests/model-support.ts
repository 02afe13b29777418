import { createState, type State } from "../src/generator/state.js";
import { FakeModel, utf8 } from "./support.js";
import { connectDirectly, factsFor, typeSecret } from "./vault/support.js";

export const CANARY = "canary-4f8a2c71";
export const TRAITS = {
  provider: "shop",
  event: "order",
  url: "http://127.0.0.1/hook",
  body: new DataView(new Uint8Array(utf8("{}")).buffer),
  revision: "kernel:0",
};

export function open(traits: Record<string, unknown> = {}) {
  const model = new FakeModel({ ...TRAITS, ...traits });
  const ends = new AbortController();
  const state = createState(model, ends.signal, connectDirectly());
  return { model, ends, state };
}
export const draft = (revision: unknown, more = {}) => ({ op: "draft", revision, error: null, ...more });
export const signed = (revision: unknown) => ({
  op: "signed",
  revision,
  headers: [{ name: "X-Signature", value: "aa", source: "provider", signed: true }],
});
export const signJob = (more = {}) => ({
  id: "job-1",
  op: "sign",
  args: {
    revision: "kernel:0",
    purpose: "preview",
    provider: "shop",
    scheme: "v1",
    fields: ["signature"],
    ...more,
  },
});
export const replies = (model: FakeModel) => model.sent.filter(({ content }) => content.re);
/** Type a secret of the shop, or of another provider. */
export const hold = (state: State, text = CANARY, provider = "shop") =>
  typeSecret(state, factsFor(provider), text);
