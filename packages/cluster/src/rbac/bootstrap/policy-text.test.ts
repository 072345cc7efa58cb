import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePolicy } from "./policy-text.ts";

test("a role with all that can be said of it", () => {
  const text = `
kube-system/reader (aggregate-to-view) = aggregate-to-edit -> as readers: user ann, group staff, account team/robot
  core,events.k8s.io: events pods/log [a b]: read delete
  /metrics /debug/*: get
`;
  const apiGroup = "rbac.authorization.k8s.io";
  assert.deepEqual(parsePolicy(text), [
    {
      namespace: "kube-system",
      name: "reader",
      labels: ["aggregate-to-view"],
      gathers: ["aggregate-to-edit"],
      rules: [
        {
          verbs: ["get", "list", "watch", "delete"],
          apiGroups: ["", "events.k8s.io"],
          resources: ["events", "pods/log"],
          resourceNames: ["a", "b"],
        },
        { verbs: ["get"], nonResourceURLs: ["/metrics", "/debug/*"] },
      ],
      binding: {
        name: "readers",
        subjects: [
          { kind: "User", apiGroup, name: "ann" },
          { kind: "Group", apiGroup, name: "staff" },
          { kind: "ServiceAccount", name: "robot", namespace: "team" },
        ],
      },
    },
  ]);
});

test("a name alone is a role without rules, and one without subjects is bound all the same", () => {
  const [plain, unbound] = parsePolicy("system:a:b\nsystem:node -> nobody\n  *: *: *\n  *: *");
  assert.deepEqual(plain, { namespace: "", name: "system:a:b", labels: [], gathers: [], rules: [], binding: undefined });
  assert.deepEqual(unbound?.binding, { name: "system:node", subjects: [] });
  assert.deepEqual(unbound?.rules, [
    { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
    { verbs: ["*"], nonResourceURLs: ["*"] },
  ]);
});
