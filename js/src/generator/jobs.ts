/** Passes the kernel's jobs to the vault. A tab without the secret does not reply, since another tab may have it. */
import type { Host } from "../core/host.js";
import { type Vault, VaultError } from "../vault/client.js";
import { UNKNOWN_PROVIDER } from "../vault/facts.js";
import { factsOf } from "./secret-facts.js";
import { matchArgs, type Provider, releaseArgs, signArgs } from "./wire.js";

export interface JobContext {
  host: Host;
  vault: Vault;
  /** Provider of the verify request in progress; null if there is none. */
  verifying(): string | null;
  /** Ticket of the delivery in progress in this tab; empty if there is none. */
  ticket(): string;
  /** @throws {Error} when the kernel does not know the provider. */
  providerFacts(id: string): Promise<Provider>;
}

interface Answer {
  value: Record<string, unknown>;
  buffers: Uint8Array[];
}

export const UNPROTECTED =
  "this page's policy blocks the frame in which you would agree to release the token; run the curl command";

const JOBS: Record<
  string,
  (context: JobContext, args: unknown, buffers: Uint8Array[]) => Promise<Answer | null>
> = {
  sign,
  match,
  release,
};

const hasSecret = ({ vault }: JobContext, slot: string) => vault.slot(slot).held.state !== "none";

async function sign(context: JobContext, args: unknown, messages: Uint8Array[]): Promise<Answer | null> {
  const { provider, scheme, fields } = signArgs(args);
  if (!hasSecret(context, provider)) return null;
  if (fields.length !== messages.length) throw new Error("a message is missing");
  const jobs = fields.map((field) => ({ scheme, field }));
  return { value: {}, buffers: await context.vault.request("sign", { slot: provider, jobs, messages }) };
}

/** Releases the credential itself; only for a delivery that was started in this tab. */
async function release(context: JobContext, args: unknown, messages: Uint8Array[]): Promise<Answer | null> {
  const { provider, scheme, fields, host, ticket } = releaseArgs(args);
  const { vault } = context;
  if (!ticket || ticket !== context.ticket() || !hasSecret(context, provider)) return null;
  if (fields.length !== messages.length) throw new Error("a message is missing");
  if (vault.mode() !== "frame") throw new VaultError("declined", UNPROTECTED);
  const jobs = fields.map((field) => ({ scheme, field }));
  return { value: {}, buffers: await vault.request("release", { slot: provider, host, jobs, messages }) };
}

async function match(context: JobContext, args: unknown, buffers: Uint8Array[]): Promise<Answer | null> {
  const { vault, verifying, providerFacts } = context;
  const { provider, jobs } = matchArgs(args);
  const unknown = verifying() === UNKNOWN_PROVIDER && hasSecret(context, UNKNOWN_PROVIDER);
  const slot = unknown ? UNKNOWN_PROVIDER : provider;
  if (!hasSecret(context, slot)) return null;
  if (jobs.some(({ message, presented }) => [...message, ...presented].some((i) => !buffers[i])))
    throw new Error("a buffer is missing");
  if (unknown) await vault.request("pin", { facts: factsOf(await providerFacts(provider)) });
  const matches = await vault.request("match", { slot, questions: jobs, buffers });
  return { value: { matches }, buffers: [] };
}

/** Handles a job; returns false for any other message. */
export function handleJob(context: JobContext, content: unknown, buffers: Uint8Array[]): boolean {
  const { id, op, args } = (content ?? {}) as Record<string, unknown>;
  const job = typeof op === "string" && Object.hasOwn(JOBS, op) ? JOBS[op] : undefined;
  if (typeof id !== "string" || !job) return false;
  void (async () => {
    try {
      const answer = await job(context, args, buffers);
      if (answer) context.host.send({ re: id, ok: true, value: answer.value }, answer.buffers);
    } catch (error) {
      const isVaultError = error instanceof VaultError;
      const fault = {
        code: isVaultError ? error.code : "failed",
        text: isVaultError ? error.message : "the browser could not complete this request",
      };
      context.host.send({ re: id, ok: false, error: fault });
    }
  })();
  return true;
}
