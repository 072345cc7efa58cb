export { checkConversion } from "./webhook/testing/check-conversion.ts";
export type { CheckConversionOptions } from "./webhook/testing/check-conversion.ts";
