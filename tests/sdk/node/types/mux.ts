import type { UnwrapWebhookEvent } from "@mux/mux-node/resources/webhooks/webhooks";

import type { Named, Wire } from "./wire";

export type Body<Name> = Wire<Named<UnwrapWebhookEvent, Name>>;
