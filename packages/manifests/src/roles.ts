import { permissionsOf, shardLeaseVerbs, webhookPermissions } from "@kaji/runtime";
import type { NarrowPermission, Permission } from "@kaji/runtime";
import type { ServiceAccount } from "@kaji/types/core/v1";
import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding } from "@kaji/types/rbac/v1";
import { isCalled } from "./manifest-options.ts";
import type { Plan } from "./manifest-options.ts";
import { reasonedRule } from "./rule-reasons.ts";

const apiGroup = "rbac.authorization.k8s.io";
const apiVersion = `${apiGroup}/v1`;

/** Who the operator is. */
export function serviceAccount({ name, namespace, labels, serviceAccount: { annotations } }: Plan): ServiceAccount {
  const added = Object.keys(annotations).length === 0 ? {} : { annotations };
  return { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace, labels, ...added } };
}

/** What the operator may do, each role with its binding: just what its declarations, its election and its certificates need. */
export function operatorRoles(plan: Plan): readonly (ClusterRole | Role | ClusterRoleBinding | RoleBinding)[] {
  const { watchNamespaces, name, namespace } = plan;
  const { cluster: clusterRules, watched, named, own } = operatorRules(plan, watchNamespaces === undefined ? "together" : "apart");
  return [
    ...(clusterRules.length === 0 ? [] : bound(clusterRole(plan, name, clusterRules), plan)),
    ...(watchNamespaces ?? []).flatMap((each) => bound(role(plan, name, each, watched), plan)),
    ...[...named].flatMap(([each, rules]) => bound(role(plan, `${name}-declared`, each, rules), plan)),
    ...bound(role(plan, `${name}-own-namespace`, namespace, own), plan),
    ...(plan.operator.apis.length === 0 ? [] : [authenticationReader(plan)]),
  ];
}

/** Lets it read by what the API server is known that passes requests on. The Role is there in every cluster. */
function authenticationReader({ name, namespace, labels }: Plan): RoleBinding {
  return {
    apiVersion,
    kind: "RoleBinding",
    metadata: { name: `${name}-authentication-reader`, namespace: "kube-system", labels },
    subjects: [{ kind: "ServiceAccount", name, namespace }],
    roleRef: { apiGroup, kind: "Role", name: "extension-apiserver-authentication-reader" },
  };
}

/** The rules of the operator by where they are to hold. */
export interface OperatorRules {
  /** In the whole cluster. */
  readonly cluster: readonly PolicyRule[];
  /** In each namespace that it looks after. */
  readonly watched: readonly PolicyRule[];
  /** In namespaces that declarations name, whichever it looks after. */
  readonly named: ReadonlyMap<string, readonly PolicyRule[]>;
  /** In the namespace that it runs in. */
  readonly own: readonly PolicyRule[];
}

/** The rules that the operator needs; `together` it looks after all namespaces, so that what it declares holds in the whole cluster, unless a declaration names namespaces. */
export function operatorRules(plan: Plan, extent: "apart" | "together" = "apart"): OperatorRules {
  const own = ownPermissions(plan);
  const { controllers, webhooks, apis } = plan.operator;
  const declared = permissionsOf(controllers, [...webhooks, ...apis]);
  const isClusterScoped = clusterScoped(plan);
  const isWide = (permission: Permission): boolean =>
    isClusterScoped(permission) || (extent === "together" && permission.namespaces === undefined);
  const narrow = declared.filter((permission) => !isWide(permission));
  const named = new Set(narrow.flatMap(({ namespaces = [] }) => namespaces));
  return {
    cluster: [...declared.filter(isWide), ...own.filter(({ namespace }) => namespace === undefined)].map(ruleOf),
    watched: narrow.filter(({ namespaces }) => namespaces === undefined).map(ruleOf),
    named: new Map([...named].map((each) => [each, narrow.filter(({ namespaces }) => namespaces?.includes(each)).map(ruleOf)])),
    own: own.filter(({ namespace }) => namespace !== undefined).map(ruleOf),
  };
}

/** Lets the accounts that it is bound to read the operator's metrics, where they are not shown to all. */
export function metricsReader(plan: Plan): readonly ClusterRole[] {
  const rules = [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }];
  return plan.metricsAuth ? [clusterRole(plan, `${plan.name}-metrics-reader`, rules)] : [];
}

function ruleOf({ apiGroup: group, resource, resourceNames, verbs, reasons }: NarrowPermission): PolicyRule {
  const rule = { apiGroups: [group], resources: [resource], ...(resourceNames === undefined ? {} : { resourceNames }), verbs };
  return reasonedRule(rule, reasons);
}

/** What electing a leader or sharing objects, keeping certificates and guarding metrics take. */
function ownPermissions(plan: Plan): readonly NarrowPermission[] {
  const { name, namespace, operator, certificates, metricsAuth, shards } = plan;
  const leases = { apiGroup: "coordination.k8s.io", resource: "leases", namespace, reasons: ["one of the replicas leads"] };
  const { webhooks, conversions, apis } = operator;
  const certificateFiles = certificates === "built-in" ? undefined : { certFile: "", keyFile: "" };
  return [
    ...(shards === undefined
      ? [
          { ...leases, verbs: ["create"] },
          { ...leases, verbs: ["get", "watch", "update"], resourceNames: [name] },
        ]
      : [{ ...leases, verbs: shardLeaseVerbs, reasons: ["the replicas share all objects"] }]),
    ...(isCalled(operator) ? webhookPermissions({ name, namespace, webhooks, conversions, apis, certificateFiles }) : []),
    ...(metricsAuth ? reviews : []),
  ];
}

/** Asking who sends a token, and what they may do. */
const reviews: readonly NarrowPermission[] = [
  { apiGroup: "authentication.k8s.io", resource: "tokenreviews", verbs: ["create"], reasons: ["metrics are shown to some only"] },
  { apiGroup: "authorization.k8s.io", resource: "subjectaccessreviews", verbs: ["create"], reasons: ["metrics are shown to some only"] },
];

/** Tells what is about objects that are in no namespace, or of a kind of which only its permissions speak, and so needs a ClusterRole whatever namespaces are looked after. */
function clusterScoped({ operator }: Plan): (permission: NarrowPermission) => boolean {
  const touched = [
    ...operator.controllers.flatMap(({ resource, owns, watches, uses }) => [
      resource,
      ...[...owns, ...watches, ...uses].map((each) => each.resource),
    ]),
    ...[...operator.webhooks, ...operator.apis].flatMap(({ uses, watches }) => [...uses, ...watches].map((each) => each.resource)),
  ];
  const kinds = new Map(touched.map(({ group, plural, scope }) => [`${group}/${plural}`, scope]));
  const extra = new Set(operator.controllers.flatMap(({ permissions }) => permissions.map(kindOf)));
  return (permission) => (kinds.get(kindOf(permission)) ?? (extra.has(kindOf(permission)) ? "Cluster" : "Namespaced")) === "Cluster";
}

/** The kind that a permission is about, whatever part of its objects. */
function kindOf({ apiGroup: group, resource }: Pick<NarrowPermission, "apiGroup" | "resource">): string {
  return `${group}/${resource.split("/", 1)[0]}`;
}

function clusterRole({ labels }: Plan, name: string, rules: readonly PolicyRule[]): ClusterRole {
  return { apiVersion, kind: "ClusterRole", metadata: { name, labels }, rules };
}

function role({ labels }: Plan, name: string, namespace: string, rules: readonly PolicyRule[]): Role {
  return { apiVersion, kind: "Role", metadata: { name, namespace, labels }, rules };
}

/** A role, and the binding that gives it to the operator. */
function bound<R extends ClusterRole | Role>(given: R, { name, namespace, labels }: Plan): readonly [R, ClusterRoleBinding | RoleBinding] {
  const metadata = { name: given.metadata.name, labels };
  const subjects = [{ kind: "ServiceAccount", name, namespace }];
  const roleRef = { apiGroup, kind: given.kind, name: given.metadata.name };
  if (given.kind === "ClusterRole") return [given, { apiVersion, kind: "ClusterRoleBinding", metadata, subjects, roleRef }];
  const { namespace: place = namespace } = given.metadata;
  return [given, { apiVersion, kind: "RoleBinding", metadata: { ...metadata, namespace: place }, subjects, roleRef }];
}
