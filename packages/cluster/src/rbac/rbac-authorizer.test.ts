import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import type { Access, Decision, Storage, UserInfo } from "@kaji/apiserver";
import { stringifyJson } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import fc from "fast-check";
import { Policy } from "./policy.ts";
import { permissionsOf, rbacAuthorizer } from "./rbac-authorizer.ts";
import { binding, keyOf, role, rule } from "./testing/policy-objects.ts";

/** A policy over a storage to which objects are written as a server would. */
function setUp(...objects: readonly DynamicObject[]) {
  const storage: Storage = createMemoryStorage({ clock: new ManualClock() });
  const put = (object: DynamicObject): void => {
    const key = keyOf(object);
    void storage.put(key, storage.get(key)?.modRevision ?? 0, () => Buffer.from(stringifyJson(object)));
  };
  const remove = (object: DynamicObject): void => void storage.delete(keyOf(object), storage.get(keyOf(object))?.modRevision ?? 0);
  objects.forEach(put);
  const policy = new Policy(storage);
  const authorize = rbacAuthorizer(policy);
  const decide = (user: UserInfo, request: Access): Decision => authorize(user, request) as Decision;
  return { put, remove, policy, decide };
}

const user = (username: string, ...groups: readonly string[]): UserInfo => ({ username, groups });

/** `VERB [NAMESPACE:]RESOURCE[/SUBRESOURCE][.GROUP] [NAME]`, or a path. */
function access(text: string): Access {
  const [verb = "", target = "", name] = text.split(" ");
  if (target.startsWith("/")) return { type: "Path", verb, path: target };
  const [, namespace, resource = "", subresource, group = ""] = /^(?:([^:]+):)?([^/.]+)(?:\/([^.]+))?(?:\.(.+))?$/.exec(target) ?? [];
  return { type: "Resource", verb, group, version: "v1", resource, subresource, namespace, name };
}

const bob = user("bob");

test("what a rule allows: verbs, groups, resources, subresources, names, each by itself or all of them", () => {
  const cases: readonly (readonly [ReturnType<typeof rule>, readonly string[], readonly string[]])[] = [
    [
      rule("core", "pods", "get list"),
      ["get pods", "list a:pods", "get a:pods web"],
      ["watch pods", "get pods/log", "get pods.apps", "get secrets"],
    ],
    [rule("core", "pods/log", "get"), ["get a:pods/log web"], ["get a:pods web", "get a:pods/exec web"]],
    [rule("*", "*/scale", "get"), ["get a:deployments/scale.apps web", "get a:x/scale.y"], ["get a:deployments.apps", "get a:pods/log"]],
    [rule("apps", "*", "*"), ["delete deployments.apps", "odd a:x/y.apps"], ["get pods"]],
    [rule("core", "secrets", "get", "one two"), ["get a:secrets one", "get a:secrets two"], ["get a:secrets three", "get a:secrets"]],
    [rule("core", "*", "get"), ["get pods/log"], ["list pods"]],
    [rule("core", "pods*", "get"), [], ["get pods", "get podsecurity"]],
  ];
  for (const [given, allowed, refused] of cases) {
    const { decide } = setUp(role("r", [given]), binding("b", "ClusterRole r", ["User bob"]));
    for (const text of allowed) assert.equal(decide(bob, access(text)).allowed, true, `${stringifyJson(given)} allows ${text}`);
    for (const text of refused) assert.equal(decide(bob, access(text)).allowed, false, `${stringifyJson(given)} refuses ${text}`);
  }
});

test("paths are allowed by themselves, below a star at the end, and all by a star", () => {
  const urls = (...nonResourceURLs: readonly string[]) =>
    setUp(role("r", [{ nonResourceURLs, verbs: ["get"] }]), binding("b", "ClusterRole r", ["User bob"])).decide;
  const some = urls("/metrics", "/debug/*", "/a*b");
  for (const path of ["/metrics", "/debug/", "/debug/x/y", "/a*b"]) assert.equal(some(bob, access(`get ${path}`)).allowed, true, path);
  for (const path of ["/metrics/", "/debug", "/aXb", "/"]) assert.equal(some(bob, access(`get ${path}`)).allowed, false, path);
  assert.equal(some(bob, access("put /metrics")).allowed, false);
  assert.equal(urls("*")(bob, access("get /anything")).allowed, true);
});

test("the reason names the binding, the role and the subject", () => {
  const { decide } = setUp(
    role("view", [rule("core", "pods", "get")], "a"),
    role("all", [rule("*", "*", "*")]),
    binding("viewers", "Role view", ["User bob", "ServiceAccount robot"], "a"),
    binding("admins", "ClusterRole all", ["User eve", "Group staff"]),
  );
  const grant = { binding: { kind: "RoleBinding", namespace: "a", name: "viewers" }, role: { kind: "Role", name: "view" } };
  assert.deepEqual(decide(bob, access("get a:pods")), {
    allowed: true,
    reason: 'RBAC: allowed by RoleBinding "viewers/a" of Role "view" to User "bob"',
    grant,
  });
  assert.equal(
    decide(user("system:serviceaccount:a:robot"), access("get a:pods")).reason,
    'RBAC: allowed by RoleBinding "viewers/a" of Role "view" to ServiceAccount "robot/a"',
  );
  assert.equal(
    decide(user("ann", "staff"), access("get nodes")).reason,
    'RBAC: allowed by ClusterRoleBinding "admins" of ClusterRole "all" to Group "staff"',
  );
});

test("a role of the cluster that is bound in a namespace holds there", () => {
  const { decide } = setUp(role("edit", [rule("core", "pods", "*")]), binding("b", "ClusterRole edit", ["User bob"], "a"));
  assert.equal(decide(bob, access("delete a:pods")).allowed, true);
  for (const text of ["delete b:pods", "delete pods", "get /metrics"]) assert.equal(decide(bob, access(text)).allowed, false, text);
});

test("a service account without a namespace is in that of the RoleBinding; in a ClusterRoleBinding it matches no user", () => {
  const rules = [rule("core", "pods", "get")];
  const { decide } = setUp(
    role("r", rules),
    binding("b", "ClusterRole r", ["ServiceAccount robot"], "a"),
    binding("c", "ClusterRole r", ["ServiceAccount robot"]),
  );
  assert.equal(decide(user("system:serviceaccount:a:robot"), access("get a:pods")).allowed, true);
  assert.equal(decide(user("system:serviceaccount:a:robot"), access("get pods")).allowed, false);
  assert.equal(decide(user("system:serviceaccount::robot"), access("get pods")).allowed, false);
});

test("bindings to roles that do not exist are named in the refusal, each once", () => {
  const { decide } = setUp(
    binding("b", "ClusterRole gone", ["User bob", "Group staff"]),
    binding("c", "ClusterRole gone", ["User bob"]),
    binding("d", "Role lost", ["User bob"], "a"),
  );
  const gone = 'clusterrole.rbac.authorization.k8s.io "gone" not found';
  assert.equal(decide(user("bob", "staff"), access("get pods")).reason, `RBAC: ${gone}`);
  assert.equal(decide(bob, access("get a:pods")).reason, `RBAC: [${gone}, role.rbac.authorization.k8s.io "lost" not found]`);
  assert.deepEqual(decide(user("ann"), access("get pods")), { allowed: false, reason: "" });
});

test("a change is in force at once", () => {
  const given = binding("b", "ClusterRole r", ["User bob"]);
  const { put, remove, decide } = setUp(given);
  const isAllowed = (): boolean => decide(bob, access("get pods")).allowed;
  assert.equal(isAllowed(), false);
  put(role("r", [rule("core", "pods", "get")]));
  assert.equal(isAllowed(), true);
  put(role("r", [rule("core", "nodes", "get")]));
  assert.equal(isAllowed(), false);
  put(role("r", [rule("core", "pods", "get")]));
  put(binding("b", "ClusterRole r", ["User eve"]));
  assert.equal(isAllowed(), false);
  put(given);
  assert.equal(isAllowed(), true);
  remove(given);
  assert.equal(isAllowed(), false);
});

test("members of system:masters may do anything, whatever the roles are", () => {
  assert.deepEqual(setUp().decide(user("x", "system:masters"), access("delete nodes")), { allowed: true, reason: "" });
});

test("names of properties are plain data", () => {
  const { decide } = setUp(
    role("__proto__", [rule("core", "constructor", "get")]),
    binding("b", "ClusterRole __proto__", ["User __proto__"]),
  );
  assert.equal(decide(user("__proto__"), access("get constructor")).allowed, true);
  assert.equal(decide(user("constructor"), access("get constructor")).allowed, false);
});

test("the index finds what a look at all bindings finds, however they have changed", () => {
  const users = ["a", "b", "c"];
  const namespaces = [undefined, "n", "m"];
  const verbs = ["get", "list", "*"];
  const step = fc.record({
    type: fc.constantFrom("put", "remove"),
    name: fc.constantFrom("x", "y"),
    namespace: fc.constantFrom(...namespaces),
    subjects: fc.uniqueArray(fc.constantFrom(...users.map((name) => `User ${name}`), "Group g"), { minLength: 1 }),
    verb: fc.constantFrom(...verbs),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const { put, remove, decide } = setUp(...verbs.map((verb) => role(`r${verb}`, [rule("core", "pods", verb)])));
      const present = new Map<string, (typeof steps)[number]>();
      for (const each of steps) {
        const object = binding(each.name, `ClusterRole r${each.verb}`, each.subjects, each.namespace);
        if (each.type === "put") {
          put(object);
          present.set(keyOf(object), each);
        } else if (present.delete(keyOf(object))) {
          remove(object);
        }
      }
      for (const username of users) {
        for (const namespace of namespaces) {
          const expected = [...present.values()].some(
            (each) =>
              (each.namespace === undefined || each.namespace === namespace) &&
              (each.subjects.includes(`User ${username}`) || (username === "c" && each.subjects.includes("Group g"))) &&
              each.verb !== "list",
          );
          const asked = access(`get ${namespace === undefined ? "" : `${namespace}:`}pods`);
          assert.equal(decide(user(username, ...(username === "c" ? ["g"] : [])), asked).allowed, expected);
        }
      }
    }),
  );
});

test("a binding counts once among a user's permissions, however many of its subjects the user is", () => {
  const { policy } = setUp(
    role("r", [rule("core", "pods", "get")]),
    binding("b", "ClusterRole r", ["User bob", "Group staff"]),
    binding("c", "Role no", ["User bob"], "a"),
  );
  const { rules, missing } = permissionsOf(policy, user("bob", "staff"), "a");
  assert.equal(rules.length, 1);
  assert.deepEqual(missing, [{ kind: "Role", name: "no" }]);
});
