import type { RequestContext } from "@kaji/apiserver";

/** Whether a request only asks what would happen. */
export function isDryRun({ query }: RequestContext): boolean {
  return query.getAll("dryRun").includes("All");
}
