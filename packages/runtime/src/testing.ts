export { checkConversion } from "./conversion/testing/check-conversion.ts";
export type { CheckConversionOptions } from "./conversion/testing/check-conversion.ts";
export { serveWebhooks } from "./webhook/testing/serve-webhooks.ts";
export type { ServeWebhooksOptions, ServedTestWebhooks } from "./webhook/testing/serve-webhooks.ts";
