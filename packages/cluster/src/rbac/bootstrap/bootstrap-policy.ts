import type { DynamicObject, JsonObject } from "@kaji/core";
import { clusterRoles } from "./cluster-roles.ts";
import { controllerRoles } from "./controller-roles.ts";
import { namespaceRoles } from "./namespace-roles.ts";
import { parsePolicy } from "./policy-text.ts";
import type { RoleDraft } from "./policy-text.ts";

const apiGroup = "rbac.authorization.k8s.io";
const apiVersion = `${apiGroup}/v1`;
const controllerPrefix = "system:controller:";

/** Read once; the same for all servers of the process. */
let policy: readonly DynamicObject[] | undefined;

/** The roles and bindings that every cluster has from the start: those of Kubernetes v1.36. */
export function bootstrapPolicy(): readonly DynamicObject[] {
  return (policy ??= readPolicy());
}

function readPolicy(): readonly DynamicObject[] {
  const drafts = [...parsePolicy(clusterRoles), ...parsePolicy(controllerRoles).map(asController), ...parsePolicy(namespaceRoles)];
  return drafts.flatMap((draft) => [roleOf(draft), ...bindingsOf(draft)]);
}

function asController(draft: RoleDraft): RoleDraft {
  const name = controllerPrefix + draft.name;
  return { ...draft, name, binding: { name, subjects: [{ kind: "ServiceAccount", name: draft.name, namespace: "kube-system" }] } };
}

/** A role as a new server has it, that gathers nothing yet. */
export function roleOf({ namespace, name, labels, gathers, rules }: RoleDraft): DynamicObject {
  const kind = namespace === "" ? "ClusterRole" : "Role";
  const own = Object.fromEntries(labels.map((label) => [`${apiGroup}/${label}`, "true"]));
  const object = { apiVersion, kind, metadata: metadataOf(namespace, name, own) };
  if (gathers.length === 0) return { ...object, rules };
  const clusterRoleSelectors = gathers.map((label) => ({ matchLabels: { [`${apiGroup}/${label}`]: "true" } }));
  return { ...object, aggregationRule: { clusterRoleSelectors }, rules: null };
}

function bindingsOf({ namespace, name, binding }: RoleDraft): readonly DynamicObject[] {
  if (binding === undefined) return [];
  const [kind, roleKind] = namespace === "" ? ["ClusterRoleBinding", "ClusterRole"] : ["RoleBinding", "Role"];
  const roleRef = { apiGroup, kind: roleKind, name };
  const subjects: JsonObject = binding.subjects.length === 0 ? {} : { subjects: binding.subjects };
  return [{ apiVersion, kind: kind ?? "", metadata: metadataOf(namespace, binding.name, {}), ...subjects, roleRef }];
}

function metadataOf(namespace: string, name: string, labels: Readonly<Record<string, string>>): DynamicObject["metadata"] {
  return {
    name,
    ...(namespace === "" ? {} : { namespace }),
    labels: { "kubernetes.io/bootstrapping": "rbac-defaults", ...labels },
    annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
  };
}
