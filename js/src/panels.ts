/**
 * Lazy chunk: what is behind the tabs that are not in front at first.
 *
 * Its modules import values of the first bundle only from `shared.ts`, or they would bring a copy with them.
 */
export { createCurl } from "./view/Curl.js";
export { createHistory } from "./view/History.js";
export { createOutcome } from "./view/Outcome.js";
export { createVerify } from "./view/Verify.js";
