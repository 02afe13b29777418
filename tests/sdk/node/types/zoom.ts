import type { MarketplaceEventProcessor } from "@zoom/rivet/marketplace";
import type { MeetingsEventProcessor } from "@zoom/rivet/meetings";
import type { PhoneEventProcessor } from "@zoom/rivet/phone";
import type { UsersEventProcessor } from "@zoom/rivet/users";

import type { Wire } from "./wire";

type Processor =
  | MarketplaceEventProcessor
  | MeetingsEventProcessor
  | PhoneEventProcessor
  | UsersEventProcessor;

type Payload<T> = T extends { emit(name: never, payload: infer Event): unknown } ? Event : never;

type Named<T, Name> = T extends { event: Name } ? T : never;

export type Body<Name> = Wire<Named<Payload<Processor>, Name>>;
