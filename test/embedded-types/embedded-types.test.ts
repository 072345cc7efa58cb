import { createMemoryStorage } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { createApiServer } from "@kaji/cluster";
import { systemClock } from "@kaji/core";
import { Namespace } from "@kaji/types/core/v1";
import { embeddedTypesContract } from "./embedded-types-contract.ts";

embeddedTypesContract("the embedded server", async () => {
  const server = createApiServer({ storage: createMemoryStorage({ clock: systemClock }) });
  const client = new KubeClient(server.transport());
  await client.create(Namespace, { metadata: { name: "default" } });
  return { client, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
});
