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
  using _watch = watchSources(openProject(project.folder), systemClock, (file) => tell(file));
  for (const path of ["operator.ts", "src/deep/bar.ts", "crds/policy.yaml", "crds/new.json", "test/issuer.yaml"]) {
    const told = new Promise<string>((resolve) => (tell = resolve));
    project.write(path, "changed");
    assert.equal(await inTime(`${path} is told`, told), path);
  }
});
