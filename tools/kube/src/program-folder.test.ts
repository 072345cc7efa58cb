import assert from "node:assert/strict";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { missingPrograms, programFolder } from "./program-folder.ts";

const versions = { kubernetes: "v1.36.3", etcd: "v3.6.8", go: "1.26.0" };
const key = `v1.36.3-etcd-v3.6.8-${process.platform}-${process.arch}`;

test("the cache is keyed by versions and platform, under KAJI_KUBE_CACHE, else XDG_CACHE_HOME, else ~/.cache", () => {
  const all = { KAJI_KUBE_CACHE: "/cache", XDG_CACHE_HOME: "/xdg", HOME: "/home/me" };
  assert.deepEqual(programFolder(all, versions), { type: "Cache", path: `/cache/${key}` });
  assert.equal(programFolder({ ...all, KAJI_KUBE_CACHE: "" }, versions).path, `/xdg/kaji/kube/${key}`);
  assert.equal(programFolder({ HOME: "/home/me" }, versions).path, `/home/me/.cache/kaji/kube/${key}`);
  assert.notEqual(programFolder(all, { ...versions, etcd: "v3.6.9" }).path, `/cache/${key}`);
});

test("KUBEBUILDER_ASSETS goes before the cache", () => {
  const folder = programFolder({ KUBEBUILDER_ASSETS: "/assets", KAJI_KUBE_CACHE: "/cache" }, versions);
  assert.deepEqual(folder, { type: "Assets", path: "/assets" });
});

test("a program is missing unless it is there and may be executed", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "kaji-"));
  await writeFile(join(folder.path, "etcd"), "", { mode: 0o755 });
  await writeFile(join(folder.path, "kubectl"), "", { mode: 0o644 });
  assert.deepEqual(missingPrograms({ type: "Cache", path: folder.path }, ["etcd", "kubectl", "kube-scheduler"]), [
    "kubectl",
    "kube-scheduler",
  ]);
});
