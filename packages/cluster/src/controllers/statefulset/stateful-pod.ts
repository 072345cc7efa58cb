import type { Draft } from "@kaji/core";
import { StatefulSet } from "@kaji/types/apps/v1";
import type { PersistentVolumeClaim, Pod, PodTemplateSpec, Volume } from "@kaji/types/core/v1";
import { revisionLabel } from "../history/controller-history.ts";
import { podFromTemplate } from "../pods/pod-from-template.ts";

const nameLabel = "statefulset.kubernetes.io/pod-name";
const indexLabel = "apps.kubernetes.io/pod-index";

/** A template, and the name of the revision that keeps it. */
export interface StatefulRevision {
  readonly name: string;
  readonly template: PodTemplateSpec;
}

/** The number of a pod in its set; undefined if its name is not one that the set gives. */
export function ordinalOf({ metadata }: Pod, set: StatefulSet): number | undefined {
  const { name } = metadata;
  const prefix = `${set.metadata.name}-`;
  const digits = name.slice(prefix.length);
  return name.startsWith(prefix) && /^(0|[1-9]\d{0,9})$/.test(digits) ? Number(digits) : undefined;
}

/** The pod of a set with a number, of a revision: it has a name, a place in the network and storage that outlive it. */
export function statefulPod(set: StatefulSet, ordinal: number, { name: revision, template }: StatefulRevision): Draft<Pod> {
  const { metadata, spec = { containers: [] } } = podFromTemplate(StatefulSet, set, template);
  const { generateName, ...rest } = metadata;
  const name = `${set.metadata.name}-${ordinal}`;
  return {
    metadata: {
      ...rest,
      ...(generateName === undefined ? {} : { generateName }),
      name,
      labels: { ...metadata.labels, ...identityLabels(name, ordinal), [revisionLabel]: revision },
    },
    spec: { ...spec, hostname: name, ...subdomain(set), volumes: volumesOf(set, ordinal, spec.volumes ?? []) },
  };
}

/** The labels by which a pod of a set is told from the others. */
export function identityLabels(name: string, ordinal: number): Readonly<Record<string, string>> {
  return { [nameLabel]: name, [indexLabel]: String(ordinal) };
}

/** The claims of a pod of a set, by the names of their volumes. */
export function claimsOf(set: StatefulSet, ordinal: number): readonly Draft<PersistentVolumeClaim>[] {
  const { namespace, name } = set.metadata;
  const selected = set.spec?.selector.matchLabels;
  return (set.spec?.volumeClaimTemplates ?? []).map(({ metadata, spec }) => ({
    metadata: {
      ...(metadata.annotations === undefined ? {} : { annotations: metadata.annotations }),
      ...(selected === undefined && metadata.labels === undefined ? {} : { labels: { ...metadata.labels, ...selected } }),
      name: `${metadata.name}-${name}-${ordinal}`,
      ...(namespace === undefined ? {} : { namespace }),
    },
    ...(spec === undefined ? {} : { spec }),
  }));
}

function volumesOf(set: StatefulSet, ordinal: number, volumes: readonly Volume[]): readonly Volume[] {
  const claims = set.spec?.volumeClaimTemplates ?? [];
  const claimed = claims.map(({ metadata }) => ({
    name: metadata.name ?? "",
    persistentVolumeClaim: { claimName: `${metadata.name}-${set.metadata.name}-${ordinal}` },
  }));
  return [...claimed, ...volumes.filter(({ name }) => !claimed.some((claim) => claim.name === name))];
}

function subdomain({ spec }: StatefulSet): { readonly subdomain?: string } {
  return spec?.serviceName === undefined ? {} : { subdomain: spec.serviceName };
}
