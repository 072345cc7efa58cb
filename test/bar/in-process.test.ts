import { createMemoryStorage } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { createApiServer } from "@kaji/cluster";
import { systemClock } from "@kaji/core";
import { Namespace } from "@kaji/types/core/v1";
import { testBarOperator } from "./bar-cases.ts";
import type { Plane } from "./bar-plane.ts";

testBarOperator("embedded, in this process", async (): Promise<Plane> => {
  const server = createApiServer({ storage: createMemoryStorage({ clock: systemClock }), clock: systemClock });
  const client = new KubeClient(server.transport());
  for (const name of ["default", "kube-system"]) await client.create(Namespace, { metadata: { name } });
  return {
    client,
    connect: async () => ({
      transport: Object.assign(server.transport(), { [Symbol.asyncDispose]: async () => {} }),
      server: "https://in-process",
      namespace: "default",
    }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});
