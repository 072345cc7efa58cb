import { startKube } from "@kaji-tools/kube";
import { testBarOperator } from "./bar-cases.ts";
import { openPlane } from "./kubeconfig-plane.ts";

testBarOperator("kube-apiserver", async () => {
  const kube = await startKube();
  return openPlane(kube.kubeconfig, kube);
});
