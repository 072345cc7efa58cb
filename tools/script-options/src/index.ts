export { scriptOptions, refuseUse } from "./script-options.ts";
