import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { mainText } from "../create/project-files.ts";
import { ran } from "../testing/run-program.ts";
import { barProject } from "../testing/test-project.ts";

test("the bundle runs on its own, with a source map, a bill of materials and a Dockerfile beside it", async () => {
  using project = barProject();
  const { folder } = project;
  project.write("src/main.ts", mainText);
  const { code, out, err } = await ran(["build", "--project", folder, "--output", "json"]);
  assert.equal(code, 0, err);
  assert.equal(JSON.parse(out).bundle, join(folder, "dist/main.js"));
  rmSync(join(folder, "node_modules"));
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "dist/main.js"), "--help"]);
  assert.match(stdout, /--leader-elect/);
  assert.ok(existsSync(join(folder, "dist/main.js.map")));
  assert.match(readFileSync(join(folder, "Dockerfile"), "utf8"), /USER 65532:65532\nRUN .*\nENTRYPOINT/);
  const { components }: { readonly components: readonly { readonly purl: string }[] } = JSON.parse(
    readFileSync(join(folder, "dist/sbom.json"), "utf8"),
  );
  const purls = components.map(({ purl }) => purl);
  assert.ok(purls.some((purl) => purl.startsWith("pkg:npm/%40kaji/runtime@")));
  assert.ok(purls.some((purl) => purl.startsWith("pkg:npm/zod@")));
});

test("a Dockerfile that is there is kept; an image is built by what is at hand, with labels", async () => {
  using project = barProject();
  const { folder } = project;
  project.write("src/main.ts", mainText);
  project.write("Dockerfile", "FROM scratch\n");
  const parameters = ["build", "--project", folder, "--image", "bars:1"];
  const searchPath = process.env["PATH"];
  try {
    process.env["PATH"] = join(folder, "bin");
    const { code, err } = await ran(parameters);
    assert.equal(code, 1);
    assert.match(err, /there is no docker, podman or buildah here to make bars:1; where there is one, run: docker build --tag bars:1 /);
    project.write("bin/podman", `#!/bin/sh\necho "$@" > "${folder}/called"\n`);
    chmodSync(join(folder, "bin/podman"), 0o755);
    assert.equal((await ran(parameters)).code, 0);
  } finally {
    process.env["PATH"] = searchPath;
  }
  assert.match(
    readFileSync(join(folder, "called"), "utf8"),
    /^build --tag bars:1 --label org\.opencontainers\.image\.title=bars --label .*version=1\.2\.3 /,
  );
  assert.equal(readFileSync(join(folder, "Dockerfile"), "utf8"), "FROM scratch\n");
});

test("what cannot be bundled is said with its place", async () => {
  using project = barProject();
  project.write("src/main.ts", `import { gone } from "./gone.ts";\ngone();\n`);
  const { code, err } = await ran(["build", "--project", project.folder]);
  assert.equal(code, 1);
  assert.match(err, /^kaji: src\/main\.ts cannot be bundled: Could not resolve "\.\/gone\.ts" \(src\/main\.ts:1\)$/m);
});

test("an image that no engine could name is refused before anything is built", async () => {
  const { code, err } = await ran(["build", "--image", "my image"]);
  assert.deepEqual([code, err], [2, "kaji: --image: 'my image' is not the name of an image, as in registry.example.com/team/bars:1.2.3\n"]);
});
