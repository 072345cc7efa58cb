import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { goModuleFolder } from "./go-module.ts";
import { controlPlane, goArguments, isProgramName, programNames, programVersion } from "./programs.ts";

const versions = { kubernetes: "v1.36.3", etcd: "v3.6.8", go: "1.26.0" };

test("a program is told the version it is built from", () => {
  const args = goArguments("kube-apiserver", versions, "/tmp/out");
  assert.equal(args[0], "build");
  assert.deepEqual(args.slice(-3), ["-o", "/tmp/out", "k8s.io/kubernetes/cmd/kube-apiserver"]);
  const flags = args[args.indexOf("-ldflags") + 1] ?? "";
  assert.match(flags, /version\.gitVersion=v1\.36\.3 .*version\.gitMajor=1 .*version\.gitMinor=36$/);
});

test("the conformance suite is a test binary; neither it nor what its pods run is part of a control plane", () => {
  assert.deepEqual(goArguments("e2e.test", versions, "out").slice(0, 2), ["test", "-c"]);
  assert.ok(programNames.includes("e2e.test"));
  for (const name of ["e2e.test", "agnhost", "sample-apiserver"] as const) assert.ok(!controlPlane.includes(name));
});

test("etcd has a version of its own", () => {
  assert.equal(programVersion("etcd", versions), "v3.6.8");
  assert.equal(programVersion("kubectl", versions), "v1.36.3");
});

test("names of properties every object has are not programs", () => {
  for (const name of ["constructor", "__proto__", "toString", ""]) assert.equal(isProgramName(name), false);
});

test("every package of Kubernetes that is built is pinned by commands.go", () => {
  const pinned = readFileSync(`${goModuleFolder}commands.go`, "utf8");
  for (const name of programNames) {
    const built = goArguments(name, versions, "out").at(-1) ?? "";
    if (built.startsWith("k8s.io/")) assert.ok(pinned.includes(`"${built}"`), built);
  }
});
