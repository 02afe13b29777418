/** A keeper in the test's own process, joined to the page's side of the vault as a frame would be. */

import type { Algorithm, KeySpec } from "../../src/crypto/primitives.js";
import type { State } from "../../src/generator/state.js";
import type { Connect } from "../../src/vault/client.js";
import type { Facts } from "../../src/vault/facts.js";
import { createKeeper, type LoadCurves } from "../../src/vault/keeper.js";
import type { FromKeeper, KeeperToField } from "../../src/vault/protocol.js";

const noCurves: LoadCurves = () => Promise.reject(new Error("there are no curves here"));

/** `heard` gets a copy of every message to the page. */
export const connectDirectly =
  (heard: FromKeeper[] = [], loadCurves = noCurves, now?: () => number): Connect =>
  async (onMessage, use) => {
    const ctl = {
      onmessage: null as ((event: unknown) => void) | null,
      postMessage(message: FromKeeper) {
        const copy = structuredClone(message);
        heard.push(copy);
        queueMicrotask(() => onMessage(copy));
        if ("op" in copy && copy.op === "curves") queueMicrotask(() => post({ op: "curves", source: "" }));
      },
    };
    createKeeper(ctl as unknown as MessagePort, loadCurves, now);
    // A port cannot be cloned: it is handed over as it is.
    const post = (data: unknown, ports: MessagePort[] = []) => ctl.onmessage?.({ data, ports });
    use({
      mode: "frame",
      post,
      openFrame: () => {
        throw new Error("there are no frames here");
      },
      attach(slot, facts) {
        const { port1, port2 } = new MessageChannel();
        post({ op: "attach", slot, facts }, [port1]);
        // A port in use would keep this process alive.
        for (const port of [port1, port2]) (port as unknown as { unref(): void }).unref();
        return port2;
      },
      lost: () => false,
      remove() {},
    });
  };

export const SPEC: KeySpec = { form: "utf8", strip_prefix: "" };

/** A provider with one scheme `v1`, whose only signature is `signature`. */
export const factsFor = (
  provider: string,
  algorithm: Algorithm = "hmac-sha256",
  key: Partial<Facts["key"]> = {},
): Facts => ({
  provider,
  key: { ...SPEC, prefix: "", pair: null, publicForm: "hex", ...key },
  schemes: { v1: { signature: algorithm } },
});

/** Wait for messages between ports, which take some turns of the loop. */
export async function until(done: () => boolean): Promise<void> {
  for (let turn = 0; !done(); turn++) {
    if (turn > 2000) throw new Error("it did not come true");
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Listen at a port, which does not keep this process alive. */
export function listen(port: MessagePort, onData: (data: KeeperToField) => void): void {
  port.onmessage = ({ data }) => onData(data);
  (port as unknown as { unref(): void }).unref();
}

/** Type a secret into a new field of that provider. */
export async function typeSecret(
  state: Pick<State, "vault">,
  facts: Facts,
  text: string,
): Promise<MessagePort> {
  await state.vault.connect();
  const port = state.vault.attach(facts.provider, facts);
  let taken = -1;
  listen(port, (data) => {
    taken = data.taken;
  });
  port.postMessage({ op: "set", text });
  await until(() => taken === 1);
  return port;
}
