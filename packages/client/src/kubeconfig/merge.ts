import { ConfigNode } from "./config-node.ts";
import type { KubeconfigFile } from "./kubeconfig-file.ts";

/** One kubeconfig out of several, merged as kubectl does: for each name, and for the current context, the first file that has it wins. */
export function mergeKubeconfigs(files: readonly KubeconfigFile[]): KubeconfigFile {
  const first = (entriesOf: (file: KubeconfigFile) => ReadonlyMap<string, ConfigNode>): ReadonlyMap<string, ConfigNode> =>
    new Map(files.toReversed().flatMap((file) => [...entriesOf(file)]));
  return {
    clusters: first(({ clusters }) => clusters),
    users: first(({ users }) => users),
    contexts: first(({ contexts }) => contexts),
    currentContext:
      files.map(({ currentContext }) => currentContext).find(({ isAbsent }) => !isAbsent) ??
      files[0]?.currentContext ??
      new ConfigNode("", "current-context", undefined),
  };
}
