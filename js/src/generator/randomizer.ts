/** Random values for the sample of an event: typed ones, the rest derived from a seed. */

import type { RpcError } from "../core/rpc.js";
import { nothing, signal } from "./lazy-exports.js";
import { randomized } from "./replies.js";
import type { Rewrites } from "./rewriting.js";
import type { State } from "./state.js";

type Texts = Readonly<Record<string, string>>;

/** At most fifteen digits: JavaScript rounds longer numbers. */
const SEED = /^\d{0,15}$/;

/** Returns the texts that are not empty, each as it was inserted. */
const asInserted = (typed: Texts, values: Texts): Texts =>
  Object.fromEntries(
    Object.entries(typed)
      .filter(([, text]) => text !== "")
      .map(([name, text]) => [name, values[name] ?? text]),
  );

export type Randomizer = ReturnType<typeof createRandomizer>;

export function createRandomizer(state: State, rewrites: Rewrites) {
  const seed = signal("1");
  const busy = signal(false);
  // By provider, or by provider and event, so that the values are restored when it is selected again.
  const typed = signal<Readonly<Record<string, Texts>>>({});
  const inserted = signal<Readonly<Record<string, { values: Texts; lacking: string[] }>>>({});
  const fault = signal<{ of: string; field: string; text: string } | null>(null);
  const asking = signal("");

  const provider = () => state.inputs.provider();
  const event = () => `${provider()} ${state.inputs.event()}`;
  const typedValues = () => typed()[provider()] ?? {};
  const insertedValues = () => inserted()[event()];
  const setTypedValues = (texts: Texts) => typed.set({ ...typed(), [provider()]: texts });
  const clearMessages = () => {
    fault.set(null);
    asking.set("");
  };
  const fail = (text: string, field = "") => {
    fault.set({ of: event(), field, text });
    state.say(text);
  };
  const setSeed = (text: string) => {
    clearMessages();
    seed.set(text);
    inserted.set({}); // values of the previous seed
  };
  const runOnce = async (run: () => Promise<void>) => {
    if (busy()) return;
    clearMessages();
    busy.set(true);
    try {
      await run();
    } catch (error) {
      fail((error as Error).message, (error as RpcError).field);
    } finally {
      busy.set(false);
    }
  };

  return {
    seed,
    /** The error and its field: "seed", "params.<name>" or "". */
    fault: () => (fault()?.of === event() ? fault() : null),
    busy,
    /** True while the user must confirm that an edited body is replaced. */
    asking: () => asking() === event(),
    /** Returns the text of a parameter: as typed, or else as inserted. */
    value: (name: string) => typedValues()[name] ?? insertedValues()?.values[name] ?? "",
    /** True if the body of this event has no such value. */
    lacks: (name: string) => insertedValues()?.lacking.includes(name) ?? false,
    setSeed,
    another: () => setSeed(String(Math.floor(1e6 * Math.random()))),
    set(name: string, text: string) {
      clearMessages();
      setTypedValues({ ...typedValues(), [name]: text });
    },
    /** Inserts the values; asks before replacing an edited body unless `sure`. */
    apply: (sure = false) =>
      runOnce(async () => {
        const number = seed().trim();
        if (!SEED.test(number)) {
          return fail(
            "The seed must be a whole number such as 7, or empty to keep the sample's values.",
            "seed",
          );
        }
        await state.upToDate(); // only a new draft tells whether the body is still the sample
        if (state.draft()?.edited && !sure) {
          asking.set(event());
          return state.say("Replace your edited payload?");
        }
        const of = event();
        const typed = typedValues();
        const names = (state.provider()?.params ?? []).map(({ name }) => name);
        const args = {
          seed: number ? Number(number) : null,
          values: Object.fromEntries(names.map((name) => [name, typed[name] ?? ""])),
        };
        const { values } = await rewrites.run("Randomize", "randomize", args, randomized);
        // Without a seed, an empty field requests no value.
        const lacking = names.filter((name) => (number || typed[name]) && !Object.hasOwn(values, name));
        inserted.set({ ...inserted(), [of]: { values, lacking } });
        // A typed field shows the value as inserted; an emptied one shows the seed's value.
        if (typedValues() === typed) setTypedValues(asInserted(typed, values));
        state.say("Payload randomized.");
      }),
    /** Cancels the replacement. */
    keep: () => asking.set(""),
    reset: () =>
      runOnce(async () => {
        await rewrites.run("Reset", "reset", {}, nothing);
        setTypedValues({});
        inserted.set({});
        state.say("Payload reset to the sample.");
      }),
  };
}
