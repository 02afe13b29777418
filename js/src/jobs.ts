/** Answers the kernel's signing and matching jobs; a tab without a secret stays silent, another one may hold it. */
import type { Chunks } from "./chunks.js";
import type { Host } from "./host.js";
import { isMac } from "./primitives.js";
import { type Claim, faultOf, type Holder, matchPublic } from "./secret.js";
import { matchArgs, signArgs } from "./wire.js";

export interface JobContext {
  host: Host;
  holder: Holder;
  chunks: Chunks;
  /** The provider whose secret a job without one of its own means. */
  slot(): string;
}

interface Answer {
  value: Record<string, unknown>;
  buffers: Uint8Array[];
}

function sign({ holder, slot }: JobContext, args: unknown, messages: Uint8Array[]): Answer | null {
  const { provider, jobs } = signArgs(args);
  const of = provider ?? slot();
  if (!holder.has(of)) return null;
  if (jobs.length !== messages.length) throw new Error("a message is missing");
  return { value: {}, buffers: jobs.map((job, i) => holder.sign(of, job, messages[i] as Uint8Array)) };
}

async function match(
  { holder, chunks, slot }: JobContext,
  args: unknown,
  buffers: Uint8Array[],
): Promise<Answer | null> {
  const { provider, jobs, public_key: given } = matchArgs(args);
  const of = provider ?? slot();
  if (!given && !holder.has(of)) return null;
  let at = 0;
  const claims: Claim[] = jobs.map((job) => {
    const message = buffers[at];
    const presented = buffers.slice(at + 1, at + 1 + job.presented);
    at += 1 + job.presented;
    if (!message || presented.length !== job.presented) throw new Error("a buffer is missing");
    return { job, message, presented };
  });
  const matches: number[] = [];
  for (const claim of claims) {
    if (isMac(claim.job.algorithm)) matches.push(holder.match(of, claim));
    else {
      const curves = await chunks.load("curves");
      const own = holder.describe(of, claim.job);
      const key = given
        ? curves.parsePublic(given.algorithm, given.text)
        : own.state === "pair"
          ? own.publicKey
          : null;
      if (!key) return null;
      matches.push(matchPublic(curves.verifies, key, claim));
    }
  }
  return { value: { matches }, buffers: [] };
}

/** Takes a message that is a job; false when it is something else. */
export function takeJob(context: JobContext, content: unknown, buffers: Uint8Array[]): boolean {
  const { id, op, args } = (content ?? {}) as Record<string, unknown>;
  if (typeof id !== "string" || (op !== "sign" && op !== "match")) return false;
  void (async () => {
    try {
      const answer = op === "sign" ? sign(context, args, buffers) : await match(context, args, buffers);
      if (answer) context.host.send({ re: id, ok: true, value: answer.value }, answer.buffers);
    } catch (error) {
      context.host.send({ re: id, ok: false, error: faultOf(error) });
    }
  })();
  return true;
}
