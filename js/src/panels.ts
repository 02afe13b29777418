/**
 * Lazy chunk: what is behind the tabs that are not in front at first.
 *
 * Its modules import values of the first bundle only from `shared.ts`, or they would bring a copy with them.
 */
export { createHistory } from "./view/History.js";
export { createVerify } from "./view/Verify.js";
