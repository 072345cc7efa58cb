import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { as } from "../calls.ts";
import { grant, rule, untilAllowed } from "./policy-calls.ts";

const group = "/apis/authorization.k8s.io/v1";
const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
const partial = { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" };
const listPods = { verb: "list", resource: "pods", namespace: "access" };

const ask = (plural: string, spec: JsonObject, headers: Readonly<Record<string, string>> = {}): Step => ({
  method: "POST",
  path: `${group}/${plural}`,
  body: { spec },
  headers,
});
const local = "namespaces/access/localsubjectaccessreviews";

/** Questions about who may do what. */
export const reviewScenarios: readonly Scenario[] = [
  {
    name: "U6 what somebody else may do",
    steps: [
      ...grant("lister", "lea", [rule("", "pods", "list")]),
      untilAllowed("lea", { verb: "list", resource: "pods" }),
      ask("subjectaccessreviews", { user: "lea", resourceAttributes: listPods }),
      ask("subjectaccessreviews", { user: "lea", resourceAttributes: { ...listPods, namespace: "default" } }),
      ask("subjectaccessreviews", { user: "eve", resourceAttributes: listPods }),
      ask("subjectaccessreviews", { user: "eve", groups: ["system:masters"], resourceAttributes: listPods }),
      ask("subjectaccessreviews", { groups: ["system:authenticated"], nonResourceAttributes: { verb: "get", path: "/openapi/v3" } }),
      ask("subjectaccessreviews", { user: "eve", nonResourceAttributes: { verb: "get", path: "/healthz" } }),
      ask("subjectaccessreviews", {
        user: "system:serviceaccount:kube-system:job-controller",
        resourceAttributes: { verb: "update", group: "batch", resource: "jobs", subresource: "status", namespace: "access" },
      }),
      ask(local, { user: "lea", resourceAttributes: listPods }),
      ask(local, { user: "lea", resourceAttributes: { ...listPods, namespace: "default" } }),
      as("eve", ask("subjectaccessreviews", { user: "lea", resourceAttributes: listPods })),
      as("eve", ask(local, { user: "lea", resourceAttributes: listPods })),
    ],
  },
  {
    name: "U6 what the asker may do",
    steps: [
      ask("selfsubjectaccessreviews", { resourceAttributes: listPods }),
      as("eve", ask("selfsubjectaccessreviews", { resourceAttributes: listPods })),
      as("eve", ask("selfsubjectaccessreviews", { nonResourceAttributes: { verb: "get", path: "/openapi/v3" } })),
      as("system:anonymous", ask("selfsubjectaccessreviews", { resourceAttributes: listPods })),
      as("eve", ask("selfsubjectrulesreviews", { namespace: "access" })),
      as("eve", ask("selfsubjectrulesreviews", {})),
      ask("selfsubjectrulesreviews", { namespace: "access" }),
    ],
  },
  {
    name: "U6 X2 questions in other forms",
    steps: [
      ask("selfsubjectaccessreviews", { resourceAttributes: listPods }, table),
      ask("selfsubjectaccessreviews", { resourceAttributes: listPods }, { accept: `${table.accept},application/json` }),
      ask("selfsubjectaccessreviews", { resourceAttributes: listPods }, partial),
      ask("selfsubjectrulesreviews", { namespace: "access" }, table),
      ask(local, { user: "eve", resourceAttributes: listPods }, table),
      { method: "POST", path: "/apis/authentication.k8s.io/v1/selfsubjectreviews", body: {}, headers: table },
      { method: "GET", path: `${group}/selfsubjectaccessreviews` },
    ],
  },
];
