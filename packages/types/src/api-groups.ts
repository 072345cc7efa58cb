import type { ApiGroup } from "./api-group.ts";
import { groups } from "./generated/tables/discovery.ts";

/** Every group and version that a Kubernetes server can serve, in its order of preference. */
export function apiGroups(): readonly ApiGroup[] {
  return groups;
}

/** Whether a server serves this version of a built-in group without being told to: stable versions, and no others. */
export function isServedByDefault(version: string): boolean {
  return /^v\d+$/.test(version);
}
