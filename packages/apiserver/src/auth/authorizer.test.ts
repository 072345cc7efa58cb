import assert from "node:assert/strict";
import { test } from "node:test";
import { accessOf, accessReviewSpec, anonymous, forbiddenAccess, requestInfo } from "@kaji/core/serving";
import { authenticatedOnly } from "./authorizer.ts";

const bob = { username: "bob", groups: ["system:authenticated"] };

function access(target: string, method: "GET" | "DELETE" = "GET"): ReturnType<typeof accessOf> {
  const [path = "", search = ""] = target.split("?");
  const query = new URLSearchParams(search);
  return accessOf(requestInfo(method, path, query), query);
}

function refusal(target: string, reason = ""): string {
  return forbiddenAccess(bob, access(target), reason).message;
}

test("[AUTHZ1] whoever is refused is told what they may not do", () => {
  const who = 'is forbidden: User "bob" cannot';
  assert.equal(refusal("/api/v1/namespaces/a/pods"), `pods ${who} list resource "pods" in API group "" in the namespace "a"`);
  assert.equal(
    refusal("/apis/apps/v1/deployments"),
    `deployments.apps ${who} list resource "deployments" in API group "apps" at the cluster scope`,
  );
  assert.equal(refusal("/api/v1/namespaces/a/pods/b/log"), `pods "b" ${who} get resource "pods/log" in API group "" in the namespace "a"`);
  assert.equal(refusal("/metrics"), 'forbidden: User "bob" cannot get path "/metrics"');
});

test("[AUTHZ1] the reason follows, if there is one", () => {
  assert.equal(refusal("/metrics", "RBAC: no such role"), 'forbidden: User "bob" cannot get path "/metrics": RBAC: no such role');
});

test("[AUTHZ1] what somebody else wrote into a path is not taken for markup", () => {
  assert.equal(refusal("/%3Cscript%3E&"), 'forbidden: User "bob" cannot get path "/&lt;script&gt;&amp;"');
});

test("[AUTHZ2] to select one name is to ask for it", () => {
  const named = (target: string, method?: "DELETE"): unknown => ({ name: undefined, ...access(target, method) }).name;
  assert.equal(named("/api/v1/secrets?fieldSelector=metadata.name%3Da"), "a");
  assert.equal(named("/api/v1/secrets?fieldSelector=metadata.name%3Da,type%3Db&watch=1"), "a");
  for (const selector of [
    "metadata.name!%3Da",
    "metadata.name%3D",
    "metadata.name%3D..",
    "metadata.name%3Da/b",
    "metadata.namespace%3Da",
    "%2C%5C",
  ]) {
    assert.equal(named(`/api/v1/secrets?fieldSelector=${selector}`), undefined, selector);
  }
  assert.equal(named("/api/v1/namespaces/a/secrets?fieldSelector=metadata.name%3Da", "DELETE"), undefined);
});

test("[AUTHZ8] selectors say how much is asked for, in the words of a review; what those cannot say, or cannot be read, asks for more", () => {
  const spec = (target: string, method?: "DELETE"): object => accessReviewSpec(bob, access(`/api/v1/namespaces/a/pods${target}`, method));
  const selectors =
    "?fieldSelector=spec.nodeName%3Dn,status.phase!%3DFailed&labelSelector=app%20in%20(b,a,b),!old,tier,env!%3Dqa,size%3E3,x=y";
  const fieldSelector = {
    requirements: [
      { key: "spec.nodeName", operator: "In", values: ["n"] },
      { key: "status.phase", operator: "NotIn", values: ["Failed"] },
    ],
  };
  const labelSelector = {
    requirements: [
      { key: "app", operator: "In", values: ["a", "b"] },
      { key: "env", operator: "NotIn", values: ["qa"] },
      { key: "old", operator: "DoesNotExist" },
      { key: "tier", operator: "Exists" },
      { key: "x", operator: "In", values: ["y"] },
    ],
  };
  const pods = { group: "", version: "v1", resource: "pods", namespace: "a" };
  for (const [verb, target, method] of [
    ["list", selectors],
    ["watch", `${selectors}&watch=1`],
    ["deletecollection", selectors, "DELETE"],
  ] as const)
    assert.deepEqual(spec(target, method), {
      user: "bob",
      groups: bob.groups,
      resourceAttributes: { verb, ...pods, fieldSelector, labelSelector },
    });
  const plain = { user: "bob", groups: bob.groups, resourceAttributes: { verb: "list", ...pods } };
  for (const target of ["", "?labelSelector=size%3E3", "?labelSelector=%3D&fieldSelector=a"]) assert.deepEqual(spec(target), plain, target);
  assert.deepEqual(Object(spec("/b?labelSelector=a")).resourceAttributes, { verb: "get", ...pods, name: "b" });
});

test("without roles, nobody unknown sees more than health and version", async () => {
  assert.deepEqual(await authenticatedOnly(anonymous, access("/healthz")), { allowed: true, reason: "public path" });
  assert.deepEqual(await authenticatedOnly(anonymous, access("/api")), { allowed: false, reason: "" });
  assert.deepEqual(await authenticatedOnly(bob, access("/api")), { allowed: true, reason: "authenticated" });
});
