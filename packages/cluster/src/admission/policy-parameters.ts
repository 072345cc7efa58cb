import type { AdmissionPlugin, Authorizer, KindRegistry, ResourceAccess, UserInfo } from "@kaji/apiserver";
import { FieldPath, forbiddenField, formatApiVersion, invalid, parseApiVersion, structuralEqual } from "@kaji/core";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { formatGo } from "@kaji/core/go";
import { objectField, optionalObject, stringField } from "../kinds/json-fields.ts";
import { privilegedGroup } from "../rbac/rbac-authorizer.ts";
import type { StoredObjects } from "./stored-objects.ts";

const group = "admissionregistration.k8s.io";
const kinds = [
  "mutatingadmissionpolicies",
  "mutatingadmissionpolicybindings",
  "validatingadmissionpolicies",
  "validatingadmissionpolicybindings",
];

/** What the parameters of policies are looked up in. */
export interface PolicyParameterSources {
  readonly authorize: Authorizer;
  readonly objects: StoredObjects;
  readonly kinds: () => KindRegistry;
}

/** Keeps users from reading, by what a policy says of its parameters, objects that they may not read themselves. */
export function policyParameters(sources: PolicyParameterSources): AdmissionPlugin {
  return {
    name: "PolicyParameters",
    resources: kinds.map((plural) => `${group}/${plural}`),
    validate: async ({ operation, target, object, oldObject, context: { user } }) => {
      const isWrite = operation === "CREATE" || operation === "UPDATE";
      if (!isWrite || object === undefined || target.subresource !== undefined || user.groups.includes(privilegedGroup)) return;
      const isBinding = target.kind.plural.endsWith("bindings");
      const problem = isBinding
        ? await unreadableReference(sources, user, target.kind.plural.replace(/policybindings$/, "policies"), object)
        : await unreadableKind(sources, user, object, oldObject);
      if (problem === undefined) return;
      const path = FieldPath.of("spec", isBinding ? "paramRef" : "paramKind");
      throw invalid({ group, kind: target.kind.kind }, object.metadata.name, [forbiddenField(path, problem)]);
    },
  };
}

/** Why a policy may not have its parameters; undefined when it may. */
async function unreadableKind(
  { authorize, kinds: served }: PolicyParameterSources,
  user: UserInfo,
  object: DynamicObject,
  oldObject: DynamicObject | undefined,
): Promise<string | undefined> {
  const paramKind = paramKindOf(object);
  if (paramKind === undefined || structuralEqual(paramKind, paramKindOf(oldObject))) return undefined;
  const { access } = accessTo(paramKind, served());
  const { allowed } = await authorize(user, { ...access, verb: "get", namespace: "*", name: "*" });
  if (allowed) return undefined;
  const which = `(kind=${stringField(paramKind, "kind")}, apiVersion=${stringField(paramKind, "apiVersion")})`;
  return `user ${inGo(user)} must have "get" permission on all objects of the referenced paramKind ${which}`;
}

/** Why a binding may not have its parameters; undefined when it may. */
async function unreadableReference(
  { authorize, kinds: served, objects }: PolicyParameterSources,
  user: UserInfo,
  policies: string,
  binding: DynamicObject,
): Promise<string | undefined> {
  const spec = objectField(binding, "spec");
  const reference = optionalObject(spec, "paramRef");
  if (reference === undefined) return undefined;
  const policyName = stringField(spec, "policyName");
  const policy = objects.get(`/registry/${policies}/${policyName}`);
  const paramKind = paramKindOf(policy);
  const { access, isResolved } = accessTo(paramKind, served());
  const [name, namespace] = [stringField(reference, "name"), stringField(reference, "namespace")];
  const verb = name === "" ? "list" : "get";
  const { allowed } = await authorize(user, { ...access, verb, namespace: namespace || undefined, name: name || undefined });
  if (allowed) return undefined;
  const everything = `to determine minimum required permissions and user ${inGo(user)} does not have "${verb}" permission for all groups, versions and resources`;
  if (policy === undefined) return `unable to get policy ${policyName} ${everything}`;
  if (paramKind !== undefined && !isResolved) {
    return `unable to resolve paramKind &{${stringField(paramKind, "apiVersion")} ${stringField(paramKind, "kind")}} ${everything}`;
  }
  // The real server has its words in another order where objects are changed.
  const [who, what] = policies.startsWith("mutating") ? [verb, inGo(user)] : [inGo(user), verb];
  return `user ${who} does not have "${what}" permission on the object referenced by paramRef`;
}

function paramKindOf(policy: DynamicObject | undefined): JsonObject | undefined {
  return optionalObject(objectField(policy, "spec"), "paramKind");
}

/** What reading the parameters is, as far as it is known which they are; whatever is not known stands for everything. */
function accessTo(
  paramKind: JsonObject | undefined,
  served: KindRegistry,
): { readonly access: Omit<ResourceAccess, "verb" | "namespace" | "name">; readonly isResolved: boolean } {
  const nothing = { type: "Resource", group: "*", version: "*", resource: "*", subresource: undefined } as const;
  if (paramKind === undefined) return { access: nothing, isResolved: false };
  const type = parseApiVersion(stringField(paramKind, "apiVersion"));
  const found = served.named({ apiVersion: formatApiVersion(type), kind: stringField(paramKind, "kind") });
  return { access: { ...nothing, ...type, resource: found?.kind.plural ?? "*" }, isResolved: found !== undefined };
}

/** The user as the real server's own language shows it. */
function inGo({ username, uid = "", groups, extra = {} }: UserInfo): string {
  return `&{${username} ${uid} ${formatGo([...groups])} ${formatGo(Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])))}}`;
}
