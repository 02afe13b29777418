/** A calculator without a page: a screen that paints on demand, and a kernel that replies on demand. */
import { afterEach, beforeEach, mock } from "node:test";
import { createState } from "../src/calculator/state.js";
import type * as wire from "../src/calculator/wire.js";
import { FakeScreen } from "./screen-support.js";
import { FakeModel, utf8 } from "./support.js";

export const INPUTS = {
  limits: [["hourly", "1000/hour"]],
  burst: "10",
  cushion: "15%",
  seed: "7",
  compare: false,
};
export const LABELS = { burst: "Burst, requests", cushion: "Cushion below the limit", seed: "Seed" };
export const CATALOG = { presets: [], algorithms: [], patterns: [], groups: [], levels: [], fields: [] };
export const PICTURE = {
  width: 640,
  height: 384,
  alt: "A level",
  quick: false,
  media_type: "image/png",
  note: "",
};

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

/** A state whose first picture, called "0", is painted. */
export async function calculator({ traits = {}, connected = true } = {}) {
  const model = new FakeModel({ ...INPUTS, input_labels: LABELS, locked: [], ...traits });
  const ends = new AbortController();
  const screen = new FakeScreen();
  if (!connected) Object.assign(model, { send: undefined });
  const state = createState(model, ends.signal, screen);
  state.place({ width: 640, theme: "light" });
  const asked = () => model.sent.map(({ content }) => content).filter(({ op }) => op === "frame");
  const answer = async (name: string, more = {}) => {
    model.answer("frame", { picture: PICTURE, ...more }, [utf8(name)]);
    await screen.paint();
  };
  if (connected) {
    model.answer("catalog", CATALOG);
    await answer("0");
  }
  return { model, ends, screen, state, asked, answer };
}
export const sentInputs = (message?: { args?: Record<string, unknown> }) =>
  message?.args?.inputs as wire.Inputs | undefined;
export const bursts = (asked: { args?: Record<string, unknown> }[]) =>
  asked.map((message) => [sentInputs(message)?.burst, message.args?.quick]);
