import type { GroupVersion } from "@kaji/core";
import type { ServedVersion } from "../kind-registry.ts";
import type { Kind } from "../kind.ts";
import type { DefinitionSource } from "./definition-source.ts";
import { coreDiscovery, groupDiscovery, groupsDiscovery, versionDiscovery } from "./discovery-operations.ts";
import { kindOperations } from "./kind-operations.ts";
import type { Operation } from "./operation.ts";

/** A part of the API that v3 has in a document of its own. */
export interface Section {
  /** Where it is below `/openapi/v3/`: `api/v1`, `apis/apps/v1`. */
  readonly path: string;
  /** What it is about; none for those that are about discovery alone. */
  readonly served: readonly ServedVersion[];
  readonly versions: readonly GroupVersion[];
  /** Whether it is about custom kinds alone. */
  readonly isCustom: boolean;
  readonly operations: (source: DefinitionSource) => readonly Operation[];
}

/** The sections of all that these kinds offer. */
export function sectionsOf(kinds: readonly Kind[]): readonly Section[] {
  const groups = [...Map.groupBy(kinds, ({ group }) => group)];
  const hasOwn = groups.some(([group, members]) => group !== "" && !members.every(isCustom));
  return [
    ...(hasOwn ? [discoverySection("apis", groupsDiscovery)] : []),
    ...groups.flatMap(([group, members]) => groupSections(group, members)),
  ];
}

function groupSections(group: string, kinds: readonly Kind[]): readonly Section[] {
  const versions = new Set(kinds.flatMap((kind) => kind.versions.map(({ version }) => version)));
  const own = group === "" ? discoverySection("api", coreDiscovery) : discoverySection(`apis/${group}`, () => groupDiscovery(group));
  return [...(kinds.every(isCustom) ? [] : [own]), ...Array.from(versions, (version) => versionSection(group, version, kinds))];
}

/** The paths of custom kinds are published without the one that lists them. */
function versionSection(group: string, version: string, kinds: readonly Kind[]): Section {
  const served = kinds.flatMap((kind) => kind.versions.filter((each) => each.version === version).map((each) => ({ kind, version: each })));
  const isCustomOnly = served.every((each) => each.version.openapi !== undefined);
  return {
    path: group === "" ? `api/${version}` : `apis/${group}/${version}`,
    served,
    versions: [{ group, version }],
    isCustom: isCustomOnly,
    operations: (source) => [
      ...(isCustomOnly ? [] : [versionDiscovery({ group, version })]),
      ...served.flatMap((each) => kindOperations(each, source)),
    ],
  };
}

function discoverySection(path: string, operation: () => Operation): Section {
  return { path, served: [], versions: [], isCustom: false, operations: () => [operation()] };
}

function isCustom({ versions }: Kind): boolean {
  return versions.every(({ openapi }) => openapi !== undefined);
}
