import { createMemoryStorage } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { createApiServer } from "@kaji/cluster";
import { systemClock } from "@kaji/core";
import { verbsContract } from "./verbs-contract.ts";

verbsContract("the embedded server", async () => {
  const server = createApiServer({ storage: createMemoryStorage({ clock: systemClock }) });
  const client = new KubeClient(server.transport());
  return { client, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
});
