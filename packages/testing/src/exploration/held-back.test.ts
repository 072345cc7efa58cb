import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldIndex } from "@kaji/informer";
import { defineResource, k, z } from "@kaji/core/define";
import { defineController, requeueAfter, watch } from "@kaji/runtime";
import type { UserVerbs } from "../simulation/operation.ts";
import { explore } from "./explore.ts";

const Zone = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Zone",
  scope: "Cluster",
  spec: z.object({ host: z.string() }),
  status: z.object({ conditions: k.conditions() }),
});
const Site = defineResource({ group: "shop.example.com", version: "v1", kind: "Site", spec: z.object({ zone: z.string() }) });
const byZone = fieldIndex(Site, "spec.zone");

/** Lets a zone go when no site is in it; a careless one looks at the wrong thing, and never does. */
function zoneController({ isCareful }: { readonly isCareful: boolean }) {
  return defineController(Zone, {
    watches: [watch(Site, { indexes: [byZone] })],
    reconcile: () => undefined,
    async finalize({ metadata, spec }, { cache, setStatus }) {
      const sites = [...cache.by(Site, byZone, metadata.name)].map((site) => site.metadata.name);
      if (isCareful ? sites.length === 0 : spec.host === "") return;
      await setStatus({ conditions: [{ type: "InUse", status: "True", reason: "Sites", message: sites.join() }] });
      return requeueAfter("1h");
    },
  });
}

const options = {
  ops: (user: UserVerbs) => [
    user.create(Zone, { metadata: { name: "eu" }, spec: { host: "eu.example.com" } }),
    user.create(Site, { metadata: { name: "a", namespace: "default" }, spec: { zone: "eu" } }),
    user.delete(Zone, "eu"),
    user.delete(Site, "default/a"),
  ],
  runs: 30,
};

test("an object that is held back while others need it is no violation", async () => {
  await explore({ ...options, controllers: [zoneController({ isCareful: true })] }).expectNoViolations();
});

test("one that is held back for ever is", async () => {
  const { findings } = await explore({ ...options, controllers: [zoneController({ isCareful: false })], findings: 1 });
  assert.deepEqual(
    findings.map(({ violation }) => [violation.oracle, violation.subject]),
    [["path independence", "Zone.shop.example.com eu"]],
  );
});
