import type { Scenario } from "../../exchange.ts";
import { as, callsTo } from "../calls.ts";
import { policyExpressionScenarios } from "./policy-expressions.ts";
import {
  binding,
  bindings,
  inForce,
  map,
  maps,
  namespace,
  ofCases,
  policies,
  policy,
  rule,
  sentinel,
  unless,
  validations,
} from "./policy-steps.ts";

const namespaces = callsTo("/api/v1/namespaces");
const pods = callsTo(`/api/v1/namespaces/${namespace}/pods`);
const deployments = callsTo(`/apis/apps/v1/namespaces/${namespace}/deployments`);
const autoscalers = callsTo(`/apis/autoscaling/v1/namespaces/${namespace}/horizontalpodautoscalers`);
const roles = callsTo(`/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles`);
const roleBindings = callsTo(`/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`);

/** ValidatingAdmissionPolicies, and the match conditions of webhooks. */
export const policyScenarios: readonly Scenario[] = [
  {
    name: "M7 what is said of a validation that fails",
    steps: [
      ...inForce("said", {
        validations: [
          { expression: unless("plain") },
          { expression: `\n  ${unless("lines")}  \n` },
          { expression: unless("message"), message: " because of the message " },
          { expression: unless("made"), message: "not used", messageExpression: "' made for ' + object.metadata.name" },
          { expression: unless("failing"), message: "used instead", messageExpression: "'x' + object.data.absent" },
          { expression: unless("blank"), message: "used instead", messageExpression: "' '" },
          { expression: unless("newline"), messageExpression: "'a\\nb'" },
          { expression: unless("forbidden"), message: "forbidden", reason: "Forbidden" },
          { expression: unless("large"), message: "large", reason: "RequestEntityTooLarge" },
          { expression: unless("invalid"), message: "invalid", reason: "Invalid" },
          { expression: "object.data.case != 'error' || object.data.absent == 'x'" },
          { expression: "object.data.case != 'types' || object.data.case > 1" },
        ],
      }),
      ...ofCases(
        "said",
        "plain",
        "lines",
        "message",
        "made",
        "failing",
        "blank",
        "newline",
        "forbidden",
        "large",
        "invalid",
        "error",
        "types",
      ),
      ...ofCases("said", "fine"),
      maps.create({ metadata: { generateName: "made-", labels: { scenario: "said" } }, data: { case: "message" } }),
      maps.create(map("said", "no-data")),
      maps.patch("fine", { data: { case: "forbidden" } }),
      maps.patch("fine", { apiVersion: "v1", kind: "ConfigMap", ...map("said", "fine", { case: "plain" }) }, "apply"),
      maps.create(map("said", "dry", { case: "plain" }), "?dryRun=All"),
    ],
  },
  {
    name: "M7 what comes of it",
    steps: [
      policy("actions", { validations: [{ expression: unless("a") }, { expression: unless("b"), message: "not b" }] }),
      binding("actions", { validationActions: ["Warn", "Audit"] }),
      ...sentinel("actions"),
      ...ofCases("actions", "a", "b", "c"),
      policy("annotated", {
        auditAnnotations: [{ key: "kept", valueExpression: "'value of ' + object.metadata.name" }],
      }),
      binding("annotated", { validationActions: ["Audit"] }),
      policy("broken-note", { auditAnnotations: [{ key: "broken", valueExpression: "'x' + object.data.absent" }] }),
      binding("broken-note", { validationActions: ["Audit"] }),
      ...sentinel("annotated"),
      ...ofCases("annotated", "d"),
      ...ofCases("broken-note", "e"),
    ],
  },
  {
    name: "M7 failures that are ignored",
    steps: [
      ...inForce("ignored", { failurePolicy: "Ignore", ...validations("object.data.absent == 'x'", unless("refused")) }),
      ...ofCases("ignored", "passes", "refused"),
      policy("ignored-kind", {
        failurePolicy: "Ignore",
        paramKind: { apiVersion: "none.example.com/v1", kind: "None" },
        ...validations("false"),
      }),
      binding("ignored-kind", { paramRef: { name: "x", parameterNotFoundAction: "Deny" } }),
      policy("failing-kind", { paramKind: { apiVersion: "none.example.com/v1", kind: "None" }, ...validations("false") }),
      binding("failing-kind", { paramRef: { name: "x", parameterNotFoundAction: "Deny" } }),
      ...sentinel("failing-kind"),
      ...ofCases("ignored-kind", "a"),
      ...ofCases("failing-kind", "b"),
    ],
  },
  {
    name: "M7 variables",
    steps: [
      ...inForce("variables", {
        variables: [
          { name: "data", expression: "has(object.data) ? object.data : {}" },
          { name: "size", expression: "variables.data.size()" },
          { name: "broken", expression: "object.data.absent + 'x'" },
          { name: "twice", expression: "variables.size + variables.size" },
        ],
        validations: [
          { expression: "variables.twice < 4", messageExpression: "'twice is ' + string(variables.twice)" },
          { expression: "!('broken' in variables.data) || variables.broken == ''" },
          { expression: "!('has' in variables.data) || has(variables.size) && variables.size == 0" },
        ],
      }),
      maps.create(map("variables", "none")),
      maps.create(map("variables", "one", { a: "b" })),
      maps.create(map("variables", "two", { a: "b", c: "d" })),
      maps.create(map("variables", "broken", { broken: "b" })),
      maps.create(map("variables", "has", { has: "b" })),
    ],
  },
  {
    name: "M2 match conditions",
    steps: [
      ...inForce("conditions", {
        variables: [{ name: "case", expression: "object.data.case" }],
        matchConditions: [
          { name: "not-spared", expression: "object.data.case != 'spared'" },
          { name: "may-fail", expression: "object.data.case != 'fails' || object.data.absent == 'x'" },
          { name: "fails-alike", expression: "object.data.case != 'fails' || object.data.absent2 == 'x'" },
          { name: "no-namespace", expression: "object.data.case != 'namespace' || namespaceObject == null" },
        ],
        ...validations("false"),
      }),
      ...ofCases("conditions", "spared", "meant", "fails", "namespace"),
    ],
  },
  {
    name: "M7 parameters",
    steps: [
      maps.create({ metadata: { name: "limits", labels: { for: "params" } }, data: { max: "1" } }),
      maps.create({ metadata: { name: "limits-2", labels: { for: "params" } }, data: { max: "2" } }),
      ...["named", "selected", "absent", "allowed", "without", "elsewhere"].map((scenario) =>
        policy(scenario, {
          paramKind: { apiVersion: "v1", kind: "ConfigMap" },
          validations: [
            {
              expression: "params != null && size(object.data.case) <= int(params.data.max)",
              messageExpression: "params == null ? 'no params' : params.kind + ' ' + params.metadata.name + ' allows ' + params.data.max",
            },
          ],
        }),
      ),
      binding("named", { paramRef: { name: "limits", parameterNotFoundAction: "Deny" } }),
      binding("selected", { paramRef: { selector: { matchLabels: { for: "params" } }, parameterNotFoundAction: "Deny" } }),
      binding("absent", { paramRef: { name: "nothing", parameterNotFoundAction: "Deny" } }),
      binding("allowed", { paramRef: { selector: { matchLabels: { for: "nothing" } }, parameterNotFoundAction: "Allow" } }),
      binding("without"),
      binding("elsewhere", { paramRef: { name: "limits", namespace: "default", parameterNotFoundAction: "Deny" } }),
      ...sentinel("params"),
      ...ofCases("named", "1", "22"),
      ...ofCases("selected", "2", "333"),
      ...ofCases("absent", "3"),
      ...ofCases("allowed", "4"),
      ...ofCases("without", "5"),
      ...ofCases("elsewhere", "6"),
    ],
  },
  {
    name: "M7 parameters of what is in no namespace",
    steps: [
      ...inForce(
        "cluster",
        { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, ...validations("false") },
        { paramRef: { name: "limits", parameterNotFoundAction: "Deny" } },
        { resourceRules: [rule("persistentvolumes"), rule("clusterroles")] },
      ),
      callsTo("/apis/rbac.authorization.k8s.io/v1/clusterroles").create({
        metadata: { name: "policies-cluster", labels: { scenario: "cluster" } },
      }),
    ],
  },
  {
    name: "M7 what expressions are told",
    steps: [
      ...inForce(
        "told",
        {
          validations: [
            {
              expression: "false",
              messageExpression:
                "[request.kind.group, request.kind.version, request.kind.kind, request.resource.resource, request.requestKind.kind, request.operation, " +
                "request.name, request.namespace, string(request.dryRun), request.options.kind, request.userInfo.username, " +
                "has(request.subResource) ? request.subResource : 'none', object == null ? 'gone' : object.metadata.name, " +
                "oldObject == null ? 'new' : oldObject.metadata.name, namespaceObject == null ? 'none' : namespaceObject.metadata.name].join('|')",
            },
          ],
          matchConditions: [{ name: "asked", expression: "request.operation == 'DELETE' || request.name != 'kept'" }],
        },
        {},
        {
          resourceRules: [
            rule("configmaps", { operations: ["*"] }),
            rule("deployments/*", { operations: ["*"] }),
            rule("namespaces"),
            rule("horizontalpodautoscalers", { apiVersions: ["v2"] }),
          ],
        },
      ),
      maps.create(map("told", "a")),
      maps.create(map("told", "a"), "?dryRun=All&fieldManager=me"),
      maps.create(map("told", "kept")),
      maps.remove("kept"),
      { method: "DELETE", path: `/api/v1/namespaces/${namespace}/configmaps?labelSelector=scenario%3Dtold` },
      namespaces.create({ metadata: { name: "policies-told", labels: { scenario: "told" } } }),
      deployments.create({
        metadata: { name: "d", labels: { scenario: "told" } },
        spec: {
          selector: { matchLabels: { a: "b" } },
          template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
        },
      }),
      deployments.patch("d/scale", { spec: { replicas: 2 } }),
      deployments.patch("d/status", { status: { replicas: 1 } }),
      autoscalers.create({
        metadata: { name: "h", labels: { scenario: "told" } },
        spec: { maxReplicas: 2, scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" } },
      }),
    ],
  },
  {
    name: "M7 whom expressions ask what is allowed",
    steps: [
      roles.create({
        metadata: { name: "maps" },
        rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["create", "get"] }],
      }),
      roleBindings.create({
        metadata: { name: "maps" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "maps" },
        subjects: [{ kind: "User", name: "ann", apiGroup: "rbac.authorization.k8s.io" }],
      }),
      ...inForce("asked", {
        validations: [
          { expression: "authorizer.requestResource.check('create').allowed()", message: "may not create" },
          { expression: "object.data.case != 'delete' || authorizer.requestResource.check('delete').allowed()", message: "may not delete" },
          {
            expression: `object.data.case != 'secrets' || authorizer.group('').resource('secrets').namespace('${namespace}').check('get').allowed()`,
            message: "may not get secrets",
          },
          {
            expression: "object.data.case != 'path' || authorizer.path('/metrics').check('get').allowed()",
            message: "may not see metrics",
          },
          {
            expression: `object.data.case != 'account' || authorizer.serviceAccount('${namespace}', 'default').group('').resource('configmaps').check('get').allowed()`,
            message: "an account may not get",
          },
        ],
      }),
      ...ofCases("asked", "any"),
      ...ofCases("asked", "fine", "delete", "secrets", "path", "account").map((step) => as("ann", step)),
      ...ofCases("asked", "more").map((step) => as("bob", step)),
    ],
  },
  {
    name: "M2 what is matched",
    steps: [
      ...inForce("matched", validations("false"), {
        matchResources: {
          resourceRules: [rule("configmaps", { resourceNames: ["a", "b", "excluded"] })],
          excludeResourceRules: [rule("configmaps", { resourceNames: ["excluded"] })],
        },
      }),
      ...ofCases("matched", "a", "c", "excluded"),
      ...inForce("elsewhere", validations("false"), {
        matchResources: { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "default" } } },
      }),
      ...ofCases("elsewhere", "d"),
      ...inForce("here", validations("false"), {
        matchResources: { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } } },
      }),
      ...ofCases("here", "e"),
      ...inForce(
        "exact",
        validations("false"),
        {},
        { matchPolicy: "Exact", resourceRules: [rule("horizontalpodautoscalers", { apiVersions: ["v2"] })] },
      ),
      autoscalers.create({
        metadata: { name: "x", labels: { scenario: "exact" } },
        spec: { maxReplicas: 2, scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" } },
      }),
      maps.create({ metadata: { name: "labelled" } }),
      maps.patch("labelled", { metadata: { labels: { scenario: "here" } } }),
    ],
  },
  {
    name: "M7 policies are subject to none",
    steps: [
      policy("everything", validations("false"), { resourceRules: [rule("*", { apiGroups: ["*"], apiVersions: ["*"] })] }),
      binding("everything"),
      ...sentinel("everything"),
      policies.patch("everything.example.com", { metadata: { labels: { scenario: "everything" } } }),
      bindings.patch("everything.example.com", { metadata: { labels: { scenario: "everything" } } }),
      ...ofCases("everything", "a"),
      callsTo("/apis/authentication.k8s.io/v1/selfsubjectreviews").create({ metadata: { labels: { scenario: "everything" } } }),
    ],
  },
  {
    name: "M7 what clients are joined to",
    steps: [
      ...inForce(
        "joined",
        {
          validations: [
            {
              expression: "false",
              messageExpression:
                "request.operation + ' ' + request.subResource + ' ' + request.name + ' ' + object.kind + ' of ' + object.apiVersion + " +
                "(has(object.command) ? ' ' + object.command[0] : '') + (has(object.path) ? ' ' + object.path : '') + " +
                "(has(object.metadata) ? ' with metadata' : '')",
            },
          ],
        },
        {},
        {
          objectSelector: {},
          resourceRules: [rule("pods/exec", { operations: ["CONNECT"] }), rule("services/proxy", { operations: ["*"] })],
        },
      ),
      pods.create({ metadata: { name: "p" }, spec: { containers: [{ name: "a", image: "a" }] } }),
      { method: "GET", path: `/api/v1/namespaces/${namespace}/pods/p/exec?command=ls&command=-l&stdout=true` },
      { method: "GET", path: `/api/v1/namespaces/${namespace}/pods/absent/exec?command=ls` },
      { method: "GET", path: `/api/v1/namespaces/${namespace}/pods/p/attach` },
      { method: "GET", path: `/api/v1/namespaces/${namespace}/services/absent/proxy/a/b` },
    ],
  },
  {
    name: "M7 expressions that cost too much",
    steps: [
      ...inForce("costly", {
        validations: [
          {
            expression:
              "object.data.case != 'one' || [1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, " +
              "[1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, [1,2,3,4,5,6,7,8,9,10].all(f, a + b + c + d + e + f > 0))))))",
          },
        ],
      }),
      ...ofCases("costly", "one", "two"),
    ],
  },
  ...policyExpressionScenarios,
];
