/** Passes the kernel's jobs to the vault; a tab without a secret stays silent, another one may hold it. */
import type { Host } from "../core/host.js";
import { type Vault, VaultError } from "../vault/client.js";
import { UNKNOWN_PROVIDER } from "../vault/facts.js";
import { factsOf } from "../vault/known.js";
import { matchArgs, type Provider, signArgs } from "./wire.js";

export interface JobContext {
  host: Host;
  vault: Vault;
  /** The provider that a verify request under way is about; null when there is none. */
  verifying(): string | null;
  /** @throws {Error} when the kernel does not know the provider. */
  providerFacts(id: string): Promise<Provider>;
}

interface Answer {
  value: Record<string, unknown>;
  buffers: Uint8Array[];
}

const holds = ({ vault }: JobContext, slot: string) => vault.slot(slot).held.state !== "none";

async function sign(context: JobContext, args: unknown, messages: Uint8Array[]): Promise<Answer | null> {
  const { provider, scheme, fields } = signArgs(args);
  if (!holds(context, provider)) return null;
  if (fields.length !== messages.length) throw new Error("a message is missing");
  const jobs = fields.map((field) => ({ scheme, field }));
  return { value: {}, buffers: await context.vault.request("sign", { slot: provider, jobs, messages }) };
}

async function match(context: JobContext, args: unknown, buffers: Uint8Array[]): Promise<Answer | null> {
  const { vault, verifying, providerFacts } = context;
  const { provider, jobs } = matchArgs(args);
  const unknown = verifying() === UNKNOWN_PROVIDER && holds(context, UNKNOWN_PROVIDER);
  const slot = unknown ? UNKNOWN_PROVIDER : provider;
  if (!holds(context, slot)) return null;
  if (jobs.some(({ message, presented }) => [...message, ...presented].some((i) => !buffers[i])))
    throw new Error("a buffer is missing");
  if (unknown) await vault.request("pin", { facts: factsOf(await providerFacts(provider)) });
  const matches = await vault.request("match", { slot, questions: jobs, buffers });
  return { value: { matches }, buffers: [] };
}

/** Takes a message that is a job; false when it is something else. */
export function takeJob(context: JobContext, content: unknown, buffers: Uint8Array[]): boolean {
  const { id, op, args } = (content ?? {}) as Record<string, unknown>;
  if (typeof id !== "string" || (op !== "sign" && op !== "match")) return false;
  void (async () => {
    try {
      const answer = await (op === "sign" ? sign : match)(context, args, buffers);
      if (answer) context.host.send({ re: id, ok: true, value: answer.value }, answer.buffers);
    } catch (error) {
      const known = error instanceof VaultError;
      const fault = {
        code: known ? error.code : "failed",
        text: known ? error.message : "the browser could not complete this request",
      };
      context.host.send({ re: id, ok: false, error: fault });
    }
  })();
  return true;
}
