import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource } from "@kaji/core/define";
import { defineOperator } from "@kaji/runtime";
import { ran } from "../testing/run-program.ts";
import { barProject } from "../testing/test-project.ts";
import { takenNames } from "./taken-names.ts";

const naming = { group: "example.com", version: "v1" } as const;

test("a kind that is called as a built-in one is, by short name, kind or plural, is told with both", () => {
  const resources = [
    defineResource({ ...naming, kind: "Portal", shortNames: ["po", "portal-x"] }),
    defineResource({ ...naming, kind: "Service", shortNames: ["svc"] }),
    defineResource({ ...naming, kind: "Bar", plural: "pods", shortNames: ["deploy"] }),
    defineResource({ ...naming, kind: "Website", shortNames: ["ws"] }),
  ];
  assert.deepEqual(takenNames(defineOperator({ name: "test", controllers: [], resources })), [
    "kubectl takes po for the built-in Pod, not for Portal of example.com; choose another short name in its definition, or call it portals.example.com",
    "kubectl takes service, services and svc for the built-in Service, not for Service of example.com; choose another kind, plural and short name in its definition, or call it services.example.com",
    "kubectl takes pods for the built-in Pod, not for Bar of example.com; choose another plural in its definition, or call it pods.example.com",
    "kubectl takes deploy for the built-in Deployment, not for Bar of example.com; choose another short name in its definition, or call it pods.example.com",
  ]);
});

test("kaji manifests warns of it, and writes them all the same", async () => {
  using project = barProject();
  const operator = `import { defineOperator, defineResource } from "kaji";
const Bar = defineResource({ group: "example.com", version: "v1", kind: "Bar", shortNames: ["ns"] });
export const operator = defineOperator({ name: "bars", controllers: [], resources: [Bar] });
`;
  project.write("src/operator.ts", operator);
  const { code, out, err } = await ran(["manifests", "--project", project.folder, "--image", "bars:1.2.3"]);
  assert.deepEqual(
    [code, err],
    [
      0,
      "warning: kubectl takes ns for the built-in Namespace, not for Bar of example.com; choose another short name in its definition, or call it bars.example.com\n",
    ],
  );
  assert.match(out, /kind: CustomResourceDefinition/);
});
