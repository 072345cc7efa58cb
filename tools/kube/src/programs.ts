import type { Versions } from "./go-module.ts";

/** A program the tool can provide. */
export type ProgramName =
  | "etcd"
  | "kube-apiserver"
  | "kubectl"
  | "kube-controller-manager"
  | "kube-scheduler"
  | "e2e.test"
  | "agnhost"
  | "sample-apiserver";

/** The command of `go` and the package it is given; go/commands.go pins the packages. */
const recipes: Readonly<Record<ProgramName, { readonly command: readonly string[]; readonly package: string }>> = {
  etcd: { command: ["build"], package: "./etcd" },
  "kube-apiserver": { command: ["build"], package: "k8s.io/kubernetes/cmd/kube-apiserver" },
  kubectl: { command: ["build"], package: "k8s.io/kubernetes/cmd/kubectl" },
  "kube-controller-manager": { command: ["build"], package: "k8s.io/kubernetes/cmd/kube-controller-manager" },
  "kube-scheduler": { command: ["build"], package: "k8s.io/kubernetes/cmd/kube-scheduler" },
  "e2e.test": { command: ["test", "-c"], package: "k8s.io/kubernetes/test/e2e" },
  agnhost: { command: ["build"], package: "k8s.io/kubernetes/test/images/agnhost" },
  "sample-apiserver": { command: ["build"], package: "k8s.io/sample-apiserver" },
};

/** Every program the tool can provide. */
export const programNames: readonly ProgramName[] = Object.keys(recipes).filter(isProgramName);

/** The conformance suite, and what its pods run. */
const suite: ReadonlySet<ProgramName> = new Set<ProgramName>(["e2e.test", "agnhost", "sample-apiserver"]);

/** What `build` builds unless told otherwise: a whole control plane. The conformance suite is built on request. */
export const controlPlane: readonly ProgramName[] = programNames.filter((name) => !suite.has(name));

/** Tells whether the tool can provide a program of this name. */
export function isProgramName(name: string): name is ProgramName {
  return Object.hasOwn(recipes, name);
}

/** The version a program reports. */
export function programVersion(name: ProgramName, versions: Versions): string {
  return name === "etcd" ? versions.etcd : versions.kubernetes;
}

/** The arguments of `go` that write the program to `output`. */
export function goArguments(name: ProgramName, versions: Versions, output: string): string[] {
  const recipe = recipes[name];
  return [...recipe.command, "-mod=readonly", "-buildvcs=false", "-ldflags", linkerFlags(versions), "-o", output, recipe.package];
}

/** A module build does not know its own tag: without these the server would call itself v0.0.0-master. */
function linkerFlags({ kubernetes }: Versions): string {
  const [major, minor] = kubernetes.replace(/^v/, "").split(".");
  const version = "k8s.io/component-base/version";
  return `-s -w -X ${version}.gitVersion=${kubernetes} -X ${version}.gitMajor=${major} -X ${version}.gitMinor=${minor}`;
}
