import type * as notion from "@notionhq/client";

import type { Named, Wire } from "./wire";

type Payload =
  | notion.CommentCreatedWebhookPayload
  | notion.CommentDeletedWebhookPayload
  | notion.CommentUpdatedWebhookPayload
  | notion.DataSourceContentUpdatedWebhookPayload
  | notion.DataSourceCreatedWebhookPayload
  | notion.DataSourceDeletedWebhookPayload
  | notion.DataSourceMovedWebhookPayload
  | notion.DataSourceSchemaUpdatedWebhookPayload
  | notion.DataSourceUndeletedWebhookPayload
  | notion.DatabaseCreatedWebhookPayload
  | notion.DatabaseDeletedWebhookPayload
  | notion.DatabaseMovedWebhookPayload
  | notion.DatabaseUndeletedWebhookPayload
  | notion.FileUploadCompletedWebhookPayload
  | notion.FileUploadCreatedWebhookPayload
  | notion.FileUploadExpiredWebhookPayload
  | notion.FileUploadUploadFailedWebhookPayload
  | notion.PageContentUpdatedWebhookPayload
  | notion.PageCreatedWebhookPayload
  | notion.PageDeletedWebhookPayload
  | notion.PageLockedWebhookPayload
  | notion.PageMovedWebhookPayload
  | notion.PagePropertiesUpdatedWebhookPayload
  | notion.PageUndeletedWebhookPayload
  | notion.PageUnlockedWebhookPayload
  | notion.ViewCreatedWebhookPayload
  | notion.ViewDeletedWebhookPayload
  | notion.ViewUpdatedWebhookPayload;

export type Body<Name> = Wire<Named<Payload, Name>>;
