import assert from "node:assert/strict";
import { test } from "node:test";
import { valueOf } from "../testing/evaluate.ts";
import { authorizerType, authorizerValue, resourceCheckType, resourceCheckValue } from "./authorizer.ts";
import type { AuthorizationCheck } from "./authorizer.ts";

test("[CEL14] checks reach the authorizer, and its decisions the expression", () => {
  const asked: AuthorizationCheck[] = [];
  const authorize = (check: AuthorizationCheck): { allowed: boolean; reason: string } => {
    asked.push(check);
    return { allowed: check.verb === "get", reason: `for ${check.verb}` };
  };
  const bindings = {
    authorizer: authorizerValue(authorize),
    "authorizer.requestResource": resourceCheckValue(authorize, { group: "apps", resource: "deployments", name: "web" }),
  };
  const variables = { authorizer: authorizerType, "authorizer.requestResource": resourceCheckType };
  const requester = { serviceAccount: undefined };
  const nothing = { subresource: "", namespace: "", name: "", fieldSelector: "", labelSelector: "" };

  assert.equal(
    valueOf("authorizer.group('').resource('pods').namespace('a').subresource('log').check('get').allowed()", bindings, variables),
    true,
  );
  assert.equal(valueOf("authorizer.path('/healthz').check('put').reason()", bindings, variables), "for put");
  assert.equal(valueOf("authorizer.requestResource.check('delete').allowed()", bindings, variables), false);
  assert.equal(
    valueOf("authorizer.serviceAccount('ns', 'sa').group('apps').resource('x').check('get').errored()", bindings, variables),
    false,
  );
  assert.deepEqual(asked, [
    { type: "Resource", ...requester, ...nothing, group: "", resource: "pods", namespace: "a", subresource: "log", verb: "get" },
    { type: "Path", ...requester, path: "/healthz", verb: "put" },
    { type: "Resource", ...requester, ...nothing, group: "apps", resource: "deployments", name: "web", verb: "delete" },
    { type: "Resource", ...nothing, serviceAccount: { namespace: "ns", name: "sa" }, group: "apps", resource: "x", verb: "get" },
  ]);
  assert.throws(() => valueOf("authorizer.path(' ').check('get').allowed()", bindings, variables), { message: "path must not be empty" });
});
