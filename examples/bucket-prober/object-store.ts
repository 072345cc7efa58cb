/** What is asked of an object store. */
export interface ObjectStore {
  /** Makes a bucket; one that is there already is as good. */
  create(endpoint: string, bucket: string, signal: AbortSignal): Promise<void>;
  /** How many objects are in it; undefined when there is no such bucket. */
  count(endpoint: string, bucket: string, signal: AbortSignal): Promise<number | undefined>;
  /** Removes it; one that is gone is as good. */
  remove(endpoint: string, bucket: string, signal: AbortSignal): Promise<void>;
}

/** Sends a request by HTTP, as `fetch` does. */
export type Fetch = (url: string, init: { readonly method: string; readonly signal: AbortSignal }) => Promise<Response>;

/** An object store that is reached by HTTP: `PUT`, `GET` and `DELETE` of `/BUCKET`. */
export function httpObjectStore(send: Fetch = fetch): ObjectStore {
  const call = async (method: string, { url, signal, expected }: Asked): Promise<Response> => {
    const response = await send(url, { method, signal });
    if (!expected.includes(response.status))
      throw new Error(`${method} ${url} was answered with ${response.status} ${response.statusText}`);
    return response;
  };
  return {
    async create(endpoint, bucket, signal) {
      await call("PUT", { url: urlOf(endpoint, bucket), signal, expected: [200, 201, 409] });
    },
    async count(endpoint, bucket, signal) {
      const url = urlOf(endpoint, bucket);
      const response = await call("GET", { url, signal, expected: [200, 404] });
      if (response.status === 404) return undefined;
      const objects: unknown = await response.json();
      if (!Array.isArray(objects)) throw new Error(`${url} did not answer with a list of objects`);
      return objects.length;
    },
    async remove(endpoint, bucket, signal) {
      await call("DELETE", { url: urlOf(endpoint, bucket), signal, expected: [200, 204, 404] });
    },
  };
}

interface Asked {
  readonly url: string;
  readonly signal: AbortSignal;
  readonly expected: readonly number[];
}

function urlOf(endpoint: string, bucket: string): string {
  return `${endpoint.replace(/\/$/, "")}/${encodeURIComponent(bucket)}`;
}
