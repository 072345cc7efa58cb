import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Pod, Volume } from "@kaji/types/core/v1";
import { PodFolder } from "./pod-folder.ts";
import { objectsOf } from "./testing/objects-of.ts";
import type { GivenObjects } from "./testing/objects-of.ts";
import { volumeFiles } from "./volume-files.ts";

const root = mkdtempSync(join(tmpdir(), "kaji-volumes-"));
after(() => rmSync(root, { recursive: true }));

const given: GivenObjects = {
  configMaps: { settings: { data: { one: "1", two: "2" }, binaryData: { raw: "/wA=" } } },
  secrets: { keys: { data: { "tls.key": Buffer.from("geheim").toString("base64") } } },
};

function podWith(volume: Omit<Volume, "name">): Pod {
  const metadata = { name: "web", namespace: "default", uid: "u", labels: { b: "2", a: 'x"y' } };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [{ name: "main" }], volumes: [{ name: "v", ...volume }] } };
}

function filesOf(volume: Omit<Volume, "name">, tokens: ReadonlyMap<string, string> = new Map()): readonly string[] | undefined {
  const files = volumeFiles({ name: "v", ...volume }, { pod: podWith(volume), objects: objectsOf(given), tokens });
  return files?.map(({ path, bytes, mode }) => `${path} ${mode.toString(8)} ${Buffer.from(bytes).toString("latin1")}`);
}

test("[PROC3] a volume shows all keys of an object, or those that are asked for under the names they are given", () => {
  assert.deepEqual(filesOf({ configMap: { name: "settings" } }), ["one 644 1", "two 644 2", "raw 644 \u00FF\0"]);
  const items = [
    { key: "two", path: "deep/zwei", mode: 0o400 },
    { key: "constructor", path: "none" },
  ];
  assert.deepEqual(filesOf({ configMap: { name: "settings", items } }), ["deep/zwei 400 2"]);
  assert.deepEqual(filesOf({ secret: { secretName: "keys", defaultMode: 0o600 } }), ["tls.key 600 geheim"]);
  assert.deepEqual(filesOf({ secret: { secretName: "none", optional: true } }), []);
  assert.equal(filesOf({ emptyDir: {} }), undefined);
});

test("[PROC3] a projected volume shows objects, fields of the pod and tokens side by side", () => {
  const sources = [
    { secret: { name: "keys" } },
    { downwardAPI: { items: [{ path: "labels", fieldRef: { fieldPath: "metadata.labels" } }] } },
    { serviceAccountToken: { path: "token" } },
  ];
  assert.deepEqual(filesOf({ projected: { sources } }, new Map([["v/token", "t"]])), [
    "tls.key 644 geheim",
    'labels 644 a="x\\"y"\nb="2"',
    "token 644 t",
  ]);
});

test("[PROC3] files are those of one moment, and change with the object", () => {
  const folder = new PodFolder(join(root, "pod"));
  const show = (data: Readonly<Record<string, string>>): void =>
    folder.show({ pod: podWith({ configMap: { name: "c" } }), objects: objectsOf({ configMaps: { c: { data } } }), tokens: new Map() });
  const volume = folder.volume("v");
  show({ one: "1", two: "2" });
  const first = readlinkSync(join(volume, "..data"));
  show({ one: "1", two: "2" });
  assert.equal(readlinkSync(join(volume, "..data")), first);
  show({ one: "eins", three: "3" });
  assert.notEqual(readlinkSync(join(volume, "..data")), first);
  assert.deepEqual(
    readdirSync(volume).filter((name) => !name.startsWith("..")),
    ["one", "three"],
  );
  assert.equal(readFileSync(join(volume, "one"), "utf8"), "eins");
  assert.equal(statSync(join(root, "pod")).mode & 0o777, 0o700);
});

test("[PROC3] a part of a volume never lies outside of it", () => {
  const folder = new PodFolder(join(root, "parts"));
  const mount = { name: "v", mountPath: "/data", subPathExpr: "$(WHERE)" };
  const variables = new Map([["WHERE", "../../.."]]);
  assert.throws(() => folder.mounts({ name: "main", volumeMounts: [mount] }, variables), { message: '"$(WHERE)" leads out of volume v' });
});
