import { isJsonArray, isJsonObject, jsonOf, unlessGone } from "@kaji/core";
import type { DynamicObject, KubeObject } from "@kaji/core";
import type { ServedResource } from "@kaji/client";
import type { ClusterSession } from "../cluster-session.ts";
import { CommandError } from "../command.ts";
import type { Terminal } from "../command.ts";
import { isServed, readIfPresent, servedResource } from "./apply-objects.ts";
import type { ChangeReport } from "./change-report.ts";
import { isOurs, objectName } from "./object-name.ts";
import { waitUntil } from "./wait-until.ts";
import type { Progress } from "./wait-until.ts";

/** An object that is there and is to go. */
export interface Doomed {
  readonly resource: ServedResource;
  readonly live: DynamicObject;
}

/** Finds those of the objects that are there and are ours; one of the same name that kaji did not put there is kept. */
export async function findDoomed(
  session: ClusterSession,
  objects: readonly KubeObject[],
  { operator, report }: { readonly operator: string; readonly report: ChangeReport },
): Promise<readonly Doomed[]> {
  const doomed: Doomed[] = [];
  for (const object of objects) {
    if (!(await isServed(session, object))) continue;
    const resource = await servedResource(session, object);
    const live = await readIfPresent(session, resource, object);
    if (live === undefined) continue;
    if (isOurs(live, operator)) doomed.push({ resource, live });
    else report.add("kept", object, "it was not put there by kaji");
  }
  return doomed;
}

/** Shows what would go and asks; without a terminal to ask on, `--yes` must have been said. */
export async function confirmRemoval(
  doomed: readonly Doomed[],
  { terminal, cluster, yes }: { readonly terminal: Terminal; readonly cluster: string; readonly yes: boolean },
): Promise<boolean> {
  if (doomed.length === 0 || yes) return true;
  terminal.err(`To be removed from ${cluster}:\n${doomed.map(({ live }) => `- ${objectName(live)}\n`).join("")}`);
  if (terminal.prompt === undefined)
    throw new CommandError("nothing was removed, since there is nobody to ask; --yes removes all of these");
  return terminal.prompt.confirm("Remove all of these?");
}

/** Removes the objects, one after the other, and waits until each is gone: finalizers may take their time. Definitions go together: objects of one may wait for those of another. */
export async function removeObjects(
  session: ClusterSession,
  doomed: readonly Doomed[],
  { report, timeoutMs }: { readonly report: ChangeReport; readonly timeoutMs: number },
): Promise<void> {
  const definitions = doomed.filter(({ live }) => live.kind === "CustomResourceDefinition");
  for (const definition of definitions) await remove(session, definition);
  for (const each of doomed) {
    if (!definitions.includes(each)) await remove(session, each);
    if (timeoutMs > 0) await waitUntil(session, { report, timeoutMs, look: () => lookWhetherGone(session, each) });
    report.add("removed", each.live);
  }
}

async function remove({ client, signal }: ClusterSession, { resource, live }: Doomed): Promise<void> {
  const { uid } = live.metadata;
  await unlessGone(client.delete(resource, live.metadata, { preconditions: { uid }, propagationPolicy: "Background", signal }));
}

async function lookWhetherGone(session: ClusterSession, { resource, live }: Doomed): Promise<Progress> {
  const left = await readIfPresent(session, resource, live);
  if (left === undefined || left.metadata.uid !== live.metadata.uid) return { done: true };
  return { done: false, state: `waiting for ${objectName(live)} to go${obstacleOf(left)}` };
}

/** What the server says keeps an object that is to go, as definitions and namespaces do. */
function obstacleOf(left: DynamicObject): string {
  const { status } = jsonOf(left);
  const conditions = isJsonObject(status) && isJsonArray(status["conditions"]) ? status["conditions"] : [];
  const texts = conditions.filter(isJsonObject).flatMap(({ type, status: holds, message }) => {
    const isObstacle =
      holds === "True" && (type === "Terminating" || (typeof type === "string" && /^Namespace.*(?:Failure|Remaining)$/.test(type)));
    return isObstacle && typeof message === "string" ? [message] : [];
  });
  return texts.length === 0 ? "" : `: ${texts.join("; ")}`;
}
