/** Size of a run of several requests. */
import { count } from "../../lazy-exports.js";
import type { Plan } from "../../sending.js";

export const sizeOf = ({ events, faults, repeat }: Plan) => events.length * (1 + faults.length) * repeat;

/** Formats the number of requests of a plan. */
export const requestsOf = (plan: Plan) =>
  plan.faults.length || plan.repeat > 1 ? count(sizeOf(plan), "request") : count(plan.events.length, "event");
