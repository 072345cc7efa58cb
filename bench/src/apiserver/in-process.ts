import { createMemoryStorage } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { createApiServer } from "@kaji/cluster";
import { resource, systemClock } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { Namespace } from "@kaji/types/core/v1";

/** How long a test may wait for what `inProcessMs` measures. */
export const inProcessLimitMs = 50;

const namespace = "default";
const names = Array.from({ length: 10 }, (_, index) => `shirt-${index}`);
const Shirt = resource<DynamicObject>({ group: "example.com", version: "v1", kind: "Shirt", plural: "shirts", scope: "Namespaced" });

/** What a test does in this process: starts a server, defines a kind, watches ten objects of it being made, and stops. In milliseconds, as slow as the first time is. */
export async function inProcessMs(): Promise<number> {
  const start = systemClock.monotonic();
  {
    await using server = createApiServer({ storage: createMemoryStorage({ clock: systemClock }) });
    const client = new KubeClient(server.transport());
    await define(client);
    const watched = untilWatched(client);
    for (const name of names) await client.create(Shirt, { metadata: { name, namespace }, spec: { color: "red" } });
    await watched;
  }
  return systemClock.monotonic() - start;
}

async function define(client: KubeClient): Promise<void> {
  await client.create(Namespace, { metadata: { name: namespace } });
  const spec = { type: "object", properties: { color: { type: "string", enum: ["red", "blue"] } } } as const;
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } } as const;
  await client.create(CustomResourceDefinition, {
    metadata: { name: "shirts.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "shirts", kind: "Shirt" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  });
}

async function untilWatched(client: KubeClient): Promise<void> {
  let seen = 0;
  for await (const event of client.watch(Shirt, { namespace })) {
    if (event.type === "ADDED" && ++seen === names.length) return;
  }
}
