import { startKube } from "@kaji-tools/kube";
import { createClient } from "@kaji/client";
import { embeddedTypesContract } from "./embedded-types-contract.ts";

embeddedTypesContract("kube-apiserver", async () => {
  const kube = await startKube();
  const client = await createClient({ kubeconfig: kube.kubeconfig });
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await kube.stop();
    },
  };
});
