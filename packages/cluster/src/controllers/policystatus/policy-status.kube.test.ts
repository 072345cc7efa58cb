import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { KubeClient, Redacted, httpTransport } from "@kaji/client";
import { eventually } from "@kaji/core/testing";
import { createPolicies, repairPolicy, statuses } from "./testing/checked-policies.ts";

interface Kube extends AsyncDisposable {
  readonly server: string;
  readonly ca: string;
  readonly token: string;
}

const kubeTool: string = "@kaji-tools/kube";
const recording = new URL("../../../testdata/policy-type-checking.json", import.meta.url);

test("the recording is what kube-controller-manager makes of the policies", async () => {
  const { startKube } = (await import(kubeTool)) as { readonly startKube: (options: object) => Promise<Kube> };
  await using kube = await startKube({ controllers: true });
  const authority = { type: "Data", data: new Redacted(kube.ca) } as const;
  const connection = { server: kube.server, certificateAuthority: authority, user: { token: new Redacted(kube.token) } };
  await using client = new KubeClient(httpTransport(connection), { onWarning: () => {} });
  await createPolicies(client, () => untilPublished(client));
  const first = await untilChecked(client, 1);
  await repairPolicy(client);
  const found = { first, repaired: (await untilChecked(client, 2))["wrong-types"] };
  if (process.env["KAJI_RECORD"] !== undefined) writeFileSync(recording, `${JSON.stringify(found, undefined, 1)}\n`);
  assert.deepEqual(found, JSON.parse(readFileSync(recording, "utf8")));
});

/** A real server publishes a custom kind in its own time. */
async function untilPublished({ discovery }: KubeClient): Promise<void> {
  await eventually("checked.kaji.dev/v1 is published", () =>
    discovery.openApi("checked.kaji.dev/v1").then(
      ({ components }) => JSON.stringify(components).includes("brightness"),
      () => false,
    ),
  );
}

/** The statuses, once the one that was changed last has been looked at. */
async function untilChecked(client: KubeClient, generation: number): Promise<Readonly<Record<string, unknown>>> {
  return eventually(`generation ${generation} of the policies is checked`, async () => {
    const found = await statuses(client);
    const isChecked = Object.values(found).every((status) => JSON.stringify(status).includes("observedGeneration"));
    return isChecked && JSON.stringify(found["wrong-types"]).includes(`"observedGeneration":${generation}`) && found;
  });
}
