/**
 * Lazy chunk: the panels behind tabs and buttons that are not used at first.
 *
 * Its modules import values of the main bundle only from `generator/lazy-exports.ts`; otherwise they would bundle a
 * copy.
 */

export { createCheck } from "../generator/view/check/Check.js";
export { createHistory } from "../generator/view/history/History.js";
export { createFormTable } from "../generator/view/payload/HeaderEditor.js";
export { createOddBytes } from "../generator/view/payload/OddBytes.js";
export { createPretty } from "../generator/view/payload/Pretty.js";
export { createProblems } from "../generator/view/payload/Problems.js";
export { createRandomize } from "../generator/view/payload/Randomize.js";
export { createClockTime } from "../generator/view/provider/ClockTime.js";
export { Evidence } from "../generator/view/provider/Evidence.js";
export { createProviderFileErrors } from "../generator/view/provider/ProviderFileErrors.js";
export { ProviderFilters } from "../generator/view/provider/ProviderFilters.js";
export { createOutcome } from "../generator/view/request/Outcome.js";
export { createRequest } from "../generator/view/request/Request.js";
export { createRunbook } from "../generator/view/request/Runbook.js";
export { createSecret } from "../generator/view/request/Secret.js";
export { createTls } from "../generator/view/request/Tls.js";
export { createVerify } from "../generator/view/verify/Verify.js";
export { default as style } from "./panels.css";
