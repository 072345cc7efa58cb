import { startKube } from "@kaji-tools/kube";
import { createClient } from "@kaji/client";
import { schedulingContract } from "./scheduling-contract.ts";

schedulingContract("kube-scheduler", async () => {
  const kube = await startKube({ controllers: true });
  const client = await createClient({ kubeconfig: kube.kubeconfig });
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await kube.stop();
    },
  };
});
