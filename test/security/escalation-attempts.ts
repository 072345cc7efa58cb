import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { rule } from "./guarded-plane.ts";
import type { Attempt, GuardedPlane, Outcome } from "./guarded-plane.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const rbacRule = (resources: string, verbs: string, more: object = {}): object =>
  rule(resources, verbs, { apiGroups: ["rbac.authorization.k8s.io"], ...more });
const everything = { apiGroups: ["*"], resources: ["*"], verbs: ["*"] };
const notHeld =
  /^[a-z]+\.rbac\.authorization\.k8s\.io( "[^"]*")? is forbidden: user "system:serviceaccount:team:[a-z]+" \(groups=\["system:serviceaccounts" "system:serviceaccounts:team" "system:authenticated"\]\) is attempting to grant RBAC permissions not currently held:\n\{/;

/** The control plane, once it is there, and the token of one who may write roles and bindings in `team`, and read pods there. */
interface Setting {
  plane: GuardedPlane;
  writer: string;
}

const roles = `${rbac}/namespaces/team/roles`;
const bindings = `${rbac}/namespaces/team/rolebindings`;
const apply = { "content-type": "application/apply-patch+yaml" };
const merge = { "content-type": "application/merge-patch+json" };

/** Attempts to get more than one was given. */
export function escalationAttempts(start: () => Promise<GuardedPlane>): void {
  describe("nobody gets more than they were given", () => {
    // Filled in before the first test.
    const at = {} as Setting;
    before(async () => Object.assign(at, await setUp(start)));
    after(() => at.plane?.[Symbol.asyncDispose]());
    roleAttempts(at);
    bindingAttempts(at);
    aggregationAttempts(at);
    impersonationAttempts(at);
  });
}

async function setUp(start: () => Promise<GuardedPlane>): Promise<Setting> {
  const plane = await start();
  for (const name of ["team", "other"]) await plane.make("/api/v1/namespaces", { metadata: { name } });
  const writer = await plane.account("team", "writer");
  await plane.allow("team", "writer", [rbacRule("roles rolebindings", "create get list update patch delete"), rule("pods", "get list")]);
  return { plane, writer };
}

async function refused({ plane, writer }: Setting, attempt: Attempt, message: RegExp): Promise<void> {
  const isWanted = (outcome: Outcome): boolean => outcome.status === 403 && message.test(outcome.message);
  const outcome = await plane.until({ token: writer, ...attempt }, isWanted);
  assert.equal(outcome.status, 403, `${attempt.method ?? "GET"} ${attempt.path}: ${JSON.stringify(outcome.body)}`);
  assert.match(outcome.message, message);
}

function roleAttempts(at: Setting): void {
  test("a role with more than its author has is refused, whichever way it is written", async () => {
    const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata: { name: "more" }, rules: [rule("secrets", "get")] };
    await refused(at, { method: "POST", path: roles, body: role }, notHeld);
    await refused(at, { method: "POST", path: roles, body: { ...role, metadata: { generateName: "more-" } } }, notHeld);
    await refused(at, { method: "POST", path: `${roles}?dryRun=All`, body: role }, notHeld);
    await refused(at, { method: "PUT", path: `${roles}/more`, body: role }, notHeld);
    await refused(at, { method: "PATCH", path: `${roles}/more?fieldManager=me&force=true`, body: role, headers: apply }, notHeld);
    const own = await at.plane.until(
      {
        method: "POST",
        path: roles,
        body: { metadata: { name: "less" }, rules: [rule("pods", "get")] },
        token: at.writer,
      },
      isMade,
    );
    assert.equal(own.status, 201);
    for (const rules of [
      [rule("pods", "*")],
      [rule("*", "get")],
      [rule("pods", "get", { apiGroups: ["*"] })],
      [rule("pods/log", "get")],
      [everything],
    ]) {
      await refused(at, { method: "PATCH", path: `${roles}/less`, body: { rules }, headers: merge }, notHeld);
    }
    const own2 = { metadata: { name: "writer" }, rules: [everything] };
    await refused(at, { method: "PUT", path: `${roles}/writer`, body: own2 }, notHeld);
  });

  test("a role one has cannot be given where one does not have it", async () => {
    await refused(
      at,
      { method: "POST", path: `${rbac}/namespaces/other/roles`, body: { metadata: { name: "x" }, rules: [rule("pods", "get")] } },
      /in the namespace "other"$/,
    );
    await refused(
      at,
      { method: "POST", path: `${rbac}/clusterroles`, body: { metadata: { name: "x" }, rules: [] } },
      /at the cluster scope$/,
    );
  });
}

function bindingAttempts(at: Setting): void {
  test("a binding to more than its author has is refused", async () => {
    const to = (kind: string, name: string): object => ({
      metadata: { name: "b" },
      roleRef: { kind, name },
      subjects: [{ kind: "ServiceAccount", name: "writer" }],
    });
    for (const name of ["cluster-admin", "admin", "edit", "system:controller:namespace-controller"]) {
      await refused(at, { method: "POST", path: bindings, body: to("ClusterRole", name) }, notHeld);
    }
    // A role that does not exist may come to allow anything.
    const missing = await at.plane.until(
      { method: "POST", path: bindings, body: to("ClusterRole", "later"), token: at.writer },
      ({ status }) => status === 404,
    );
    assert.deepEqual([missing.status, missing.message], [404, 'rolebindings.rbac.authorization.k8s.io "later" not found']);
    const own = await at.plane.until({ method: "POST", path: bindings, body: to("Role", "writer"), token: at.writer }, isMade);
    assert.equal(own.status, 201);
    await refused(
      at,
      { method: "PATCH", path: `${bindings}/b`, body: { roleRef: { kind: "ClusterRole", name: "cluster-admin" } }, headers: merge },
      notHeld,
    );
    await refused(
      at,
      { method: "POST", path: `${rbac}/clusterrolebindings`, body: to("ClusterRole", "cluster-admin") },
      /at the cluster scope$/,
    );
  });

  test("the verbs bind and escalate are for what they name", async () => {
    const token = await at.plane.account("team", "binder");
    await at.plane.allow("team", "binder", [
      rbacRule("rolebindings roles", "create"),
      rbacRule("clusterroles", "bind", { resourceNames: ["view"] }),
      rbacRule("roles", "escalate", { resourceNames: ["mine"] }),
    ]);
    const to = (name: string): object => ({ metadata: { name: `binder-${name}` }, roleRef: { kind: "ClusterRole", name }, subjects: [] });
    assert.equal((await at.plane.until({ method: "POST", path: bindings, body: to("view"), token }, isMade)).status, 201);
    await refused(at, { method: "POST", path: bindings, body: to("edit"), token }, notHeld);
    // A creation has no name to be allowed by.
    await refused(at, { method: "POST", path: roles, body: { metadata: { name: "mine" }, rules: [everything] }, token }, notHeld);
  });
}

function aggregationAttempts(at: Setting): void {
  test("who may write roles of the cluster cannot slip rules into those of others", async () => {
    const token = await at.plane.account("team", "labeller");
    await at.plane.make(`${rbac}/clusterroles`, {
      metadata: { name: "labeller" },
      rules: [rbacRule("clusterroles", "create update patch get")],
    });
    const subjects = [{ kind: "ServiceAccount", namespace: "team", name: "labeller" }];
    await at.plane.make(`${rbac}/clusterrolebindings`, {
      metadata: { name: "labeller" },
      roleRef: { kind: "ClusterRole", name: "labeller" },
      subjects,
    });
    const labels = { "rbac.authorization.k8s.io/aggregate-to-view": "true" };
    const clusterRoles = `${rbac}/clusterroles`;
    await refused(
      at,
      { method: "POST", path: clusterRoles, body: { metadata: { name: "slip", labels }, rules: [everything] }, token },
      notHeld,
    );
    await refused(
      at,
      { method: "PATCH", path: `${clusterRoles}/cluster-admin`, body: { metadata: { labels } }, headers: merge, token },
      notHeld,
    );
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { "kubernetes.io/bootstrapping": "rbac-defaults" } }] };
    await refused(
      at,
      { method: "POST", path: clusterRoles, body: { metadata: { name: "sum" }, aggregationRule }, token },
      /is forbidden: must have cluster-admin privileges to use the aggregationRule$/,
    );
    await refused(
      at,
      { method: "PATCH", path: `${clusterRoles}/labeller`, body: { aggregationRule }, headers: merge, token },
      /aggregationRule$/,
    );
  });
}

function impersonationAttempts(at: Setting): void {
  test("nobody becomes another without leave", async () => {
    const as = (headers: Readonly<Record<string, string>>): Attempt => ({ path: "/api/v1/namespaces/team/pods", headers });
    const who = 'User "system:serviceaccount:team:writer" cannot';
    await refused(
      at,
      as({ "impersonate-user": "kubernetes-admin" }),
      new RegExp(`${who} impersonate-on:user-info:list resource "pods" in API group "" in the namespace "team"$`),
    );
    await refused(
      at,
      as({ "impersonate-user": "system:admin", "impersonate-group": "system:masters" }),
      new RegExp(`${who} impersonate-on:user-info:list`),
    );
    await refused(
      at,
      as({ "impersonate-user": "system:serviceaccount:kube-system:namespace-controller" }),
      new RegExp(`${who} impersonate-on:serviceaccount:list`),
    );
    await refused(at, as({ "impersonate-user": "system:node:n" }), new RegExp(`${who} impersonate-on:arbitrary-node:list`));
    const incomplete = await at.plane.attempt({ ...as({ "impersonate-group": "system:masters" }), token: at.writer });
    assert.deepEqual([incomplete.status, incomplete.message.includes("without impersonating a user name")], [400, true]);
  });

  test("who may be one user may not be of any group", async () => {
    const token = await at.plane.account("team", "actor");
    await at.plane.make(`${rbac}/clusterroles`, {
      metadata: { name: "actor" },
      rules: [rule("users", "impersonate", { resourceNames: ["ann"] })],
    });
    const subjects = [{ kind: "ServiceAccount", namespace: "team", name: "actor" }];
    await at.plane.make(`${rbac}/clusterrolebindings`, {
      metadata: { name: "actor" },
      roleRef: { kind: "ClusterRole", name: "actor" },
      subjects,
    });
    const act = (headers: Readonly<Record<string, string>>) => at.plane.attempt({ path: "/apis", token, headers });
    const ann = await at.plane.until({ path: "/apis", token, headers: { "impersonate-user": "ann" } }, ({ status }) => status === 200);
    assert.equal(ann.status, 200);
    assert.equal((await act({ "impersonate-user": "bob" })).status, 403);
    assert.equal((await act({ "impersonate-user": "ann", "impersonate-group": "system:masters" })).status, 403);
    assert.equal((await act({ "impersonate-user": "ann", "impersonate-uid": "1" })).status, 403);
    assert.equal((await act({ "impersonate-user": "ann", "impersonate-extra-scopes": "all" })).status, 403);
    assert.equal((await act({ "impersonate-user": "ann, bob" })).status, 403);
  });
}

function isMade({ status }: Outcome): boolean {
  return status === 201;
}
