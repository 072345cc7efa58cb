import type { AdmissionPlugin, Storage } from "@kaji/apiserver";
import { defaultTolerationSeconds } from "./default-toleration-seconds.ts";
import { namespaceLifecycle } from "./namespace-lifecycle.ts";
import { podPriority } from "./pod-priority.ts";
import { storageObjectInUseProtection } from "./storage-protection.ts";
import { taintNodesByCondition } from "./taint-new-nodes.ts";

/** What a Kubernetes server does to every write unless told otherwise, in its order. */
export function defaultAdmission(storage: Storage): readonly AdmissionPlugin[] {
  return [namespaceLifecycle(storage), taintNodesByCondition, podPriority(storage), defaultTolerationSeconds, storageObjectInUseProtection];
}
