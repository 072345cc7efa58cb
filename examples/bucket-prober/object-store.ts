/** What is asked of an object store. */
export interface ObjectStore {
  /** Makes a bucket; one that is there already is as good. */
  create(endpoint: string, bucket: string, signal: AbortSignal): Promise<void>;
  /** How many objects are in it; undefined when there is no such bucket. */
  count(endpoint: string, bucket: string, signal: AbortSignal): Promise<number | undefined>;
  /** Removes it; one that is gone is as good. */
  remove(endpoint: string, bucket: string, signal: AbortSignal): Promise<void>;
}

/** An object store that is reached by HTTP: `PUT`, `GET` and `DELETE` of `/BUCKET`. */
export const httpObjectStore: ObjectStore = {
  async create(endpoint, bucket, signal) {
    await call("PUT", endpoint, bucket, signal, [200, 201, 409]);
  },
  async count(endpoint, bucket, signal) {
    const response = await call("GET", endpoint, bucket, signal, [200, 404]);
    if (response.status === 404) return undefined;
    const objects: unknown = await response.json();
    if (!Array.isArray(objects)) throw new Error(`${endpoint}/${bucket} did not answer with a list of objects`);
    return objects.length;
  },
  async remove(endpoint, bucket, signal) {
    await call("DELETE", endpoint, bucket, signal, [200, 204, 404]);
  },
};

async function call(method: string, endpoint: string, bucket: string, signal: AbortSignal, expected: readonly number[]): Promise<Response> {
  const url = `${endpoint.replace(/\/$/, "")}/${encodeURIComponent(bucket)}`;
  const response = await fetch(url, { method, signal });
  if (!expected.includes(response.status)) throw new Error(`${method} ${url} was answered with ${response.status} ${response.statusText}`);
  return response;
}
