import { formatApiVersion, isReason, withGroup } from "@kaji/core";
import type { RunningController } from "@kaji/runtime";

/** Why a part waits in vain: a test has to bring the definitions of resources of others, by the function of that name, and nothing else would ever say so. Undefined while it does not. */
export function unservedKind(parts: readonly Pick<RunningController, "mirrored">[], by: string): string | undefined {
  for (const { resource, state, isSynced, isAbsent } of parts.flatMap(({ mirrored }) => mirrored)) {
    if (isSynced || isAbsent || state.type !== "Failing" || !isReason(state.error, "NotFound", "MethodNotAllowed")) continue;
    const kind = `${resource.kind} (${withGroup(resource.plural, resource.group)})`;
    const remedy = `bring its definition, by ${by}({ …, resources: […] }), or declare the kind as optional`;
    return `the operator watches the kind ${kind}, which the cluster of the test does not serve in ${formatApiVersion(resource)}; ${remedy}`;
  }
  return undefined;
}
