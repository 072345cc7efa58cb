import {
  alreadyExists,
  applyJsonPatch,
  bodyFromBytes,
  conflict,
  jsonOf,
  notFound,
  objectAt,
  parseJsonBytes,
  refusal,
  stringifyJson,
  textAt,
  valueAt,
} from "@kaji/core";
import type { ApiError, JsonObject, JsonValue, Transport, TransportRequest, TransportResponse } from "@kaji/core";

/** A server of objects by their paths, of any kind: what a client reads, creates, updates and patches is kept. It knows no watch. */
export class ObjectServer {
  readonly objects: Map<string, JsonObject> = new Map();
  /** What was written, such as `PUT /api/v1/…`. */
  readonly writes: string[] = [];
  /** Decides about requests before they are looked at, to refuse them. */
  refuse: (request: TransportRequest) => ApiError | undefined = () => undefined;
  #version = 0;

  readonly transport: Transport = async (request) => {
    // As over a network, other requests may run before the answer comes.
    await Promise.resolve();
    try {
      const refused = this.refuse(request);
      if (refused !== undefined) throw refused;
      return answer(200, this.#serve(request));
    } catch (error) {
      const { code, status } = error as ApiError;
      return answer(code, jsonOf(status));
    }
  };

  /** Stores an object at its path. */
  put(path: string, object: JsonObject): JsonObject {
    const stored = { ...object, metadata: { ...objectAt(object, "metadata"), resourceVersion: String(++this.#version) } };
    this.objects.set(path, stored);
    return stored;
  }

  #serve({ method, path: pathAndQuery, body }: TransportRequest): JsonObject {
    const [path = ""] = pathAndQuery.split("?");
    const sent = body === undefined ? null : parseJsonBytes(body);
    if (method !== "GET") this.writes.push(`${method} ${path}`);
    const present = this.objects.get(path);
    const name = { group: "", plural: "objects" };
    switch (method) {
      case "POST": {
        const own = `${path}/${textAt(sent, "metadata", "name")}`;
        if (this.objects.has(own)) throw alreadyExists(name, own);
        return this.put(own, sent as JsonObject);
      }
      case "GET":
        return present ?? refuseWith(notFound(name, path));
      case "PUT":
        if (versionOf(sent) !== versionOf(present)) throw conflict(name, path, "it has changed");
        return this.put(path, sent as JsonObject);
      case "PATCH": {
        if (present === undefined) throw notFound(name, path);
        const patched = applyJsonPatch(present, sent);
        if (versionOf(patched) !== versionOf(present)) throw conflict(name, path, "it has changed");
        return this.put(path, patched as JsonObject);
      }
      default:
        throw refusal("MethodNotAllowed", method);
    }
  }
}

function answer(status: number, body: JsonValue): TransportResponse {
  return { status, headers: { "content-type": "application/json" }, body: bodyFromBytes(Buffer.from(stringifyJson(body))) };
}

function refuseWith(error: ApiError): never {
  throw error;
}

function versionOf(object: JsonValue | undefined): JsonValue | undefined {
  return valueAt(object, "metadata", "resourceVersion");
}
