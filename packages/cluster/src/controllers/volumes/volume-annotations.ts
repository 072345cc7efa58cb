/** On a claim: it has its volume for good. */
export const bindCompleted = "pv.kubernetes.io/bind-completed";
/** On a claim or a volume: the other one was found by the controller, not named by its author. */
export const boundByController = "pv.kubernetes.io/bound-by-controller";
/** On a volume: who made it. */
export const provisionedBy = "pv.kubernetes.io/provisioned-by";
/** On a claim: the node where its first pod will run. */
export const selectedNode = "volume.kubernetes.io/selected-node";
/** On a claim: who is to make its volume. */
export const storageProvisioners: readonly string[] = [
  "volume.beta.kubernetes.io/storage-provisioner",
  "volume.kubernetes.io/storage-provisioner",
];
