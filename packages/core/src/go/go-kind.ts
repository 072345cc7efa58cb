import type { GroupVersionKind } from "../object/group-version.ts";

/** A kind as Go prints it: `apps/v1, Kind=Deployment`, with a slash also where there is no group. */
export function formatGoKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}
