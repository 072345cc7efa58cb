import { startKube } from "@kaji-tools/kube";
import { faultsContract } from "./faults-contract.ts";

faultsContract("kube-apiserver", async () => {
  const kube = await startKube();
  // What it knows of the past is in its memory: to those who come back after a restart it says that they are too late.
  const restart = (): Promise<void> => kube.restart();
  return { kubeconfig: kube.kubeconfig, restart, loseHistory: restart, [Symbol.asyncDispose]: () => kube.stop() };
});
