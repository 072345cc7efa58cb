import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import type { ReplicaSet } from "@kaji/types/apps/v1";
import { dumpPodTemplate } from "./go-dump.ts";
import { hashLabel, podTemplateHash } from "./pod-template-hash.ts";

const folder = new URL("../../../testdata/controllers/", import.meta.url);

test("the hash is that of kube-controller-manager", () => {
  let count = 0;
  for (const file of readdirSync(folder)) {
    const objects: readonly ReplicaSet[] = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
    for (const { kind, spec } of objects) {
      const { labels = {}, ...metadata } = spec?.template?.metadata ?? {};
      const { [hashLabel]: recorded, ...others } = labels;
      if (kind !== "ReplicaSet" || recorded === undefined) continue;
      assert.equal(podTemplateHash({ ...spec?.template, metadata: { ...metadata, labels: others } }, undefined), recorded, file);
      count++;
    }
  }
  assert.ok(count > 10);
});

test("collisions make other hashes", () => {
  const hashes = [undefined, 0, 1, 2].map((collisions) => podTemplateHash({}, collisions));
  assert.equal(new Set(hashes).size, 4);
});

test("quantities, ports and absent fields are printed as Go does", () => {
  const text = dumpPodTemplate({
    spec: {
      containers: [
        {
          name: "main",
          resources: { requests: { cpu: "1500m", memory: "1Gi" }, limits: { cpu: "2" } },
          livenessProbe: { tcpSocket: { port: "http" } },
        },
      ],
    },
  });
  assert.match(text, /^\(v1\.PodTemplateSpec\)\{ObjectMeta:\(v1\.ObjectMeta\)\{Name:\(string\) GenerateName:\(string\)/);
  assert.ok(text.includes("Labels:(map[string]string)<nil>"));
  assert.ok(text.includes("cpu:{i:(resource.int64Amount){value:(int64)1500 scale:(resource.Scale)-3}"));
  assert.ok(text.includes("s:(string)1Gi Format:(resource.Format)BinarySI}"));
  assert.ok(text.includes("Port:(intstr.IntOrString){Type:(intstr.Type)1 IntVal:(int32)0 StrVal:(string)http}"));
  assert.ok(text.includes("SecurityContext:(*v1.PodSecurityContext)<nil>"));
});
