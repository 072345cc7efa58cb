import { structuralEqual } from "@kaji/core";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import type { ClusterSession } from "../cluster-session.ts";
import { readIfPresent } from "./apply-objects.ts";

/** Definitions on their way from what a cluster has to what an operator brings. */
export interface DefinitionTransition {
  /** What to apply before the new operator comes. */
  readonly first: readonly CustomResourceDefinition[];
  /** Those that become what they are to be only when nothing of the old operator is left. */
  readonly held: readonly CustomResourceDefinition[];
}

/** How definitions get onto a cluster without keeping an operator that is at work there, or its users, from their objects. */
export async function definitionTransition(
  session: ClusterSession,
  definitions: readonly CustomResourceDefinition[],
): Promise<DefinitionTransition> {
  const first: CustomResourceDefinition[] = [];
  const held: CustomResourceDefinition[] = [];
  for (const wanted of definitions) {
    const live = await readIfPresent(session, CustomResourceDefinition, wanted);
    const between = live === undefined ? wanted : whileOperatorsChange(live, wanted);
    first.push(between);
    if (between !== wanted) held.push(wanted);
  }
  return { first, held };
}

/**
 * A definition as it is to be while replicas of an old and a new operator are there: what was stored is stored in the same version, and what was served is served, so that neither needs
 * a conversion that only the other one knows. It is `wanted` itself if that is so already.
 */
export function whileOperatorsChange(live: CustomResourceDefinition, wanted: CustomResourceDefinition): CustomResourceDefinition {
  const before = new Map(live.spec.versions.map((version) => [version.name, version]));
  const after = new Set(wanted.spec.versions.map(({ name }) => name));
  const versions = [
    ...wanted.spec.versions.map((version) => {
      const { served = false, storage = false } = before.get(version.name) ?? {};
      return { ...version, served: version.served || served, storage };
    }),
    ...live.spec.versions.filter(({ name }) => !after.has(name)),
  ];
  const { conversion = live.spec.conversion } = wanted.spec;
  const isConverted = conversion?.strategy === "Webhook";
  const spec = { ...wanted.spec, versions, ...(isConverted ? { conversion } : {}) };
  return structuralEqual(spec, wanted.spec) ? wanted : { ...wanted, spec };
}
