import type { WebhookEvent } from "@clerk/backend/webhooks";

import type { Named, Wire } from "./wire";

export type Body<Name> = Wire<Named<WebhookEvent, Name>>;
