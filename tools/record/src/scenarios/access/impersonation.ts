import type { Scenario, Step } from "../../exchange.ts";
import { as, withToken } from "../calls.ts";
import { clusterRoleBindings, clusterRoles, configMaps, rule, soon } from "./policy-calls.ts";

const whoAmI: Step = { method: "POST", path: "/apis/authentication.k8s.io/v1/selfsubjectreviews", body: {} };
const health: Step = { method: "GET", path: "/healthz" };
const accounts = "/api/v1/namespaces/access/serviceaccounts";
const robot = "{{1.status.token}}";
const headers = (step: Step, more: Readonly<Record<string, string>>): Step => ({ ...step, headers: { ...step.headers, ...more } });

/** Requests on behalf of others. */
export const impersonationScenarios: readonly Scenario[] = [
  {
    name: "U7 who may be anybody",
    steps: [
      whoAmI,
      // Once somebody has been allowed the unconstrained way, a real server tries it first, and by it nodes have no group.
      as("system:node:n1", whoAmI),
      as("ann", whoAmI),
      as("ann", whoAmI, "a"),
      headers(as("ann", whoAmI, "a"), { "impersonate-uid": "7", "impersonate-extra-example.com%2fteam": "blue" }),
      as("ann", whoAmI, "system:masters"),
      as("ann", whoAmI, "system:unauthenticated"),
      as("system:anonymous", whoAmI),
      as("system:anonymous", health),
      as("system:serviceaccount:access:robot", whoAmI),
      as("system:serviceaccount:access:robot:more", whoAmI),
      as("system:serviceaccount:access:robot", whoAmI, "a"),
      as("system:node:n1", whoAmI, "a"),
      headers(whoAmI, { "impersonate-group": "a" }),
      headers(whoAmI, { "impersonate-uid": "7" }),
      headers(whoAmI, { "impersonate-extra-example.com%2fteam": "blue" }),
      headers(whoAmI, { "impersonate-user": "" }),
    ],
  },
  {
    name: "U7 who may not be another",
    steps: [
      { method: "POST", path: accounts, body: { metadata: { name: "robot" } } },
      { method: "POST", path: `${accounts}/robot/token`, body: {} },
      withToken(robot, as("ann", configMaps.list())),
      withToken(robot, as("ann", health)),
      withToken(robot, as("ann", health, "system:masters")),
      withToken(robot, as("system:serviceaccount:access:other", configMaps.list())),
      withToken(robot, as("system:serviceaccount:access:other", configMaps.list(), "a")),
      withToken(robot, as("system:node:n1", configMaps.list())),
      withToken(robot, as("system:node:n1", configMaps.list(), "a")),
      withToken(robot, headers(health, { "impersonate-group": "system:masters" })),
    ],
  },
  {
    name: "U7 who may be some",
    steps: [
      { method: "POST", path: accounts, body: { metadata: { name: "robot" } } },
      { method: "POST", path: `${accounts}/robot/token`, body: {} },
      clusterRoles.create({
        metadata: { name: "access-impersonator" },
        rules: [
          rule("", "users", "impersonate", "ann"),
          rule("", "groups", "impersonate", "a"),
          rule("authentication.k8s.io", "userextras/team", "impersonate", "blue"),
        ],
      }),
      clusterRoleBindings.create({
        metadata: { name: "access-impersonator" },
        roleRef: { kind: "ClusterRole", name: "access-impersonator" },
        subjects: [{ kind: "ServiceAccount", name: "robot", namespace: "access" }],
      }),
      soon(withToken(robot, as("ann", whoAmI)), "SelfSubjectReview"),
      withToken(robot, as("ann", whoAmI, "a")),
      withToken(robot, headers(as("ann", whoAmI), { "impersonate-extra-team": "blue" })),
      withToken(robot, as("ann", configMaps.list())),
    ],
  },
];
