import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { standInOrigin } from "../../webhooks/stand-in-webhooks.ts";
import { map, maps, ofCases, policies, policy, rule, validations, webhooks } from "./policy-steps.ts";

/** What is wrong with a policy: one request for each. */
const refused = (...specs: readonly JsonObject[]): readonly Step[] => specs.map((spec) => policy("refused", spec));
/** Expressions that a server does not take, and those under which webhooks are asked. */
export const policyExpressionScenarios: readonly Scenario[] = [
  {
    name: "M7 expressions that are refused",
    steps: [
      ...refused(
        validations("object.spec.replicas >", "1 + 1"),
        validations("object.x == nothing", "'text'", "request.nothing == 1"),
        validations("request.kind == 'x'", "namespaceObject.metadata.uid == ''", "params.x == 1"),
        validations("variables.x == 1", "'a'.matches('(')", "timestamp('x') == timestamp('y')"),
        validations("authorizer.check('x')", "authorizer.requestResource", "object.all(x, x > 1", "{'a': 1}"),
        {
          validations: [
            { expression: "true", messageExpression: "1" },
            { expression: "true", messageExpression: "authorizer.path('/').check('get').reason()" },
          ],
        },
        {
          validations: [
            { expression: "true", messageExpression: "object.x" },
            { expression: "true", messageExpression: "'a' + " },
          ],
        },
        {
          variables: [
            { name: "a", expression: "1 +" },
            { name: "b", expression: "variables.a + variables.c" },
            { name: "c", expression: "'x'" },
            { name: "in", expression: "1" },
          ],
          ...validations("variables.c > 1", "variables.a == 'x'", "variables.d == 1"),
        },
        {
          matchConditions: [
            { name: "a", expression: " variables.a == 1 " },
            { name: "b", expression: "params.a" },
            { name: "c", expression: "1" },
          ],
          ...validations("true"),
        },
        {
          auditAnnotations: [
            { key: "a", valueExpression: "1" },
            { key: "b", valueExpression: " object.x " },
            { key: "c", valueExpression: "null" },
            { key: "d", valueExpression: "'x' +" },
          ],
        },
        { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, ...validations("params.data.x", "params.data.x == 1") },
      ),
      policy("changed", validations("true")),
      policies.patch("changed.example.com", { spec: validations("object.x ==") }),
      policies.patch("changed.example.com", { spec: validations("object.x == 1") }),
      webhooks.create({
        metadata: { name: "refused" },
        webhooks: [
          {
            name: "refused.example.com",
            clientConfig: { url: `${standInOrigin}/deny` },
            rules: [rule("configmaps")],
            sideEffects: "None",
            admissionReviewVersions: ["v1"],
            matchConditions: [
              { name: "a", expression: "object.x ==" },
              { name: "b", expression: "'x'" },
              { name: "c", expression: "params == null" },
              { name: "d", expression: " object.x " },
            ],
          },
        ],
      }),
    ],
  },
  {
    name: "M2 match conditions of webhooks",
    steps: [
      webhooks.create({
        metadata: { name: "conditions" },
        webhooks: [
          {
            name: "conditions.example.com",
            clientConfig: { url: `${standInOrigin}/deny` },
            rules: [rule("configmaps")],
            objectSelector: { matchLabels: { scenario: "webhook" } },
            sideEffects: "None",
            admissionReviewVersions: ["v1"],
            matchConditions: [
              { name: "not-spared", expression: "object.data.case != 'spared'" },
              { name: "may-fail", expression: "object.data.case != 'fails' || object.data.absent == 'x'" },
              { name: "may-create", expression: "authorizer.requestResource.check('create').allowed()" },
              { name: "told", expression: "request.operation == 'CREATE' && request.name != 'told' && !request.dryRun || request.dryRun" },
            ],
          },
        ],
      }),
      { ...maps.create(map("webhook", "probe", { case: "probe" }), "?dryRun=All"), until: "denied the request" },
      ...ofCases("webhook", "spared", "meant", "fails", "told"),
    ],
  },
];
