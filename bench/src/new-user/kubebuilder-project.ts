import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { providePrograms, startKube } from "@kaji-tools/kube";
import { createBar, imageOf } from "./first-bar.ts";
import type { NewUserFigures } from "./new-user-figures.ts";
import { openWorkshop, ownedFiles, secondsOf, until } from "./workshop.ts";

const peer = fileURLToPath(new URL("../../peers/kubebuilder/", import.meta.url));

/**
 * Measures the Bar operator with kubebuilder, at the version that go.mod in peers/kubebuilder pins. Its control plane is etcd and kube-apiserver alone, as in envtest, which is the
 * fastest there is; a cluster of containers would take longer.
 */
export async function measureKubebuilder(): Promise<NewUserFigures> {
  const assets = await providePrograms(["etcd", "kube-apiserver", "kubectl"]);
  using workshop = openWorkshop("kubebuilder", { KUBEBUILDER_ASSETS: assets, GOFLAGS: "-buildvcs=false", GOWORK: "off" });
  const kubebuilder = (await workshop.run("go", "-C", peer, "tool", "-n", "kubebuilder")).trim();
  const api = ["--group", "samplecontroller", "--version", "v1alpha1", "--kind", "Bar", "--resource", "--controller"];
  const make = async (): Promise<void> => {
    await workshop.run(kubebuilder, "init", "--domain", "example.com", "--repo", "example.com/bar", "--project-name", "bar-controller");
    await workshop.run(kubebuilder, "create", "api", ...api);
  };
  const makeS = await secondsOf(make);
  cpSync(join(peer, "testdata/bar"), workshop.folder, { recursive: true });
  const owned = ownedFiles(workshop.folder);
  const generateS = await secondsOf(() => workshop.run("make", "manifests", "generate"));
  // Fills the cache of Go's compiler, so that only what changes is compiled below.
  await workshop.run("go", "build", "./...");
  await workshop.run("go", "test", "-run", "^$", "./internal/...");

  await using stack = new AsyncDisposableStack();
  let kubeconfig = "";
  const operate = ["run", "./cmd/main.go", "--health-probe-bind-address=0"] as const;
  const startedS = await secondsOf(async () => {
    const kube = stack.use(await startKube());
    ({ kubeconfig } = kube);
    await workshop.run(kube.kubectl, "--kubeconfig", kubeconfig, "apply", "--server-side", "-f", "config/crd/bases");
    await workshop.run(kube.kubectl, "--kubeconfig", kubeconfig, "wait", "--for=condition=Established", "crd", "--all");
    await using program = workshop.start("go", ...operate, `--kubeconfig=${kubeconfig}`);
    await createBar(kubeconfig);
    await until(async () => (await imageOf(kubeconfig)) !== undefined, "the first reconcile", program);
  });
  const saveToReconcileS = await secondsOf(async () => {
    workshop.edit("internal/controller/bar_controller.go", "nginx:1.29", "nginx:1.30");
    await using program = workshop.start("go", ...operate, `--kubeconfig=${kubeconfig}`);
    await until(async () => (await imageOf(kubeconfig)) === "nginx:1.30", "the reconcile of what was saved", program);
  });
  const testS = await secondsOf(() => workshop.run("go", "test", "-count=1", "./internal/..."));
  return {
    ...owned,
    commands: [
      "kubebuilder init --domain example.com --repo example.com/bar",
      "kubebuilder create api --group samplecontroller --version v1alpha1 --kind Bar",
      "make manifests generate",
      "kind create cluster",
      "make install",
      "make run",
      "kubectl apply -k config/samples",
    ],
    firstReconcileS: makeS + generateS + startedS,
    saveToReconcileS,
    testS,
  };
}
