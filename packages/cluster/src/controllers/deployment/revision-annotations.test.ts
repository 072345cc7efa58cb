import assert from "node:assert/strict";
import { test } from "node:test";
import { withRevision } from "./revision-annotations.ts";

const revision = "deployment.kubernetes.io/revision";
const history = "deployment.kubernetes.io/revision-history";

test("annotations of the Deployment are copied, but for those that are about one object", () => {
  const annotations = {
    "kubernetes.io/change-cause": "because",
    "kubectl.kubernetes.io/last-applied-configuration": "{}",
    [revision]: "9",
  };
  assert.deepEqual(withRevision({ kept: "yes" }, { name: "web", annotations }, 1n), {
    kept: "yes",
    "kubernetes.io/change-cause": "because",
    [revision]: "1",
  });
});

test("a revision that comes back keeps the numbers that it had", () => {
  const second = withRevision({ [revision]: "1" }, { name: "web" }, 3n);
  assert.deepEqual(second, { [revision]: "3", [history]: "1" });
  assert.deepEqual(withRevision(second, { name: "web" }, 5n), { [revision]: "5", [history]: "1,3" });
});

test("a number that is high enough stays, and so does what is no number", () => {
  assert.deepEqual(withRevision({ [revision]: "3" }, { name: "web" }, 2n), { [revision]: "3" });
  assert.deepEqual(withRevision({ [revision]: "x" }, { name: "web" }, 2n), { [revision]: "x" });
});

test("the history forgets the oldest when it gets too long", () => {
  const long = Array.from({ length: 500 }, (_each, index) => index + 1000).join(",");
  const next = withRevision({ [revision]: "1500", [history]: long }, { name: "web" }, 1501n)[history] ?? "";
  assert.ok(next.length <= 2000 && next.endsWith("1499,1500") && !next.startsWith("1000,"));
});
