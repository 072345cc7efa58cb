import { ApiError, isJsonObject, parseJson } from "@kaji/core";
import type { DynamicObject, JsonValue, Status, Transport, TransportRequest } from "@kaji/core";

/** Calls the API of the same process: what the server's own controllers need of a client. */
export class LocalApi {
  readonly #transport: Transport;
  readonly #name: string;

  /** The name is under which fields come to be owned. */
  constructor(transport: Transport, name: string) {
    this.#transport = transport;
    this.#name = name;
  }

  /** Sends a request and returns the object it is answered with; a refusal is thrown as `ApiError`. */
  async send(method: TransportRequest["method"], path: string, body?: unknown, contentType = "application/json"): Promise<DynamicObject> {
    const headers = { accept: "application/json", "content-type": contentType, "user-agent": this.#name };
    const bytes = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
    const response = await this.#transport({ method, path, headers, body: bytes });
    const pieces: Uint8Array[] = [];
    for await (const piece of response.body) pieces.push(piece);
    const value = parseJson(Buffer.concat(pieces).toString("utf8"));
    if (response.status >= 400) throw new ApiError(asStatus(value), { request: { verb: method, path } });
    return value as unknown as DynamicObject;
  }

  /** Makes an object have what is given, whatever it was before. */
  async apply(collection: string, object: DynamicObject): Promise<void> {
    const path = `${collection}/${object.metadata.name}?fieldManager=${this.#name}&force=true`;
    await this.send("PATCH", path, object, "application/apply-patch+yaml");
  }

  /** Makes an object unless there is one of that name. */
  async ensure(path: string, object: unknown): Promise<void> {
    try {
      await this.send("POST", path, object);
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== "AlreadyExists") throw error;
    }
  }
}

function asStatus(value: JsonValue): Status {
  if (!isJsonObject(value) || value["kind"] !== "Status") throw new TypeError("a refusal by an API server is a Status");
  return value as unknown as Status;
}
