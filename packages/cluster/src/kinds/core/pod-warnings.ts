import { FieldPath, Quantity } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { ipWarnings } from "../ip-warnings.ts";
import { has, numberField, objectField, objectsField, optionalObject, stringField, stringMapField, stringsField } from "../json-fields.ts";
import type { Fields } from "../json-fields.ts";
import { deprecatedNodeLabel } from "./node-label.ts";
import { annotationWarnings } from "./pod-annotation-warnings.ts";
import { containersOf } from "./pod-containers.ts";
import { usageWarnings } from "./usage-annotation.ts";
import { overlapWarnings } from "./volume-overlap.ts";

/** What the author of a pod, or of a template at this path, should know though it is allowed. */
export function podWarnings(pod: Fields, root: FieldPath): readonly string[] {
  const [spec, path] = [objectField(pod, "spec"), root.child("spec")];
  const annotations = annotationWarnings(pod, root);
  return [
    ...nodeSelectorWarnings(spec, path),
    ...spreadWarnings(spec, path),
    ...annotations.gone,
    ...objectsField(spec, "volumes").flatMap((volume, index) => volumeWarnings(volume, path.child("volumes").index(index))),
    ...overlapWarnings(objectsField(spec, "volumes")),
    ...repeated(spec, "hostAliases", "ip", path),
    ...repeated(spec, "imagePullSecrets", "name", path),
    ...emptyPullSecrets(spec, path),
    ...fractionWarnings(objectField(spec, "overhead"), path.child("overhead")),
    ...annotations.seccomp,
    ...containersOf(spec, path).flatMap(({ container, at }) => [...annotations.of(container), ...containerWarnings(container, at)]),
    ...portWarnings(spec, path),
    ...portNameWarnings(spec, path),
    ...graceWarnings(spec, path),
    ...affinityWarnings(spec, path),
    ...addressWarnings(spec, path),
    ...usageWarnings(pod, root),
  ];
}

/** Warnings on a write to the status of a pod. */
export function podStatusWarnings(status: JsonObject): readonly string[] {
  return ["podIPs", "hostIPs"].flatMap((name) =>
    objectsField(status, name).flatMap((address, index) =>
      ipWarnings(FieldPath.of("status", name).index(index).child("ip"), stringField(address, "ip")),
    ),
  );
}

function addressWarnings(spec: JsonObject, path: FieldPath): readonly string[] {
  const nameservers = stringsField(objectField(spec, "dnsConfig"), "nameservers");
  return [
    ...nameservers.flatMap((ip, index) => ipWarnings(path.child("dnsConfig", "nameservers").index(index), ip)),
    ...objectsField(spec, "hostAliases").flatMap((alias, index) =>
      ipWarnings(path.child("hostAliases").index(index).child("ip"), stringField(alias, "ip")),
    ),
  ];
}

function nodeSelectorWarnings(spec: JsonObject, path: FieldPath): readonly string[] {
  return Object.keys(stringMapField(spec, "nodeSelector")).flatMap((key) => {
    const why = deprecatedNodeLabel(key);
    return why === undefined ? [] : [`${path.child("nodeSelector").key(key)}: ${why}`];
  });
}

function spreadWarnings(spec: JsonObject, path: FieldPath): readonly string[] {
  return objectsField(spec, "topologySpreadConstraints").flatMap((constraint, index) => {
    const at = path.child("topologySpreadConstraints").index(index);
    const key = stringField(constraint, "topologyKey");
    const why = deprecatedNodeLabel(key);
    return [...(why === undefined ? [] : [`${at.child("topologyKey")}: ${key} is ${why}`]), ...nullSelector(constraint, at)];
  });
}

function nullSelector(term: JsonObject, path: FieldPath): readonly string[] {
  return has(term, "labelSelector") ? [] : [`${path.child("labelSelector")}: a null labelSelector results in matching no pod`];
}

/** Volumes that no longer work, in the order in which they are looked for. */
const goneVolumes: readonly (readonly [name: string, shown: string, why: string])[] = [
  ["photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["gitRepo", "gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"],
  ["scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["flocker", "flocker", "deprecated in v1.22, non-functional in v1.25+"],
  ["storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"],
  ["quobyte", "quobyte", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"],
];

function volumeWarnings(volume: JsonObject, path: FieldPath): readonly string[] {
  const claim = objectField(objectField(objectField(volume, "ephemeral"), "volumeClaimTemplate"), "spec");
  return [
    ...goneVolumes.flatMap(([name, shown, why]) => (has(volume, name) ? [`${path.child(shown)}: ${why}`] : [])),
    ...claimWarnings(claim, path.child("ephemeral", "volumeClaimTemplate", "spec")),
  ];
}

/** What the author of a claim should know. */
export function claimWarnings(spec: JsonObject, path: FieldPath): readonly string[] {
  const resources = objectField(spec, "resources");
  return ["requests", "limits"].flatMap((name) => fraction(objectField(resources, name), "storage", path.child("resources", name)));
}

function repeated(spec: JsonObject, list: string, name: string, path: FieldPath): readonly string[] {
  const seen = new Set<string>();
  return objectsField(spec, list).flatMap((item, index) => {
    const value = stringField(item, name);
    const isAgain = seen.has(value);
    seen.add(value);
    return isAgain ? [`${path.child(list).index(index).child(name)}: duplicate ${name} ${JSON.stringify(value)}`] : [];
  });
}

function emptyPullSecrets(spec: JsonObject, path: FieldPath): readonly string[] {
  return objectsField(spec, "imagePullSecrets").flatMap((secret, index) =>
    stringField(secret, "name") === "" ? [`${path.child("imagePullSecrets").index(index).child("name")}: invalid empty name ""`] : [],
  );
}

function containerWarnings(container: JsonObject, path: FieldPath): readonly string[] {
  const resources = objectField(container, "resources");
  const amounts = ["memory", "ephemeral-storage"].flatMap((resource) =>
    ["limits", "requests"].flatMap((list) => fraction(objectField(resources, list), resource, path.child("resources", list))),
  );
  return [...amounts, ...hiddenVariables(container, path)];
}

function fractionWarnings(amounts: JsonObject, path: FieldPath): readonly string[] {
  return ["memory", "ephemeral-storage"].flatMap((resource) => fraction(amounts, resource, path));
}

function fraction(amounts: JsonObject, resource: string, path: FieldPath): readonly string[] {
  const text = stringField(amounts, resource);
  if (text === "" || Quantity.parse(text).milliValue() % 1000n === 0n) return [];
  return [`${path.key(resource)}: fractional byte value ${JSON.stringify(text)} is invalid, must be an integer`];
}

/** A variable may build on an earlier one of its name, but not silently replace it. */
function hiddenVariables(container: JsonObject, path: FieldPath): readonly string[] {
  const seen = new Set<string>();
  return objectsField(container, "env").flatMap((variable, index) => {
    const [name, value] = [stringField(variable, "name"), stringField(variable, "value")];
    const reference = `$(${name})`;
    const isHiding =
      seen.has(name) && (optionalObject(variable, "valueFrom") !== undefined || value === reference || !value.includes(reference));
    seen.add(name);
    const warning = `${path.child("env").index(index)}: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
    return isHiding ? [warning] : [];
  });
}

interface PlacedPort {
  readonly port: JsonObject;
  readonly at: FieldPath;
}

function portsOf(spec: JsonObject, path: FieldPath): readonly PlacedPort[] {
  return containersOf(spec, path).flatMap(({ container, at }) =>
    objectsField(container, "ports").map((port, index) => ({ port, at: at.child("ports").index(index) })),
  );
}

function portWarnings(spec: JsonObject, path: FieldPath): readonly string[] {
  const byNumber = new Map<string, PlacedPort[]>();
  return portsOf(spec, path).flatMap((placed) => {
    const key = `${numberField(placed.port, "containerPort")}/${stringField(placed.port, "protocol")}`;
    const others = byNumber.get(key) ?? [];
    byNumber.set(key, [...others, placed]);
    return others.flatMap((other) => {
      const how = conflictOf(placed.port, other.port);
      return how === undefined ? [] : [`${placed.at}: ${how} port definition with ${other.at}`];
    });
  });
}

function conflictOf(port: JsonObject, other: JsonObject): string | undefined {
  const [ip, otherIp] = [stringField(port, "hostIP"), stringField(other, "hostIP")];
  const [number, otherNumber] = [numberField(port, "hostPort") ?? 0, numberField(other, "hostPort") ?? 0];
  if (ip === otherIp && number === otherNumber) return "duplicate";
  if (number === 0 || otherNumber === 0) return "overlapping";
  return number === otherNumber && (ip === "") !== (otherIp === "") ? "dangerously ambiguous" : undefined;
}

function portNameWarnings(spec: JsonObject, path: FieldPath): readonly string[] {
  const byName = new Map<string, FieldPath>();
  return portsOf(spec, path).flatMap(({ port, at }) => {
    const name = stringField(port, "name");
    const other = byName.get(name);
    if (name === "") return [];
    if (other === undefined) {
      byName.set(name, at);
      return [];
    }
    return [
      `${at}: duplicate port name ${JSON.stringify(name)} with ${other}, services and probes that select ports by name will use ${other}`,
    ];
  });
}

function graceWarnings(spec: JsonObject, path: FieldPath): readonly string[] {
  if ((numberField(spec, "terminationGracePeriodSeconds") ?? 0) >= 0) return [];
  return [`${path.child("terminationGracePeriodSeconds")}: must be >= 0; negative values are invalid and will be treated as 1`];
}

function affinityWarnings(spec: JsonObject, path: FieldPath): readonly string[] {
  return ["podAffinity", "podAntiAffinity"].flatMap((name) => {
    const pods = objectField(objectField(spec, "affinity"), name);
    const at = path.child("affinity", name);
    const [required, preferred] = [
      "requiredDuringSchedulingIgnoredDuringExecution",
      "preferredDuringSchedulingIgnoredDuringExecution",
    ] as const;
    return [
      ...objectsField(pods, required).flatMap((term, index) => nullSelector(term, at.child(required).index(index))),
      ...objectsField(pods, preferred).flatMap((term, index) =>
        nullSelector(objectField(term, "podAffinityTerm"), at.child(preferred).index(index).child("podAffinityTerm")),
      ),
    ];
  });
}
