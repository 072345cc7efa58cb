import assert from "node:assert/strict";
import { test } from "node:test";
import { Deployment } from "@kaji/types/apps/v1";
import { ConfigMap, Pod, Secret } from "@kaji/types/core/v1";
import { ClusterRole } from "@kaji/types/rbac/v1";
import { owned, use, watch } from "./declarations.ts";
import { defineController } from "./define-controller.ts";
import { permissionsOf } from "./permissions.ts";
import { Bar, Part } from "../testing/bar.ts";

const line = ({ apiGroup, resource, verbs }: ReturnType<typeof permissionsOf>[number]): string =>
  `${apiGroup} ${resource}: ${verbs.join(" ")}`;

test("[PER1] permissions follow from the declarations, one for each resource, sorted", () => {
  const controller = defineController(Bar, {
    owns: [Deployment, owned(Part, { verbs: ["update", "patch/status"] })],
    watches: [watch(Secret), watch(Pod, { verbs: ["create/eviction", "create/exec"] })],
    uses: [use(ConfigMap, "get", "create")],
    reconcile: () => undefined,
    finalize: () => undefined,
  });
  assert.deepEqual(permissionsOf([controller]).map(line), [
    " configmaps: get create",
    " pods: get list watch",
    " pods/eviction: create",
    " pods/exec: get create",
    " secrets: get list watch",
    "apps deployments: get list watch create patch delete",
    "events.k8s.io events: create patch",
    "samplecontroller.example.com bars: get list watch patch",
    "samplecontroller.example.com bars/finalizers: update",
    "samplecontroller.example.com bars/status: update patch",
    "samplecontroller.example.com parts: get list watch create update patch delete",
    "samplecontroller.example.com parts/status: patch",
  ]);
});

test("[PER2] each permission says why it is there, and what two controllers need is one permission", () => {
  const bars = defineController(Bar, { owns: [Part], reconcile: () => undefined });
  const parts = defineController(Part, { reconcile: () => undefined });
  const found = permissionsOf([bars, parts]).find(({ resource }) => resource === "parts");
  assert.deepEqual(found?.verbs, ["get", "list", "watch", "create", "patch", "delete"]);
  assert.deepEqual(found?.reasons, ["bar owns it", "part looks after it"]);
});

test("[PER1] what is declared for some namespaces is a permission of its own, which names them", () => {
  const controller = defineController(Bar, {
    watches: [watch(Secret), watch(ConfigMap, { namespaces: ["settings"] })],
    reconcile: () => undefined,
  });
  const found = permissionsOf([controller]).filter(({ apiGroup }) => apiGroup === "");
  assert.deepEqual(
    found.map(({ resource, namespaces }) => [resource, namespaces]),
    [
      ["configmaps", ["settings"]],
      ["secrets", undefined],
    ],
  );
});

test("[PER3] a controller that owns nothing and only watches asks for no more than reading and its own status", () => {
  const controller = defineController(Bar, { watches: [watch(Part)], reconcile: () => undefined });
  assert.deepEqual(permissionsOf([controller]).map(line), [
    "events.k8s.io events: create patch",
    "samplecontroller.example.com bars: get list watch",
    "samplecontroller.example.com bars/status: update patch",
    "samplecontroller.example.com parts: get list watch",
  ]);
});

test("[PER3] a controller that writes no status has no right to it", () => {
  const controller = defineController(Deployment, {
    name: "restarter",
    selfVerbs: ["patch"],
    writesStatus: false,
    reconcile: () => undefined,
  });
  assert.deepEqual(permissionsOf([controller]).map(line), ["apps deployments: get list watch patch", "events.k8s.io events: create patch"]);
});

test("[PER5] what RBAC asks for beside requests is declared in permissions: for some objects it is a permission of its own, for all it joins the others", () => {
  const roles = { apiGroup: "rbac.authorization.k8s.io", resource: "clusterroles" };
  const controller = defineController(Bar, {
    uses: [use(ClusterRole, "get")],
    permissions: [
      { ...roles, verbs: ["escalate", "bind"] },
      { ...roles, verbs: ["bind"], resourceNames: ["admin"] },
    ],
    reconcile: () => undefined,
  });
  const found = permissionsOf([controller]).filter(({ resource }) => resource === "clusterroles");
  assert.deepEqual(found, [
    { ...roles, verbs: ["get", "bind", "escalate"], reasons: ["bar uses it", "bar declares it in permissions"] },
    { ...roles, verbs: ["bind"], resourceNames: ["admin"], reasons: ["bar declares it in permissions"] },
  ]);
});
