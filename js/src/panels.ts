/**
 * Lazy chunk: what is behind the tabs and buttons that are not used at first.
 *
 * Its modules import values of the first bundle only from `shared.ts`, or they would bring a copy with them.
 */
export { default as style } from "./panels.css";
export { createCurl } from "./view/Curl.js";
export { createFaulty } from "./view/Faulty.js";
export { createHistory } from "./view/History.js";
export { createOutcome } from "./view/Outcome.js";
export { createReceiver } from "./view/Receiver.js";
export { createVary } from "./view/Vary.js";
export { createVerify } from "./view/Verify.js";
