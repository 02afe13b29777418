/** Sends the requests of a plan: one after another, or several events of a round at a time. */
import { effect, randomHex } from "./lazy-exports.js";
import type { Plan, Sender, Step } from "./sending.js";
import type { State } from "./state.js";

/** Waits `ms` milliseconds, or until sending is stopped. */
const pause = ({ running }: Sender, ms: number) =>
  new Promise<void>((resolve) => {
    let unsubscribe = () => {};
    const finish = () => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const timer = setTimeout(finish, ms);
    unsubscribe = effect(() => running() || finish());
  });

/** True if the response was not the expected one. */
export const isUnexpected = ({ delivery }: Step) => delivery?.assessment?.ok === false;

const putStep = ({ steps }: Sender, at: number, step: Pick<Step, "progress" | "delivery" | "failure">) =>
  steps.set(steps().map((old, index) => (index === at ? { ...old, ...step } : old)));

/** Repeats the requests with an unexpected response; a faulty request is derived from the same valid one. */
export async function sendAgain(sender: Sender): Promise<void> {
  const { steps, running } = sender;
  if (sender.since() !== null || running()) return;
  running.set(true);
  for (const [at, step] of steps().entries()) {
    if (!isUnexpected(step) || !running()) continue;
    const { round, event, fault, delivery } = step;
    const valid = steps().find((each) => each.round === round && each.event === event)?.delivery;
    putStep(sender, at, { progress: "Sending", delivery: null, failure: "" });
    const args = fault ? { fault: fault.name, of: valid?.n } : { again: delivery?.n };
    const record = await sender.deliver(args, { again: null, plan: null });
    if (typeof record !== "string") putStep(sender, at, { progress: "Sent", delivery: record, failure: "" });
    else {
      putStep(sender, at, { progress: "Not sent", delivery: null, failure: record || sender.rejection() });
      break;
    }
  }
  running.set(false);
}

/** Sends the requests of a plan; ends early if sending is impossible. */
export async function sendAll(
  state: State,
  sender: Sender,
  plan: Plan,
  confirmedHost: string | null = null,
): Promise<void> {
  const { steps, running, question, rejection } = sender;
  if (sender.since() !== null || running()) return;
  const provider = state.inputs.provider();
  running.set(true);
  const { chain, events, faults, repeat, intervalMs, atOnce } = plan;
  const first = Number.parseInt(randomHex(3), 16);
  /** Each valid request with the faulty ones derived from it. */
  const groups = Array.from({ length: repeat }, (_, at) =>
    events.map((event) => [null, ...faults].map((fault) => ({ round: at + 1, event, fault }))),
  ).flat();
  const requests = groups.flat();
  steps.set(requests.map((request) => ({ ...request, progress: "Waiting", delivery: null, failure: "" })));

  const sendOne = async (at: number, of: number) => {
    const { round, event, fault } = requests[at] as (typeof requests)[number];
    const update = (step: Parameters<typeof putStep>[2]) => putStep(sender, at, step);
    update({ progress: "Sending", delivery: null, failure: "" });
    const other = chain || repeat > 1 ? { seed: first + round, chain: chain ? events : [event] } : {};
    const variant = fault ? { fault: fault.name, of } : { provider, event, ...other };
    const args = { confirmed_host: confirmedHost, beside: atOnce > 1, ...variant };
    const record = await sender.deliver(args, { again: null, plan });
    if (typeof record !== "string") {
      update({ progress: "Sent", delivery: record, failure: "" });
      return fault ? of : record.n;
    }
    update({ progress: record ? "Skipped" : "Not sent", delivery: null, failure: record || rejection() });
    if (!record) running.set(false);
    return of;
  };
  let next = 0;
  let started = false;
  const work = async () => {
    while (running() && next < groups.length) {
      const group = next;
      next += 1;
      let valid = 0;
      for (let at = 0; at <= faults.length && running(); at += 1) {
        if (started && intervalMs) await pause(sender, intervalMs);
        started = true;
        if (running()) valid = await sendOne(group * (faults.length + 1) + at, valid);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  running.set(false);
  steps.set(steps().map((step) => (step.progress === "Waiting" ? { ...step, progress: "Skipped" } : step)));
  const sent = steps().flatMap((step) => step.delivery ?? []);
  const expected = sent.filter(({ assessment }) => assessment?.ok);
  if (!question())
    state.say(
      `${sent.length} of ${requests.length} requests sent, ${expected.length} with the expected response.`,
    );
}
