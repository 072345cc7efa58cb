export { checkConversion } from "./webhook/check-conversion.ts";
export type { CheckConversionOptions } from "./webhook/check-conversion.ts";
