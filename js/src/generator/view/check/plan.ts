/** Parts of a run of several requests, and its size. */
import { count } from "../../lazy-exports.js";
import type { Plan } from "../../sending.js";

export const sizeOf = ({ events, faults, repeat }: Plan) => events.length * (1 + faults.length) * repeat;

/** Formats the number of requests of a plan. */
export const requestsOf = (plan: Plan) =>
  plan.faults.length || plan.repeat > 1 ? count(sizeOf(plan), "request") : count(plan.events.length, "event");

/** Returns the number in a text, kept between two bounds; an invalid text counts as 0. */
export const within = (text: string, least: number, most: number) =>
  Math.min(most, Math.max(least, Number.parseFloat(text) || 0));

/** Returns properties of a field that say which number is used instead of an invalid one; none if it is valid. */
export const outside = (text: string, least: number, most: number) =>
  Number.parseFloat(text) === within(text, least, most)
    ? {}
    : { invalid: true, hint: `From ${least} to ${most}; ${within(text, least, most)} is used` };

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
