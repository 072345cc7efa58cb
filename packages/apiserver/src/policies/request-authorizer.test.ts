import assert from "node:assert/strict";
import { test } from "node:test";
import { compile } from "@kaji/cel";
import type { Outcome } from "@kaji/cel";
import type { Access, UserInfo } from "@kaji/core/serving";
import type { Decision } from "../auth/authorizer.ts";
import { authorizerBindings } from "./expression-bindings.ts";
import { expressionEnvironment } from "./expression-scope.ts";
import { RequestAuthorizer } from "./request-authorizer.ts";
import type { ReviewSubject } from "../webhooks/review-target.ts";

const ann: UserInfo = { username: "ann", groups: [] };
const subject = { group: "apps", resource: "deployments", subresource: "scale", namespace: "ns", name: "a" } as ReviewSubject;

/** What an expression comes to, twice in one request, and what was asked for it. */
async function ask(text: string, decide: (access: Access) => Decision | Promise<Decision>): Promise<{ value: unknown; asked: unknown[] }> {
  const asked: unknown[] = [];
  const authorizer = new RequestAuthorizer(({ username }, access) => {
    asked.push([
      username,
      access.verb,
      access.type === "Path" ? access.path : `${access.group}/${access.resource}/${access.subresource ?? ""}`,
    ]);
    return decide(access);
  }, ann);
  const compiled = compile(text, expressionEnvironment({ hasParams: false, hasAuthorizer: true }));
  assert.ok(compiled.type === "Program");
  const evaluate = (): Outcome => compiled.program.evaluate(authorizerBindings(authorizer, subject));
  const [first, outcome] = [await authorizer.evaluate(evaluate), await authorizer.evaluate(evaluate)];
  assert.deepEqual(first, outcome);
  return { value: outcome.type === "Value" ? outcome.value : outcome.message, asked };
}

const both = "authorizer.path('/a').check('get').allowed() && authorizer.requestResource.check('patch').reason() == 'why'";
const checks = [
  ["ann", "get", "/a"],
  ["ann", "patch", "apps/deployments/scale"],
];

test("[VP8] expressions ask on behalf of the sender of the request, each check once", async () => {
  assert.deepEqual(await ask(both, () => ({ allowed: true, reason: "why" })), { value: true, asked: checks });
});

test("[VP8] answers that take time are waited for, and asked for once", async () => {
  const slow = async (): Promise<Decision> => Promise.resolve({ allowed: true, reason: "why" });
  assert.deepEqual(await ask(both, slow), { value: true, asked: checks });
});

test("[VP8] service accounts are asked about by name, with their groups", async () => {
  const text = "authorizer.serviceAccount('ns', 'sa').group('').resource('pods').check('list').allowed()";
  const { value, asked } = await ask(text, () => ({ allowed: false, reason: "" }));
  assert.deepEqual([value, asked], [false, [["system:serviceaccount:ns:sa", "list", "/pods/"]]]);
});

test("[VP8] an authorizer that fails is an error of the decision, not of the request", async () => {
  const text = "authorizer.path('/a').check('get').errored() ? authorizer.path('/a').check('get').error() : ''";
  const failing = (): Decision => {
    throw new Error("broken");
  };
  assert.equal((await ask(text, failing)).value, "broken");
  assert.equal((await ask(text, () => Promise.reject(new Error("broken")))).value, "broken");
});
