import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { structTable } from "@kaji/types/tables";
import type { StructField } from "@kaji/types/tables";
import { objectField } from "./json-fields.ts";
import { structSchemas } from "./struct-schemas.ts";

/** Words that Go writes in capitals at the beginning of a name. */
const initials =
  /^(api|aws|cidr|csi|dns|fc|fs|gce|gid|gmsa|grpc|http|id|ip|iqn|iscsi|nfs|os|pd|qos|rbd|se|ssl|tcp|tls|tty|uid|url|wwid)(?=[A-Z]|s?$)/;

/** Names in Go that do not follow from the JSON name. */
const otherNames: Readonly<Record<string, string>> = {
  cephfs: "CephFS",
  chapAuthDiscovery: "DiscoveryCHAPAuth",
  chapAuthSession: "SessionCHAPAuth",
  diskURI: "DataDiskURI",
  externalID: "DoNotUseExternalID",
  hostIPs: "HostIPs",
  lastState: "LastTerminationState",
  storageos: "StorageOS",
};

const rbdNames = { monitors: "CephMonitors", image: "RBDImage", pool: "RBDPool", user: "RadosUser" };
const glusterNames = { endpoints: "EndpointsName" };

/** The same, in some structs only. */
const otherNamesIn: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "core.v1.GlusterfsPersistentVolumeSource": glusterNames,
  "core.v1.GlusterfsVolumeSource": glusterNames,
  "core.v1.RBDPersistentVolumeSource": rbdNames,
  "core.v1.RBDVolumeSource": rbdNames,
};

/** Fields that the internal form has in another place: each behind the other one. */
const movedFields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "core.v1.PodSpec": { setHostnameAsFQDN: "subdomain", preemptionPolicy: "priority", overhead: "runtimeClassName" },
  "core.v1.PodSecurityContext": { fsGroupChangePolicy: "fsGroup" },
  "core.v1.PersistentVolumeSource": { quobyte: "rbd", flexVolume: "iscsi" },
  "core.v1.VolumeSource": { quobyte: "rbd" },
};

/** What of a pod's spec stands at the beginning of its security context in the internal form. */
const hostFields: readonly string[] = ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"];

/**
 * An object as the real server shows it in a refusal: in the form it uses inside, where names begin with capitals and nothing is left out.
 * `struct` is the name of its type in the tables, such as `rbac.v1.RoleRef`.
 */
export function internalForm(struct: string, value: JsonObject): JsonObject {
  // Types of the common meta package have no other form than their JSON.
  if (struct.startsWith("meta.")) return structSchemas.shown(value, struct);
  if (struct === "core.v1.PodSpec") return internalPodSpec(value);
  return Object.fromEntries(internalFields(fieldsOf(struct), value, otherNamesIn[struct]));
}

function internalPodSpec(spec: JsonObject): JsonObject {
  const fields = fieldsOf("core.v1.PodSpec");
  const ofHost = hostFields.flatMap((name) => fields.filter((field) => field.name === name));
  const form = Object.fromEntries(
    internalFields(
      fields.filter(({ name }) => name !== "serviceAccount" && !hostFields.includes(name)),
      { securityContext: {}, ...spec },
    ),
  );
  return { ...form, SecurityContext: { ...Object.fromEntries(internalFields(ofHost, spec)), ...objectField(form, "SecurityContext") } };
}

function internalFields(
  fields: readonly StructField[],
  value: JsonObject,
  names: Readonly<Record<string, string>> = {},
): readonly (readonly [string, JsonValue | undefined])[] {
  return fields.flatMap((field): readonly (readonly [string, JsonValue | undefined])[] => {
    if (field.inline && field.type.type === "struct") return Object.entries(internalForm(field.type.name, value));
    // The metadata of an object is part of it rather than a field.
    if (isMetadata(field)) return Object.entries(internalForm("meta.v1.ObjectMeta", objectField(value, field.name)));
    return [[names[field.name] ?? goName(field.name), internalField(field, value[field.name])]];
  });
}

function fieldsOf(struct: string): readonly StructField[] {
  const fields = structTable.fieldsOf(struct) ?? [];
  const moved = movedFields[struct];
  if (moved === undefined) return fields;
  const placed = fields.filter(({ name }) => !Object.hasOwn(moved, name));
  for (const [name, after] of Object.entries(moved)) {
    const field = fields.find((each) => each.name === name);
    if (field !== undefined) placed.splice(placed.findIndex((each) => each.name === after) + 1, 0, field);
  }
  return placed;
}

function isMetadata({ type }: StructField): boolean {
  return type.type === "struct" && type.name === "meta.v1.ObjectMeta";
}

function internalField({ type, pointer }: StructField, value: JsonValue | undefined): JsonValue {
  return pointer && (value ?? null) === null ? null : internalValue(type, value);
}

function internalValue(type: StructField["type"], value: JsonValue | undefined): JsonValue {
  if (value === undefined || value === null) return zero(type);
  if (type.type === "struct" && isJsonObject(value)) return internalForm(type.name, value);
  if (type.type === "list" && isJsonArray(value)) return value.map((item) => internalValue(type.items, item));
  if (type.type === "map" && isJsonObject(value)) {
    const keys = Object.keys(value).toSorted();
    return Object.fromEntries(keys.map((key) => [key, internalValue(type.values, value[key])]));
  }
  return value;
}

function zero(type: StructField["type"]): JsonValue {
  switch (type.type) {
    case "struct":
      return internalForm(type.name, {});
    case "string":
      return "";
    case "bool":
      return false;
    case "int32":
    case "int64":
    case "intOrString":
      return 0;
    default:
      return null;
  }
}

function goName(name: string): string {
  const other = otherNames[name];
  if (other !== undefined) return other;
  return name.replace(initials, (word) => word.toUpperCase()).replace(/^[a-z]/, (letter) => letter.toUpperCase());
}
