import assert from "node:assert/strict";
import { test } from "node:test";
import { requestInfo, separateHeaders } from "@kaji/core/serving";
import type { Access, UserInfo } from "@kaji/core/serving";
import type { Authorizer } from "./authorizer.ts";
import { impersonate, wantsImpersonation } from "./impersonation.ts";
import type { Impersonation } from "./impersonation.ts";

const sender: UserInfo = { username: "proxy", groups: ["system:authenticated"] };
const listPods = requestInfo("GET", "/api/v1/namespaces/a/pods", new URLSearchParams());

/** `VERB RESOURCE[/SUBRESOURCE] NAME`, such as `impersonate users ann`. */
function textOf(access: Access): string {
  if (access.type === "Path") return `${access.verb} ${access.path}`;
  const { verb, resource, subresource, name = "" } = access;
  return `${verb} ${resource}${subresource === undefined ? "" : `/${subresource}`} ${name}`.trim();
}

/** Allows just these, and remembers what it was asked. */
function allowing(...allowed: readonly string[]): { readonly authorize: Authorizer; readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    authorize: (_user, access) => {
      asked.push(textOf(access));
      return { allowed: allowed.includes(textOf(access)), reason: "" };
    },
  };
}

function act(headers: Readonly<Record<string, string>>, authorize: Authorizer, by: UserInfo = sender): Promise<Impersonation | undefined> {
  return impersonate(by, separateHeaders({ headers }), listPods, authorize);
}

test("[AUTHZ3] who asks for nobody else is left alone", async () => {
  const { authorize, asked } = allowing();
  assert.equal(wantsImpersonation({ accept: "*/*", authorization: "x" }), false);
  assert.equal(wantsImpersonation({ "impersonate-extra-a": "b" }), true);
  assert.equal(await act({ "impersonate-user": "" }, authorize), undefined);
  assert.deepEqual(asked, []);
});

test("[AUTHZ3] each part of who somebody wants to be has to be allowed", async () => {
  const parts = [
    "impersonate users ann",
    "impersonate uids 7",
    "impersonate groups a",
    "impersonate groups b",
    "impersonate userextras/x/y v",
  ];
  const headers = { "impersonate-user": "ann", "impersonate-uid": "7", "impersonate-group": "a, b", "impersonate-extra-x%2fy": "v" };
  assert.deepEqual(await act(headers, allowing(...parts).authorize), {
    user: { username: "ann", uid: "7", groups: ["a", "b", "system:authenticated"], extra: { "x/y": ["v"] } },
    constraint: undefined,
  });
  for (const missing of parts) {
    await assert.rejects(
      act(headers, allowing(...parts.filter((part) => part !== missing)).authorize),
      /"proxy" cannot impersonate-on:user-info:list/,
      missing,
    );
  }
});

test("[AUTHZ3] a group may have a comma in its name: what came over a network is taken as it was sent", async () => {
  const rawHeaders = [
    "Impersonate-User",
    "ann",
    "Impersonate-Group",
    "Smith, Jones",
    "impersonate-group",
    "b",
    "Impersonate-Extra-k",
    "v, w",
  ];
  const joined = { "impersonate-user": "ann", "impersonate-group": "Smith, Jones, b", "impersonate-extra-k": "v, w" };
  const everything: Authorizer = () => ({ allowed: true, reason: "" });
  const acting = await impersonate(sender, separateHeaders({ headers: joined, rawHeaders }), listPods, everything);
  assert.deepEqual(acting?.user, { username: "ann", groups: ["Smith, Jones", "b", "system:authenticated"], extra: { k: ["v, w"] } });
});

test("[AUTHZ3] the constrained way asks for the verb on behalf of others, too", async () => {
  const parts = ["impersonate-on:user-info:list pods", "impersonate:user-info users ann"];
  assert.deepEqual(await act({ "impersonate-user": "ann" }, allowing(...parts).authorize), {
    user: { username: "ann", groups: ["system:authenticated"] },
    constraint: "impersonate:user-info",
  });
  await assert.rejects(
    act({ "impersonate-user": "ann" }, allowing("impersonate-on:user-info:list pods").authorize),
    /"proxy" cannot impersonate:user-info resource "users" in API group "authentication\.k8s\.io"/,
  );
});

test("[AUTHZ3] of a service account and a node only the name can be asked for in a constrained way", async () => {
  const account = "system:serviceaccount:a:robot";
  const { authorize, asked } = allowing();
  await assert.rejects(act({ "impersonate-user": account }, authorize), /impersonate-on:serviceaccount:list/);
  await assert.rejects(
    act({ "impersonate-user": account, "impersonate-group": "g" }, authorize),
    /cannot impersonate resource "serviceaccounts" in API group "" in the namespace "a"/,
  );
  await assert.rejects(act({ "impersonate-user": "system:node:n" }, authorize), /impersonate-on:arbitrary-node:list/);
  await assert.rejects(
    act({ "impersonate-user": "system:node:n", "impersonate-uid": "1" }, authorize),
    /cannot impersonate resource "users"/,
  );
  assert.ok(!asked.some((text) => text.startsWith("impersonate:")));
});

test("[AUTHZ3] a service account may be its own node by a verb for that alone", async () => {
  const extra = { "authentication.kubernetes.io/node-name": ["n"] };
  const agent = { username: "system:serviceaccount:a:agent", groups: [], extra };
  const { authorize } = allowing("impersonate-on:associated-node:list pods", "impersonate:associated-node nodes *");
  const acting = await act({ "impersonate-user": "system:node:n" }, authorize, agent);
  assert.deepEqual(acting, {
    user: { username: "system:node:n", groups: ["system:nodes", "system:authenticated"] },
    constraint: "impersonate:associated-node",
  });
  await assert.rejects(act({ "impersonate-user": "system:node:other" }, authorize, agent));
});

test("[AUTHZ4] nobody comes into system:masters in a constrained way", async () => {
  const headers = { "impersonate-user": "ann", "impersonate-group": "system:masters" };
  const everythingConstrained: Authorizer = (_user, { verb }) => ({ allowed: verb !== "impersonate", reason: "" });
  await assert.rejects(act(headers, everythingConstrained), /impersonating the system:masters group is not allowed/);
  const everything: Authorizer = () => ({ allowed: true, reason: "" });
  assert.deepEqual((await act(headers, everything))?.constraint, undefined);
});

test("[AUTHZ5] groups that are known are added", async () => {
  const everything: Authorizer = () => ({ allowed: true, reason: "" });
  const groups = async (headers: Readonly<Record<string, string>>): Promise<readonly string[] | undefined> =>
    (await act(headers, everything))?.user.groups;
  assert.deepEqual(await groups({ "impersonate-user": "system:serviceaccount:a:b" }), [
    "system:serviceaccounts",
    "system:serviceaccounts:a",
    "system:authenticated",
  ]);
  assert.deepEqual(await groups({ "impersonate-user": "system:serviceaccount:a:b", "impersonate-group": "g" }), [
    "g",
    "system:authenticated",
  ]);
  assert.deepEqual(await groups({ "impersonate-user": "system:node:n" }), ["system:nodes", "system:authenticated"]);
  assert.deepEqual(await groups({ "impersonate-user": "system:anonymous" }), ["system:unauthenticated"]);
  assert.deepEqual(await groups({ "impersonate-user": "ann", "impersonate-group": "system:unauthenticated" }), ["system:unauthenticated"]);
});

test("[AUTHZ3] without a user the rest makes no sense, and names of properties are plain data", async () => {
  const { authorize } = allowing();
  await assert.rejects(act({ "impersonate-extra-__proto__": "x", "impersonate-group": "g" }, authorize), {
    message:
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string{"__proto__":[]string{"x"}}} without impersonating a user name',
  });
});
