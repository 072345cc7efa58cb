export { faultRows } from "./fault-rows.ts";
export type { FaultRow, FaultStage } from "./fault-rows.ts";
export { ScriptedServer } from "./scripted-server.ts";
export type { ScriptedFault, ScriptedRequest } from "./scripted-server.ts";
