import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { as, callsTo, withToken } from "../calls.ts";
import { clusterRoleBindings, clusterRoles, configMaps, grant, roleBindings, roles, rule, soon, untilAllowed } from "./policy-calls.ts";

const get = (path: string): Step => ({ method: "GET", path });
const secrets = callsTo("/api/v1/namespaces/access/secrets");
const leases = callsTo("/apis/coordination.k8s.io/v1/namespaces/access/leases");
const applied = (name: string): JsonObject => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
const eve = (step: Step): Step => as("eve", step);

/** Rules, bindings, and refusals. */
export const authorizationScenarios: readonly Scenario[] = [
  {
    name: "U5 whoever has no role is told what they may not do",
    steps: [
      eve(configMaps.list()),
      eve(configMaps.get("a")),
      eve(configMaps.create({ metadata: { name: "a" } })),
      eve(configMaps.list("?watch=1")),
      eve(configMaps.list("?fieldSelector=metadata.name=a")),
      eve(configMaps.list("?fieldSelector=metadata.name=a&watch=true")),
      eve({ method: "DELETE", path: "/api/v1/namespaces/access/configmaps?fieldSelector=metadata.name%3Da" }),
      eve(get("/api/v1/configmaps")),
      eve(get("/apis/apps/v1/namespaces/access/deployments/web/scale")),
      eve(get("/api/v1/namespaces/access/pods/web/log")),
      eve(get("/api/v1/watch/namespaces/access/secrets/a")),
      eve(get("/apis/example.com/v1/things")),
      eve(get("/api/v1/namespaces/access")),
      eve({ method: "PUT", path: "/api/v1/namespaces/access/finalize", body: {} }),
      eve(get("/metrics")),
      eve(get("/nowhere")),
      eve(get("/")),
      eve(get("/healthz")),
      eve(get("/readyz/ping")),
      eve(get("/apis/apps/v1/namespaces/access/deployments/%3Cb%3E%22&")),
    ],
  },
  {
    name: "U5 paths that are written in other ways",
    steps: [
      eve(get("/api/v1/namespaces/access%2Fsecrets")),
      eve(get("/%61pi/v1/secrets")),
      eve(get("/api/v1/namespaces//access/secrets")),
      eve(get("//api/v1/namespaces/access/secrets")),
      eve(get("/api/v1/namespaces/access/secrets/")),
      eve(get("/api/v1/namespaces/access/secrets//a")),
      eve(get("/api/v1/namespaces/access/pods/web/log/more")),
      get("/api/v1/namespaces/access%2Fsecrets?limit=1"),
      get("//api/v1/namespaces"),
      get("/api/v1//namespaces"),
      get("/api/v1/namespaces//access"),
      get("/api/v1/namespaces/access/configmaps//?labelSelector=none"),
      get("/api/v1/namespaces/access/configmaps//a"),
    ],
  },
  {
    name: "U5 nobody has shown who they are",
    steps: [
      withToken("", get("/healthz")),
      withToken("", get("/api")),
      withToken("", configMaps.list()),
      withToken("wrong", get("/healthz")),
      withToken("", { ...get("/api"), headers: { "x-remote-user": "admin", "x-remote-group": "system:masters" } }),
    ],
  },
  {
    name: "U5 roles in a namespace",
    steps: [
      ...grant("reader", "ann", [rule("", "configmaps", "get list"), rule("", "secrets", "get", "one"), rule("*", "*/scale", "get")]),
      untilAllowed("ann", { verb: "get", resource: "configmaps" }),
      as("ann", configMaps.list("?labelSelector=none")),
      as("ann", configMaps.list("?watch=1")),
      as("ann", configMaps.create({ metadata: { name: "a" } })),
      as("ann", get("/api/v1/configmaps")),
      as("ann", secrets.get("one")),
      as("ann", secrets.get("two")),
      as("ann", secrets.list()),
      as("ann", secrets.list("?fieldSelector=metadata.name=one")),
      as("ann", get("/apis/apps/v1/namespaces/access/deployments/web/scale")),
      as("ann", get("/apis/apps/v1/namespaces/access/deployments/web")),
      roles.patch("reader", { rules: [rule("", "configmaps", "list")] }),
      soon(as("ann", secrets.get("one")), "forbidden"),
      roleBindings.remove("reader"),
      soon(as("ann", configMaps.list("?labelSelector=none")), "forbidden"),
    ],
  },
  {
    name: "U5 creations by verbs that change",
    steps: [
      ...grant("changer", "cleo", [
        rule("", "configmaps", "get patch update"),
        rule("", "configmaps", "create", "given"),
        rule("coordination.k8s.io", "leases", "update"),
      ]),
      untilAllowed("cleo", { verb: "patch", resource: "configmaps" }),
      as("cleo", configMaps.patch("a", applied("a"), "apply")),
      as("cleo", { ...configMaps.patch("a", applied("a"), "apply"), path: configMaps.get("a").path + "?fieldManager=applier&dryRun=All" }),
      as("cleo", configMaps.patch("a", { ...applied("a"), data: { "not a key": "" } }, "apply")),
      as("cleo", configMaps.patch("given", applied("given"), "apply")),
      as("cleo", configMaps.patch("given", { ...applied("given"), data: { a: "b" } }, "apply")),
      as("cleo", leases.replace("a", { metadata: { name: "a" }, spec: {} })),
      leases.replace("a", { metadata: { name: "a" }, spec: {} }),
      as("cleo", leases.replace("a", { metadata: { name: "a" }, spec: { holderIdentity: "cleo" } })),
    ],
  },
  {
    name: "U5 roles in the whole cluster, of groups, and for paths",
    steps: [
      clusterRoles.create({
        metadata: { name: "access-metrics" },
        rules: [{ nonResourceURLs: ["/metrics", "/deb*"], verbs: ["get"] }, rule("", "configmaps", "*")],
      }),
      clusterRoleBindings.create({
        metadata: { name: "access-metrics" },
        roleRef: { kind: "ClusterRole", name: "access-metrics" },
        subjects: [
          { kind: "Group", name: "access-watchers" },
          { kind: "ServiceAccount", namespace: "access", name: "robot" },
        ],
      }),
      soon(as("ann", configMaps.list("?labelSelector=none"), "access-watchers"), '"items"'),
      as("ann", get("/nowhere"), "access-watchers"),
      as("ann", get("/deb/nowhere"), "access-watchers"),
      as("system:serviceaccount:access:robot", configMaps.list("?labelSelector=none")),
      as("system:serviceaccount:access:other", configMaps.list("?labelSelector=none")),
      as("ann", { method: "POST", path: "/metrics" }, "access-watchers"),
    ],
  },
  {
    name: "U5 bindings to roles that do not exist",
    steps: [
      clusterRoleBindings.create({
        metadata: { name: "access-gone" },
        roleRef: { kind: "ClusterRole", name: "access-gone" },
        subjects: [{ kind: "User", name: "gus" }],
      }),
      roleBindings.create({
        metadata: { name: "gone" },
        roleRef: { kind: "Role", name: "gone" },
        subjects: [{ kind: "User", name: "gus" }],
      }),
      soon(as("gus", configMaps.list()), 'role.rbac.authorization.k8s.io \\"gone\\"'),
      as("gus", get("/api/v1/configmaps")),
      as("gus", get("/metrics")),
      as("gus", {
        method: "POST",
        path: "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
        body: { spec: { namespace: "access" } },
      }),
    ],
  },
  {
    name: "U5 roles that every cluster has",
    steps: [
      clusterRoles.get("cluster-admin"),
      clusterRoles.get("system:aggregate-to-view"),
      clusterRoles.get("system:controller:deployment-controller"),
      clusterRoles.get("system:public-info-viewer"),
      clusterRoleBindings.get("cluster-admin"),
      clusterRoleBindings.get("system:node"),
      clusterRoleBindings.get("system:controller:job-controller"),
      get("/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/roles/extension-apiserver-authentication-reader"),
      get("/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/rolebindings/system::leader-locking-kube-scheduler"),
    ],
  },
];
