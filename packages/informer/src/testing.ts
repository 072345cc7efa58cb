export { faultRows } from "./scripted/fault-rows.ts";
export type { FaultRow, FaultStage } from "./scripted/fault-rows.ts";
export { ScriptedServer } from "./scripted/scripted-server.ts";
export type { ScriptedFault, ScriptedRequest } from "./scripted/scripted-server.ts";
