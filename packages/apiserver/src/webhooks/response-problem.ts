import { isJsonObject, parseJson } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import { quote } from "@kaji/core/go";

/** How much of a response that is no review is quoted. */
const mostBytes = 2048;

/** What a client of the real server says of a response that is no success, or that is empty; undefined when there is something to read. */
export function responseProblem(
  status: number,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  body: Uint8Array,
): string | undefined {
  const contentType = [headers["content-type"] ?? ""].flat().join(", ");
  if (status >= 200 && status <= 206) {
    if (body.byteLength > 0) return undefined;
    return `0-length response with status code: ${status} and content type: ${contentType === "" ? "application/json" : contentType}`;
  }
  const text = Buffer.from(body).toString("utf8");
  const said = statusMessage(text);
  if (said !== undefined) return said;
  const isText = contentType === "" || contentType.startsWith("text/");
  return refusalMessage(status, isText ? Buffer.from(body.subarray(0, mostBytes)).toString("utf8").trim() : "unknown");
}

/** The message of a Status, if that is what the response is. */
function statusMessage(text: string): string | undefined {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value) || value["kind"] !== "Status" || value["apiVersion"] !== "v1" || value["status"] === "Success") return undefined;
  const { message } = value;
  return typeof message === "string" && message !== "" ? message : undefined;
}

function refusalMessage(status: number, text: string): string {
  switch (status) {
    case 400:
      return "the server rejected our request for an unknown reason";
    case 401:
      return "the server has asked for the client to provide credentials";
    case 403:
    case 415:
      return text;
    case 404:
      return "the server could not find the requested resource";
    case 405:
      return "the server does not allow this method on the requested resource";
    case 406:
      return text === "" || text === "unknown" ? "the server was unable to respond with a content type that the client supports" : text;
    case 409:
      return "the server reported a conflict";
    case 422:
      return "the server rejected our request due to an error in our request";
    case 429:
      return "the server has received too many requests and has asked us to try again later";
    case 503:
      return "the server is currently unable to handle the request";
    case 504:
      return "the server was unable to return a response in the time allotted, but may still be processing the request";
    default:
      if (status >= 500) return `an error on the server (${quote(text)}) has prevented the request from succeeding`;
      return `the server responded with the status code ${status} but did not return more information`;
  }
}
