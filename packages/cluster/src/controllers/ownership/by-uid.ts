import type { KubeObject } from "@kaji/core";
import type { Index } from "@kaji/informer";

/** By uid: how an owner reference names an owner for good. */
export const byUid: Index<KubeObject> = { type: "Field", path: ["metadata", "uid"] };
