import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { systemClock } from "@kaji/core";
import { providePrograms } from "./provide-programs.ts";
import type { ProvideOptions } from "./provide-programs.ts";

test("what the cache lacks is built, with a line for each program", async () => {
  await using shop = await workshop();
  const folder = await providePrograms(["etcd", "kubectl"], shop.options);
  assert.deepEqual(readdirSync(folder).toSorted(), ["etcd", "kubectl"]);
  assert.equal(readFileSync(join(folder, "kubectl"), "utf8"), "built from k8s.io/kubernetes/cmd/kubectl\n");
  assert.match(shop.written(), /^building etcd v\S+ \(1 of 2\)\nbuilding kubectl v\S+ \(2 of 2\)\nbuilt etcd, kubectl in \d+ s\n$/);
  assert.deepEqual(readdirSync(dirname(folder)), [folder.slice(dirname(folder).length + 1)], "the lock is gone");
});

test("a second call finds everything and starts nothing", async () => {
  await using shop = await workshop();
  const folder = await providePrograms(["etcd", "kubectl"], shop.options);
  const calls = shop.calls();
  assert.equal(await providePrograms(["kubectl", "etcd"], shop.options), folder);
  assert.deepEqual(shop.calls(), calls);
});

test("only what is missing is built", async () => {
  await using shop = await workshop();
  await providePrograms(["etcd"], shop.options);
  await providePrograms(["etcd", "kube-scheduler"], shop.options);
  assert.deepEqual(shop.built(), ["./etcd", "k8s.io/kubernetes/cmd/kube-scheduler"]);
});

test("who comes while another builds waits, and finds the work done", async () => {
  await using shop = await workshop();
  const clock = { ...systemClock, sleep: async () => {} };
  const both = [providePrograms(["etcd"], { ...shop.options, clock }), providePrograms(["etcd"], { ...shop.options, clock })];
  const [first, second] = await Promise.all(both);
  assert.equal(first, second);
  assert.deepEqual(shop.built(), ["./etcd"]);
  assert.match(shop.written(), new RegExp(`waiting for process ${process.pid}, which is building \\(.*build\\.lock\\)\n`));
});

test("a build that fails shows what Go said and leaves nothing behind", async () => {
  await using shop = await workshop();
  const env = { ...shop.options.env, GO_FAILS_ON: "k8s.io/kubernetes/cmd/kubectl" };
  await assert.rejects(providePrograms(["etcd", "kubectl"], { ...shop.options, env }), (error: Error) => {
    assert.match(error.message, /^building kubectl v\S+ \(2 of 2\) failed:\nundefined: x$/);
    return true;
  });
  const [folder = ""] = readdirSync(shop.cache);
  assert.deepEqual(readdirSync(join(shop.cache, folder)), ["etcd"]);
});

test("what an interrupted build left is removed by the next", async () => {
  await using shop = await workshop();
  const folder = await providePrograms(["etcd"], shop.options);
  const left = join(folder, "building-1");
  await mkdir(left);
  await providePrograms(["kubectl"], shop.options);
  assert.equal(existsSync(left), false);
});

test("without Go one line says what is missing and what to do", async () => {
  await using shop = await workshop();
  const env = { ...shop.options.env, PATH: shop.cache };
  await assert.rejects(providePrograms(["etcd"], { ...shop.options, env }), (error: Error) => {
    assert.match(
      error.message,
      /^go is not on the PATH, and Kubernetes v\S+ is not built yet: install Go \S+ or newer .*KUBEBUILDER_ASSETS.*$/,
    );
    return true;
  });
  assert.equal(shop.written(), "");
});

test("a Go that cannot be used is reported in its own words", async () => {
  await using shop = await workshop();
  const env = { ...shop.options.env, GO_FAILS_ON: "version" };
  await assert.rejects(providePrograms(["etcd"], { ...shop.options, env }), /^Error: go cannot build Kubernetes v\S+: undefined: x$/);
});

test("KUBEBUILDER_ASSETS offers what is found there and nothing else", async () => {
  await using shop = await workshop();
  const assets = join(shop.path, "assets");
  await mkdir(assets);
  for (const name of ["etcd", "kubectl"]) await writeFile(join(assets, name), "", { mode: 0o755 });
  const env = { ...shop.options.env, KUBEBUILDER_ASSETS: assets };
  assert.equal(await providePrograms(["kubectl", "etcd"], { ...shop.options, env }), assets);
  await assert.rejects(providePrograms(["etcd", "kube-apiserver"], { ...shop.options, env }), {
    message: `KUBEBUILDER_ASSETS=${assets} lacks kube-apiserver: it has etcd, kubectl; unset it to build from Go modules`,
  });
  assert.deepEqual(shop.calls(), []);
});

/** Does as `go` does, as far as the tool can see: writes what it is asked for, or complains. */
const fakeGo = `#!/bin/sh
echo "$*" >> "$GO_CALLS"
for last; do :; done
echo "go: downloading something" >&2
if [ "$last" = "$GO_FAILS_ON" ]; then echo "undefined: x" >&2; exit 1; fi
while [ $# -gt 1 ]; do
  if [ "$1" = -o ]; then echo "built from $last" > "$2"; chmod +x "$2"; fi
  shift
done
`;

interface Workshop extends AsyncDisposable {
  readonly path: string;
  readonly cache: string;
  readonly options: ProvideOptions;
  /** What was written to the output. */
  written(): string;
  /** The arguments of every run of `go`. */
  calls(): string[];
  /** The packages that were built. */
  built(): string[];
}

/** An empty cache and a `go` that builds at once. */
async function workshop(): Promise<Workshop> {
  const folder = await mkdtempDisposable(join(tmpdir(), "kaji-"));
  const { path } = folder;
  const cache = join(path, "cache");
  const log = join(path, "calls");
  await writeFile(join(path, "go"), fakeGo, { mode: 0o755 });
  await writeFile(log, "");
  const written: string[] = [];
  const calls = (): string[] => readFileSync(log, "utf8").split("\n").slice(0, -1);
  return {
    path,
    cache,
    options: {
      env: { PATH: `${path}:/usr/bin:/bin`, KAJI_KUBE_CACHE: cache, GO_CALLS: log },
      output: { write: (text) => written.push(text) },
      clock: systemClock,
    },
    written: () => written.join(""),
    calls,
    built: () =>
      calls()
        .filter((call) => call !== "version")
        .map((call) => call.slice(call.lastIndexOf(" ") + 1)),
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}
