export { ScriptedServer } from "./scripted-server.ts";
export type { ScriptedFault, ScriptedRequest } from "./scripted-server.ts";
