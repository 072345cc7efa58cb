import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { goModuleFolder, readVersions } from "./go-module.ts";

test("versions are those go.mod requires, in one line or in a block", () => {
  const goMod = "module m\n\ngo 1.26.0\n\nrequire k8s.io/kubernetes v1.2.3\nrequire (\n\tgo.etcd.io/etcd/server/v3 v3.4.5\n)\n";
  assert.deepEqual(readVersions(goMod), { kubernetes: "v1.2.3", etcd: "v3.4.5", go: "1.26.0" });
});

test("a go.mod without a version is refused by the name of the module", () => {
  assert.throws(() => readVersions("go 1.26.0\n"), /go\.mod names no version of k8s\.io\/kubernetes/);
});

test("the modules that Kubernetes publishes apart are replaced by those of the same release", () => {
  const release = readVersions().kubernetes.replace("v1.", "v0.");
  const replaced = [...readFileSync(`${goModuleFolder}go.mod`, "utf8").matchAll(/^\t(\S+) => (\S+) (\S+)$/gm)];
  assert.ok(replaced.length > 30);
  for (const [, from, to, version] of replaced) assert.deepEqual({ to, version }, { to: from, version: release });
});
