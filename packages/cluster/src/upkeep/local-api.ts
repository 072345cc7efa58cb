import { ApiError, bodyText, isJsonObject, isReason, objectOf, parseJson, refusal, statusOf } from "@kaji/core";
import type { DynamicObject, JsonObject, Status, Transport, TransportRequest } from "@kaji/core";
import type { Log } from "@kaji/runtime";
import { silentLog } from "../loops/silent-log.ts";

/** Calls the API of the same process: what the server's own controllers need of a client. */
export class LocalApi {
  readonly #transport: Transport;
  readonly #name: string;
  /** Where its user says what goes wrong. */
  readonly log: Log;

  /** The name is under which fields come to be owned. */
  constructor(transport: Transport, name: string, log: Log = silentLog) {
    this.#transport = transport;
    this.#name = name;
    this.log = log;
  }

  /** Sends a request and returns the object it is answered with; a refusal is thrown as `ApiError`. */
  async send(method: TransportRequest["method"], path: string, body?: unknown, contentType = "application/json"): Promise<DynamicObject> {
    const headers = { accept: "application/json", "content-type": contentType, "user-agent": this.#name };
    const bytes = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
    const response = await this.#transport({ method, path, headers, body: bytes });
    const text = await bodyText(response.body);
    if (response.status >= 400) throw new ApiError(statusIn(text, response.status), { request: { verb: method, path } });
    return objectOf(parseJson(text));
  }

  /** Makes an object have what is given, whatever it was before. One whose change is refused, as by a webhook, stays as it was. */
  async apply(collection: string, object: DynamicObject): Promise<void> {
    const path = `${collection}/${object.metadata.name}`;
    try {
      await this.send("PATCH", `${path}?fieldManager=${this.#name}&force=true`, object, "application/apply-patch+yaml");
    } catch (error) {
      if (!(error instanceof ApiError) || !(await this.#exists(path))) throw error;
    }
  }

  /** Makes an object unless there is one of that name. */
  async ensure(collection: string, object: JsonObject & { readonly metadata: { readonly name: string } }): Promise<void> {
    // Webhooks are asked before anybody looks, and those of the last start may not be there yet.
    if (await this.#exists(`${collection}/${object.metadata.name}`)) return;
    try {
      await this.send("POST", collection, object);
    } catch (error) {
      if (!isReason(error, "AlreadyExists")) throw error;
    }
  }

  async #exists(path: string): Promise<boolean> {
    try {
      await this.send("GET", path);
      return true;
    } catch (error) {
      if (isReason(error, "NotFound")) return false;
      throw error;
    }
  }
}

/** A refusal is a Status, unless it is of a proxy on the way to an extension server. */
function statusIn(text: string, code: number): Status {
  const value = text.startsWith("{") ? parseJson(text) : null;
  if (isJsonObject(value) && value["kind"] === "Status") return statusOf(value);
  return code === 503
    ? refusal("ServiceUnavailable", "the server is currently unable to handle the request").status
    : {
        ...refusal("InternalError", `an error on the server (${JSON.stringify(text.trim())}) has prevented the request from succeeding`)
          .status,
        code,
      };
}
