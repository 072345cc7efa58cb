/** Why a metric does not say how many replicas there should be, in the words of kube-controller-manager. */
export class MetricError extends Error {
  override readonly name = "MetricError";
}

/** Says of a failure what it was a part of; what is no failure of a metric is thrown as it is. */
export async function partOf<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof MetricError ? new MetricError(`${what}: ${error.message}`, { cause: error }) : error;
  }
}
