import assert from "node:assert/strict";
import { test } from "node:test";
import { PersistentVolumeClaim } from "@kaji/types/core/v1";
import { StorageClass } from "@kaji/types/storage/v1";
import { startCluster } from "../start-cluster.ts";

const address = { namespace: "default", name: "data" };
const resources = (storage: string) => ({ requests: { storage } });

test("[ADM14] a claim may ask for more when it is bound and its class lets volumes grow, and else is refused in the words of a real server", async () => {
  await using cluster = await startCluster({ controllers: [], nodes: 0, scheduler: false });
  const { client } = cluster;
  await client.create(StorageClass, { metadata: { name: "fixed" }, provisioner: "example.com/disks" });
  const spec = { accessModes: ["ReadWriteOnce"], storageClassName: "fixed", resources: resources("1Gi") } as const;
  await client.create(PersistentVolumeClaim, { metadata: address, spec });
  const grow = () => client.mergePatch(PersistentVolumeClaim, address, { spec: { resources: resources("2Gi") } });
  await assert.rejects(grow(), { reason: "Invalid", message: /spec is immutable after creation except resources.requests/ });
  await client.mergePatch(
    PersistentVolumeClaim,
    address,
    { status: { phase: "Bound", capacity: { storage: "1Gi" } } },
    { subresource: "status" },
  );
  await assert.rejects(grow(), {
    reason: "Forbidden",
    message:
      /^persistentvolumeclaims "data" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize/,
  });
  await client.mergePatch(PersistentVolumeClaim, address, { metadata: { labels: { app: "db" } } });
  await client.mergePatch(StorageClass, { name: "fixed" }, { allowVolumeExpansion: true });
  assert.deepEqual((await grow()).spec?.resources, resources("2Gi"));
});
