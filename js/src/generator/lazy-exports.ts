/** Exports of the main bundle to the lazy panels, so that both share one Preact, its signals and components. */
export { Fragment, h } from "preact";
export { count, withoutBom } from "../core/bytes.js";
export { copyText } from "../core/copy.js";
export { flag, list, mapOf, number, or, orNull, pair, record, some, text, words } from "../core/decoders.js";
export { latestOnly, nothing } from "../core/rpc.js";
export { type Computed, effect, signal } from "../core/signals.js";
export { randomHex } from "../crypto/primitives.js";
export {
  Button,
  Chip,
  Cross,
  clockTime,
  createCopy,
  duration,
  Hint,
  Lock,
  Section,
  Select,
  SelectField,
  shortHash,
  TabPanel,
  Tabs,
  TextField,
  ViewSwitch,
} from "../ui/controls.js";
export { UNKNOWN_PROVIDER } from "../vault/facts.js";
export { placeField } from "../vault/place.js";
export { TYPING_MS } from "./inputs.js";
export { factsOf } from "./secret-facts.js";
export { statusOf } from "./status.js";
export { createProviderPicker, evidenceLabel, kindTitle } from "./view/provider/Providers.js";
export { errorAt, missing, UrlField } from "./view/request/Receiver.js";
export { SendButton } from "./view/request/SendButton.js";
