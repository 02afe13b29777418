/** Answers the kernel's signing and matching jobs; a tab without a secret stays silent, another one may hold it. */
import type { Chunks } from "./chunks.js";
import type { Host } from "./host.js";
import { type Claim, faultOf, type Holder, isMac, matchPublic, NoKey, needsChunk } from "./secret.js";
import { type MatchJob, matchArgs, type SignJob, signArgs } from "./wire.js";

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

function toolsFor({ chunks }: JobContext, jobs: SignJob[]) {
  return jobs.some(({ algorithm }) => needsChunk(algorithm)) ? chunks.load("curves") : null;
}

async function sign(context: JobContext, args: unknown, messages: Uint8Array[]): Promise<Answer | null> {
  const { holder, slot } = context;
  const { provider, jobs } = signArgs(args);
  const of = provider ?? slot();
  if (!holder.has(of)) return null;
  if (jobs.length !== messages.length) throw new Error("a message is missing");
  const tools = await toolsFor(context, jobs);
  return { value: {}, buffers: jobs.map((job, i) => holder.sign(of, job, messages[i] as Uint8Array, tools)) };
}

/** Cuts the buffers of a match job into a message and its presented signatures for each question. */
function claimsOf(jobs: MatchJob[], buffers: Uint8Array[]): Claim[] {
  let at = 0;
  return jobs.map((job) => {
    const message = buffers[at];
    const presented = buffers.slice(at + 1, at + 1 + job.presented);
    at += 1 + job.presented;
    if (!message || presented.length !== job.presented) throw new Error("a buffer is missing");
    return { job, message, presented };
  });
}

async function match(context: JobContext, args: unknown, buffers: Uint8Array[]): Promise<Answer | null> {
  const { holder, slot } = context;
  const { provider, jobs, public_key: given } = matchArgs(args);
  const of = provider ?? slot();
  if (!given && !holder.has(of)) return null;
  const tools = await toolsFor(context, jobs);
  const matches = claimsOf(jobs, buffers).map((claim) => {
    if (!tools || isMac(claim.job.algorithm)) return holder.match(of, claim, tools);
    const own = holder.describe(of, claim.job);
    const key = given
      ? tools.parsePublic(given.algorithm, given.text)
      : own.state === "pair" && own.publicKey;
    if (!key) throw new NoKey("This tab holds no key pair");
    return matchPublic(tools, key, claim);
  });
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
      context.host.send({ re: id, ok: false, error: faultOf(error) });
    }
  })();
  return true;
}
