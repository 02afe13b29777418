/** Parts of a run of several requests, and its size. */
import { count } from "../../lazy-exports.js";
import type { Plan } from "../../sending.js";

export const sizeOf = ({ events, faults, repeat }: Plan) => events.length * (1 + faults.length) * repeat;

/** Formats the number of requests of a plan. */
export const requestsOf = (plan: Plan) =>
  plan.faults.length || plan.repeat > 1 ? count(sizeOf(plan), "request") : count(plan.events.length, "event");

/** Bounds of a number that is entered. */
export interface Bounds {
  least: number;
  most: number;
  /** True if a fraction is rounded down. */
  whole: boolean;
}

/** Returns the number in a text, kept between bounds; an invalid text counts as 0. */
export function within(text: string, { least, most, whole }: Bounds): number {
  const number = Math.min(most, Math.max(least, Number.parseFloat(text) || 0));
  return whole ? Math.floor(number) : number;
}

/** Returns properties of a field that say which number is used instead of an invalid one; none if it is valid. */
export const outside = (text: string, bounds: Bounds) =>
  Number.parseFloat(text) === within(text, bounds)
    ? {}
    : { invalid: true, hint: `From ${bounds.least} to ${bounds.most}; ${within(text, bounds)} is used` };

/** Returns the names of the events whose name or title contains every word. */
export function matchingEvents(events: readonly { name: string; title: string }[], filter: string): string[] {
  const words = filter.toLowerCase().split(/\s+/);
  return events
    .filter(({ name, title }) => words.every((word) => `${name} ${title}`.toLowerCase().includes(word)))
    .map(({ name }) => name);
}

/** Returns the names between two of them, in either order; only `to` if `from` is not listed. */
export function rangeOf(names: readonly string[], from: string, to: string): readonly string[] {
  const [start, end] = [names.indexOf(from), names.indexOf(to)].sort((a, b) => a - b) as [number, number];
  return start >= 0 ? names.slice(start, end + 1) : [to];
}
