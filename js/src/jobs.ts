/** Answers the kernel's signing and matching jobs; a tab without a secret stays silent, another one may hold it. */
import type { Chunks } from "./chunks.js";
import type { Host } from "./host.js";
import { type Claim, faultOf, type Holder, needsChunk } from "./secret.js";
import { slices } from "./slices.js";
import { type MatchJob, matchArgs, type SignJob, signArgs } from "./wire.js";

export interface JobContext {
  host: Host;
  holder: Holder;
  chunks: Chunks;
  /** The provider whose secret a job without one of its own means; "" while it is not known whose a request is. */
  slot(): string;
  /** How far a match job has come, from 0 to 1. */
  progress(done: number): void;
}

interface Answer {
  value: Record<string, unknown>;
  buffers: Uint8Array[];
}

function toolsFor({ chunks }: JobContext, jobs: (SignJob | MatchJob)[]) {
  return jobs.some(needsChunk) ? chunks.load("curves") : null;
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

/** A question, with the buffers that it names by their indices. */
function claimOf({ message, presented, ...job }: MatchJob, buffers: Uint8Array[]): Claim {
  const pick = (indices: number[]) =>
    indices.map((index) => {
      const buffer = buffers[index];
      if (!buffer) throw new Error("a buffer is missing");
      return buffer;
    });
  return { job, message: pick(message), presented: pick(presented) };
}

async function match(context: JobContext, args: unknown, buffers: Uint8Array[]): Promise<Answer | null> {
  const { holder, slot, progress } = context;
  const { provider, jobs, first } = matchArgs(args);
  // Where the headers tell whose it is, the secret was typed in before that was known.
  const of = slot() === "" && holder.has("") ? "" : (provider ?? slot());
  if (!holder.has(of)) return null;
  progress(0);
  const tools = await toolsFor(context, jobs);
  const matches: number[] = jobs.map(() => -1);
  let done = 0;
  const pause = slices(() => progress(done / jobs.length));
  for (const [i, job] of jobs.entries()) {
    matches[i] = holder.match(of, claimOf(job, buffers), tools);
    done = i + 1;
    if (first && matches[i] >= 0) break;
    await pause();
  }
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
