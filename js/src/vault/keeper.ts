/**
 * Stores the secrets of one widget and does all work with them, behind a write-only protocol.
 *
 * A field writes secrets over its own port; the page requests signatures, comparisons and redacted requests.
 */

import type * as Curves from "../crypto/key-pairs.js";
import { randomHex } from "../crypto/primitives.js";
import { yieldToMain } from "../crypto/yield-to-main.js";
import { createBudget, type Kind } from "./budget.js";
import { type Facts, UNKNOWN_PROVIDER } from "./facts.js";
import { createHolder, ENTERED_FOR_ANOTHER, type Question, Rejected } from "./holder.js";
import type {
  ConsentQuestion,
  FieldToKeeper,
  FromKeeper,
  IndexedQuestion,
  KeeperToField,
  Operations,
  ToKeeper,
} from "./protocol.js";
import { type Original, originalOf, redact, restore, restoreRequest } from "./redaction/index.js";
import { redactText } from "./redaction/recording.js";

/** Host and port in ASCII: no lookalike letters, no characters that reverse the text direction. */
const HOST = /^[\w.:[\]-]{1,261}$/;
/** Timeout of a consent question; the kernel waits a little longer. */
export const QUESTION_MS = 60_000;
const DECLINED = "the token was not released; press Send again and agree in the secret's field";
const MOST_IMPORTED = 2000;
/** Most that is redacted before somebody looks at a field: each position of a text may test a guess of a whole secret. */
export const MOST_SEARCHED = 16_000_000;
const PAUSED = "the secret is paused; press Resume below its field";

/** Evaluates the source of the lazy part; throws if the frame's policy forbids it. */
export type LoadCurves = (source: string) => Promise<typeof Curves>;

/** Creates the consent questions: at most one is open for a slot. `changed` is called when one opens or closes. */
function createQuestions(changed: (slot: string) => void) {
  const open = new Map<string, ConsentQuestion & { settle(agreed: boolean): void }>();
  let last = 0;
  const withdraw = (slot: string) => open.get(slot)?.settle(false);
  return {
    withdraw,
    of(slot: string): ConsentQuestion | null {
      const question = open.get(slot);
      return question ? { id: question.id, host: question.host } : null;
    },
    answer(slot: string, id: number, agreed: boolean): void {
      const question = open.get(slot);
      if (question?.id === id) question.settle(agreed);
    },
    /** Asks in the fields of the slot; a newer question replaces an older one. */
    async ask(slot: string, host: string): Promise<boolean> {
      withdraw(slot);
      last += 1;
      const id = last;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const agreed = await new Promise<boolean>((settle) => {
        open.set(slot, { id, host, settle });
        timer = setTimeout(() => settle(false), QUESTION_MS);
        changed(slot);
      });
      clearTimeout(timer);
      if (open.get(slot)?.id === id) open.delete(slot);
      changed(slot);
      return agreed;
    },
  };
}

/**
 * Creates the redactor of requests and recordings, which restores what it replaced last; `onGuess` is called when a
 * result depends on a piece of a secret, and `search` with all texts before they are searched.
 */
function createRedactor(
  holder: ReturnType<typeof createHolder>,
  onGuess: () => void,
  search: (texts: (string | Uint8Array | null)[]) => void,
) {
  const mark = () => randomHex(12);
  let originals: ReadonlyMap<string, Original> = new Map();
  /** Placeholders of recordings that were redacted as text, and their originals. */
  let imported: ReadonlyMap<string, Original> = new Map();
  return {
    original: (presented: Uint8Array) => originalOf(presented, originals)?.bytes ?? null,
    restored: (bytes: Uint8Array) => restore(bytes, originals),
    redactText(text: string, places: Operations["redactText"]["args"]["places"]) {
      search([text]);
      const redacted = redactText(text, places, holder.texts(), mark);
      imported = new Map([...imported, ...redacted.originals].slice(-MOST_IMPORTED));
      if (redacted.guessed) onGuess();
      return { text: redacted.text };
    },
    redact(request: Operations["redact"]["args"]["request"], places: Operations["redact"]["args"]["places"]) {
      const restored = restoreRequest(request, imported);
      search(Object.values(restored));
      const redacted = redact(restored, places, holder.texts(), mark);
      const { blocked } = redacted;
      originals = redacted.originals;
      if (redacted.guessed) onGuess();
      return { request: blocked ? null : redacted.request, blocked };
    },
  };
}

/** Creates the loader of the lazy part for key pairs: `request` asks the page for its source. */
function createKeyPairs(request: () => void, loadCurves: LoadCurves) {
  let curves: Promise<typeof Curves> | null = null;
  let resolveSource: ((source: string) => void) | null = null;
  return {
    supply: (source: string) => resolveSource?.(source),
    load(): Promise<typeof Curves> {
      curves ??= new Promise<string>((resolve) => {
        resolveSource = resolve;
        request();
      })
        .then(loadCurves)
        .catch((error) => {
          curves = null;
          throw error;
        });
      return curves;
    },
  };
}

/** Serves the port of a page. */
export function createKeeper(ctl: MessagePort, loadCurves: LoadCurves, now = () => performance.now()): void {
  const holder = createHolder();
  const budgets = new Map<string, ReturnType<typeof createBudget>>();
  const paused = new Set<string>();
  /** True if a request had a piece of a secret, or too much was redacted, until somebody looks at a field. */
  let guessed = false;
  /** Length of what was redacted since then. */
  let searched = 0;
  /** Fields of each slot, with the number of secrets taken from each. */
  const fields = new Map<string, Map<MessagePort, number>>();
  /** Field whose text is the secret of a slot. */
  const newest = new Map<string, MessagePort>();
  /** True if the provider of the last redacted request is pinned. */
  let pinned = false;
  /** Prefix that is removed from the secret of an unknown provider; each other one would test how it begins. */
  let stripped = "";

  const post = (message: FromKeeper) => ctl.postMessage(message);
  const questions = createQuestions((slot) => notify(slot, false));
  const setGuessed = (next: boolean) => {
    guessed = next;
    searched = 0;
    for (const slot of fields.keys()) notify(slot, false);
  };
  const rejection = () => new Rejected("paused", PAUSED);
  const search = (texts: (string | Uint8Array | null)[]) => {
    for (const text of texts) searched += text?.length ?? 0;
    if (searched <= MOST_SEARCHED) return;
    setGuessed(true);
    throw rejection();
  };
  const redactor = createRedactor(holder, () => setGuessed(true), search);
  const keyPairs = createKeyPairs(() => post({ op: "curves" }), loadCurves);
  const budgetOf = (slot: string) => {
    const budget = budgets.get(slot) ?? createBudget(now);
    budgets.set(slot, budget);
    return budget;
  };
  /** `fresh` if earlier signatures are not by the current secret. */
  const notify = (slot: string, fresh: boolean) => {
    const held = holder.describe(slot);
    const question = questions.of(slot);
    const isPaused = guessed || paused.has(slot);
    const spent = budgetOf(slot).spent();
    post({ op: "state", slot, held, spent, paused: isPaused, asking: question !== null, fresh });
    for (const [field, taken] of fields.get(slot) ?? []) {
      const message: KeeperToField = {
        held,
        ...holder.measure(slot),
        taken,
        newest: newest.get(slot) === field,
        paused: isPaused,
        question,
      };
      field.postMessage(message);
    }
  };
  const spend = (slot: string, kind: Kind, questions: number) => {
    if (paused.has(slot) || !budgetOf(slot).spend(kind, questions)) {
      paused.add(slot);
      notify(slot, false);
      throw rejection();
    }
  };

  const operations: { [O in keyof Operations]: (args: Operations[O]["args"]) => unknown } = {
    sign({ slot, jobs, messages }) {
      spend(slot, "sign", jobs.length);
      return jobs.map((job, i) => holder.sign(slot, job, messages[i] ?? new Uint8Array()));
    },
    async match({ slot, questions, buffers }) {
      const presented = new Set(questions.flatMap((question) => question.presented));
      spend(slot, "match", questions.length + presented.size);
      const restored = buffers.map(redactor.restored);
      const pick = (from: Uint8Array[], indices: number[]) => indices.map((i) => from[i] ?? new Uint8Array());
      const question = ({ message, presented, ...rest }: IndexedQuestion): Question => ({
        ...rest,
        message: pick(restored, message),
        presented: pick(buffers, presented),
      });
      const matches: number[] = [];
      const pause = yieldToMain(() => post({ op: "progress", done: matches.length / questions.length }));
      // Answer all questions even after a match: neither time nor length may reveal more than the answer.
      for (const indexed of questions) {
        matches.push(holder.match(slot, question(indexed), redactor.original));
        await pause();
      }
      return matches;
    },
    redactText({ text, places }) {
      return redactor.redactText(text, places);
    },
    redact({ request, places }) {
      pinned = false;
      return redactor.redact(request, places);
    },
    async pair({ slot, facts }) {
      if (!facts.key.pair) throw new Rejected("bad_key", "this provider has no key pairs");
      holder.setPair(slot, await (await keyPairs.load()).generatePair(facts.key.pair), facts);
      notify(slot, true);
      return null;
    },
    pin({ facts }) {
      const prefix = facts.key.strip_prefix;
      stripped ||= prefix;
      if (prefix && prefix !== stripped) throw new Rejected("unknown_field", ENTERED_FOR_ANOTHER);
      if (!pinned) holder.pin(UNKNOWN_PROVIDER, facts);
      pinned = true;
      notify(UNKNOWN_PROVIDER, false);
      return null;
    },
    async release({ slot, host, jobs, messages }) {
      spend(slot, "sign", jobs.length);
      if (!HOST.test(host)) throw new Rejected("declined", "the host of the receiver cannot be shown");
      const release = () =>
        jobs.map((job, i) => holder.sign(slot, job, messages[i] ?? new Uint8Array(), true));
      release(); // reject an impossible job before asking the user
      if (!(await questions.ask(slot, host))) throw new Rejected("declined", DECLINED);
      return release();
    },
    forget({ slot }) {
      questions.withdraw(slot);
      holder.clear(slot);
      newest.delete(slot);
      notify(slot, true);
      return null;
    },
  };

  const attach = (slot: string, facts: Facts, port: MessagePort) => {
    const ports = fields.get(slot) ?? new Map<MessagePort, number>();
    fields.set(slot, ports.set(port, 0));
    port.onmessage = ({ data }: MessageEvent<FieldToKeeper>) => {
      if (data.op === "resume") {
        paused.delete(slot);
        budgetOf(slot).reset();
        setGuessed(false);
      } else if (data.op === "consent") {
        return questions.answer(slot, data.id, data.agreed);
      } else {
        questions.withdraw(slot); // the question was about the previous secret
        holder.set(slot, data.text, facts);
        if (slot === UNKNOWN_PROVIDER) stripped = "";
        budgets.delete(slot);
        paused.delete(slot);
        setGuessed(false);
        newest.set(slot, port);
        ports.set(port, (ports.get(port) ?? 0) + 1);
      }
      notify(slot, true);
    };
    notify(slot, false);
  };

  const answer = async ({ id, op, args }: Extract<ToKeeper, { id: number }>) => {
    try {
      if (!Object.hasOwn(operations, op))
        throw new Rejected("unknown_field", "the vault does not know this request");
      if (guessed && op !== "forget") throw rejection();
      post({ id, value: await (operations[op] as (args: unknown) => unknown)(args) });
    } catch (error) {
      const { code = "failed", message } = error as Error & { code?: string };
      const text = code === "failed" ? "the browser could not complete this request" : message;
      post({ id, error: { code, text } });
    }
  };

  ctl.onmessage = ({ data, ports }: MessageEvent<ToKeeper>) => {
    if (data.op === "attach") {
      if (ports[0]) attach(data.slot, data.facts, ports[0]);
    } else if (data.op === "curves") keyPairs.supply(data.source);
    else void answer(data);
  };
  post({ op: "ready" });
}
