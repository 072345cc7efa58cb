/** Why a part of a cluster is told to end with it; made once, since nobody reads it and each error takes a stack. */
export const stopped: Error = new Error("the cluster is stopped");
