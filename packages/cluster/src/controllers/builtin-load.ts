import type { ControllerLoad } from "@kaji/runtime";

/** What a built-in controller has left to do. */
export type BuiltinLoad = Pick<ControllerLoad, "queued" | "inFlight" | "nextDueInMs">;
