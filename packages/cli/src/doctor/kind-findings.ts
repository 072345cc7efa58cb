import { formatApiVersion, isReason, withGroup } from "@kaji/core";
import type { Resource } from "@kaji/core";
import { broughtResources } from "@kaji/manifests";
import { isOfAnyKind } from "@kaji/runtime";
import type { OperatorDefinition } from "@kaji/runtime";
import type { ClusterSession } from "../cluster-session.ts";
import type { Finding } from "./finding.ts";

/** A kind without which the operator does not start, and which it does not bring. */
interface NeededKind {
  readonly resource: Resource;
  /** Who mirrors it, such as `controller bar`. */
  readonly who: ReadonlySet<string>;
}

/** Whether the cluster serves what the operator mirrors and others define. */
export async function kindFindings(session: ClusterSession, operator: OperatorDefinition): Promise<readonly Finding[]> {
  const needed = neededKinds(operator);
  const missing = await Promise.all(needed.map((kind) => missingFinding(session, kind)));
  const found = missing.filter((finding) => finding !== undefined);
  return found.length > 0 || needed.length === 0 ? found : [{ state: "ok", subject: "kinds of others", text: "are served" }];
}

function neededKinds(operator: OperatorDefinition): readonly NeededKind[] {
  const idOf = ({ group, kind }: Resource): string => withGroup(kind, group);
  const brought = new Set(broughtResources(operator).map(idOf));
  const kinds = new Map<string, { readonly resource: Resource; readonly who: Set<string> }>();
  for (const { resource, who } of mirroredKinds(operator)) {
    if (brought.has(idOf(resource))) continue;
    const id = `${formatApiVersion(resource)} ${resource.kind}`;
    const known = kinds.get(id) ?? { resource, who: new Set() };
    known.who.add(who);
    kinds.set(id, known);
  }
  return [...kinds.values()];
}

function mirroredKinds({ controllers, webhooks }: OperatorDefinition): readonly { readonly resource: Resource; readonly who: string }[] {
  return [
    ...controllers.flatMap(({ name, resource, owns, watches }) =>
      [{ resource }, ...[...owns, ...watches].filter(isNeeded)].map((each) => ({ resource: each.resource, who: `controller ${name}` })),
    ),
    ...webhooks.flatMap(({ resource: { kind }, watches }) =>
      watches.filter(isNeeded).map(({ resource }) => ({ resource, who: `the webhook of ${kind}` })),
    ),
  ];
}

function isNeeded(declared: { readonly resource: Resource; readonly optional?: boolean | undefined }): boolean {
  return declared.optional !== true && !isOfAnyKind(declared);
}

async function missingFinding({ client, signal }: ClusterSession, { resource, who }: NeededKind): Promise<Finding | undefined> {
  const apiVersion = formatApiVersion(resource);
  try {
    await client.discovery.resourceOf({ apiVersion, kind: resource.kind }, signal);
    return undefined;
  } catch (error) {
    if (!isReason(error, "NotFound")) throw error;
    return {
      state: "problem",
      subject: `kind ${withGroup(resource.kind, resource.group)}`,
      text: `is not served in ${apiVersion}, and the operator does not start without it: it is mirrored by ${[...who].join(" and ")}`,
      remedy: "install what defines it",
    };
  }
}
