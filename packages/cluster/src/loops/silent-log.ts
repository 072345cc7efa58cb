import type { Log } from "@kaji/runtime";

/** Takes everything and says nothing. */
export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => silentLog };
