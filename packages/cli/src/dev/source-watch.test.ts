import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "@kaji/core";
import { inTime } from "@kaji/core/testing";
import { openProject } from "../project/project.ts";
import { emptyProject } from "../testing/test-project.ts";
import { watchSources } from "./source-watch.ts";

test("sources are where the operator is defined, in src, and what the development cluster starts with", async () => {
  using project = emptyProject();
  project.write("package.json", JSON.stringify({ kaji: { operator: "operator.ts", dev: { resources: ["crds", "test/issuer.yaml"] } } }));
  for (const path of ["src/deep/bar.ts", "crds/policy.yaml", "test/issuer.yaml"]) project.write(path, "");
  let tell = (_file: string): void => {};
  const resources = (): readonly string[] => openProject(project.folder).devResources;
  using _watch = watchSources(openProject(project.folder), { resources, clock: systemClock, onChange: (file) => tell(file) });
  const assertTold = async (path: string, text = "changed"): Promise<void> => {
    const told = new Promise<string>((resolve) => (tell = resolve));
    project.write(path, text);
    assert.equal(await inTime(`${path} is told`, told), path);
  };
  for (const path of ["operator.ts", "src/deep/bar.ts", "crds/policy.yaml", "crds/new.json", "test/issuer.yaml"]) await assertTold(path);

  project.write("more/cluster.yaml", "");
  await assertTold(
    "package.json",
    JSON.stringify({ kaji: { operator: "operator.ts", dev: { resources: ["more", "late.yaml", "no/where.yaml"] } } }),
  );
  for (const path of ["more/cluster.yaml", "late.yaml", "operator.ts"]) await assertTold(path);
  await assertTold("package.json", "{");
  await assertTold("more/cluster.yaml", "changed again");
});

test("what package.json names is followed from then on, also when another file is saved with it", async () => {
  using project = emptyProject();
  project.write("package.json", JSON.stringify({ kaji: { operator: "operator.ts" } }));
  const told: string[] = [];
  let resolve = (): void => {};
  const onChange = (file: string): void => {
    told.push(file);
    resolve();
  };
  const resources = (): readonly string[] => openProject(project.folder).devResources;
  using _watch = watchSources(openProject(project.folder), { resources, clock: systemClock, onChange });
  const next = (what: string): Promise<void> => inTime(what, new Promise<void>((heard) => (resolve = heard)));
  project.write("package.json", JSON.stringify({ kaji: { operator: "operator.ts", dev: { resources: ["late.yaml"] } } }));
  project.write("operator.ts", "changed");
  await next("both are told as one");
  project.write("late.yaml", "changed");
  await next("late.yaml is told");
  assert.deepEqual(told, ["operator.ts", "late.yaml"]);
});
