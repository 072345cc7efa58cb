import { ApiError, objectOf, parseJsonBytes, statusOf } from "@kaji/core";
import type { FailedRequest, JsonObject, KubeObject } from "@kaji/core";
import { TransportError } from "../transport-error.ts";

/** What a watch tells: an object that came, changed or went, or how far it has got. */
export type WatchEvent<T extends KubeObject> =
  | { readonly type: "ADDED" | "MODIFIED"; readonly object: T }
  /** The object is as it was last, at the revision of its end. */
  | { readonly type: "DELETED"; readonly object: T }
  /** Comes if asked for: everything up to this version has been told, so that a watch can go on from it. */
  | {
      readonly type: "BOOKMARK";
      readonly resourceVersion: string;
      /** Whether all that was there when the watch began has now been told; only a watch with `sendInitialEvents` says so. */
      readonly initialEventsEnd: boolean;
    };

/** Reads one frame of a watch. A refusal in it is thrown as an `ApiError`, anything that is not an event as a `TransportError`. */
export function parseWatchEvent<T extends KubeObject>(frame: Uint8Array, request: FailedRequest): WatchEvent<T> {
  const { type, object } = parseFrame(frame, request);
  switch (type) {
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
      return { type, object: objectOf(object) as KubeObject as T };
    case "BOOKMARK":
      return bookmark(objectOf(object));
    case "ERROR":
      throw new ApiError(statusOf(object), { request });
    default:
      throw malformed(frame, request);
  }
}

function bookmark({ metadata }: KubeObject): WatchEvent<never> {
  const { resourceVersion = "", annotations } = metadata;
  // Not a default: servers that are not of Go write what is absent as null.
  return { type: "BOOKMARK", resourceVersion, initialEventsEnd: annotations?.["k8s.io/initial-events-end"] === "true" };
}

function parseFrame(frame: Uint8Array, request: FailedRequest): { readonly type: string; readonly object: JsonObject } {
  let value: unknown;
  try {
    value = parseJsonBytes(frame);
  } catch {
    // The message of the parser would quote the frame, which may be a Secret.
    throw malformed(frame, request);
  }
  if (!isFrame(value)) throw malformed(frame, request);
  return value;
}

function isFrame(value: unknown): value is { readonly type: string; readonly object: JsonObject } {
  if (typeof value !== "object" || value === null || !("type" in value) || !("object" in value)) return false;
  const { type, object } = value;
  if (typeof type !== "string" || typeof object !== "object" || object === null) return false;
  return type === "ERROR" || ("metadata" in object && typeof object.metadata === "object" && object.metadata !== null);
}

function malformed(frame: Uint8Array, request: FailedRequest): TransportError {
  return new TransportError("Malformed", `malformed watch event of ${frame.byteLength} bytes`, { request });
}
