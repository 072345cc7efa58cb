import type { KubeObject } from "@kaji/core";
import { Deployment } from "@kaji/types/apps/v1";
import { Pod } from "@kaji/types/core/v1";
import type { ClusterSession } from "../cluster-session.ts";
import { CommandError } from "../command.ts";
import { readIfPresent } from "./apply-objects.ts";
import type { ChangeReport } from "./change-report.ts";
import { objectName } from "./object-name.ts";
import { waitUntil } from "./wait-until.ts";
import type { Progress } from "./wait-until.ts";

/**
 * Ends all copies of an operator that divide the work in another way than the new ones: one leads, or all share it. Neither looks at the leases of the other, so that side by side two copies would
 * write the same objects.
 */
export async function endOtherDivision(
  session: ClusterSession,
  manager: readonly KubeObject[],
  { report, timeoutMs, dryRun }: { readonly report: ChangeReport; readonly timeoutMs: number; readonly dryRun: boolean },
): Promise<void> {
  for (const wanted of manager.filter(isDeployment)) {
    const live = await readIfPresent(session, Deployment, wanted);
    if (live === undefined) continue;
    const [before, after] = [divisionOf(live), divisionOf(wanted)];
    if (before === undefined || after === undefined || before === after) continue;
    report.progress(`${objectName(wanted)}: ${before}, and from now on ${after}: all copies end before the new ones begin`);
    if (dryRun) continue;
    if (timeoutMs === 0)
      throw new CommandError(`the earlier copies of ${objectName(wanted)} have to end first, which takes a --timeout of more than 0s`);
    const { client, signal } = session;
    await client.mergePatch(Deployment, live.metadata, { spec: { replicas: 0 } }, { signal });
    await waitUntil(session, { report, timeoutMs, look: () => lookAtCopies(session, live) });
  }
}

function isDeployment(object: KubeObject): object is Deployment {
  return object.kind === "Deployment";
}

/** How the copies of an operator divide the work, in words; undefined where its arguments do not say. */
function divisionOf({ spec }: Deployment): string | undefined {
  const args = spec?.template.spec?.containers.flatMap((container) => container.args ?? []) ?? [];
  if (args.some((arg) => /^--shards(=|$)/.test(arg))) return "all copies share the work";
  return args.some((arg) => /^--leader-elect(=true)?$/.test(arg)) ? "one copy leads" : undefined;
}

/** A copy that is being ended may still finish what it began: it is gone when its Pod is. */
async function lookAtCopies({ client, signal }: ClusterSession, { metadata, spec }: Deployment): Promise<Progress> {
  const { namespace = "", name } = metadata;
  const { items } = await client.list(Pod, { namespace, labelSelector: { matchLabels: spec?.selector.matchLabels ?? {} }, signal });
  if (items.length === 0) return { done: true };
  return {
    done: false,
    state: `waiting for the ${items.length} earlier ${items.length === 1 ? "copy" : "copies"} of ${namespace}/${name} to end`,
  };
}
