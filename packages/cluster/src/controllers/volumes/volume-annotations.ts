/** On a claim: its binding to a volume is complete. */
export const bindCompleted = "pv.kubernetes.io/bind-completed";
/** On a claim or a volume: the controller chose the other one; the user did not name it. */
export const boundByController = "pv.kubernetes.io/bound-by-controller";
/** On a volume: the provisioner that made it. */
export const provisionedBy = "pv.kubernetes.io/provisioned-by";
/** On a claim: the node where its first pod will run. */
export const selectedNode = "volume.kubernetes.io/selected-node";
/** On a claim: the provisioner that is to make its volume. */
export const storageProvisioners: readonly string[] = [
  "volume.beta.kubernetes.io/storage-provisioner",
  "volume.kubernetes.io/storage-provisioner",
];
