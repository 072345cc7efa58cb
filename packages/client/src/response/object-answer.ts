import { ApiError, isRecord, statusOf } from "@kaji/core";
import type { ApiCall, ApiCaller } from "../request/api-caller.ts";
import { TransportError, failedRequest } from "../transport-error.ts";
import { Answer } from "./answer.ts";

/**
 * Makes a request whose answer is an object: a proxy, or the page where it lets people log in, answers 200 with other things too. Of any kind, if none is
 * given: some are asked for by creating an object of another kind, and of some only the success is told.
 */
export async function askForObject<A>(api: ApiCaller, call: ApiCall, kind?: string): Promise<A> {
  const { readAnswer } = call;
  const checked = (value: unknown): A => checkedObject(value, kind, call) as A;
  if (readAnswer === undefined) return checked(await api.json<unknown>(call));
  return api.json<A>({ ...call, readAnswer: (answer) => readAnswer(new Answer(answer.bytes, () => checked(answer.value))) });
}

/** Makes a request whose answer is a document, which is known by its form; `wanted` is what an error calls it. */
export async function askForDocument<A>(api: ApiCaller, call: ApiCall, is: (value: unknown) => value is A, wanted: string): Promise<A> {
  const value = await api.json<unknown>(call);
  if (!is(value)) throw otherAnswer(value, wanted, call);
  return value;
}

function otherAnswer(value: unknown, wanted: string, call: ApiCall): TransportError {
  return new TransportError("Malformed", `the response is ${describe(value)}, not ${wanted}`, { request: failedRequest(call) });
}

function checkedObject(value: unknown, wanted: string | undefined, call: ApiCall): object {
  if (!isRecord(value)) throw otherAnswer(value, "an object of the API", call);
  const { kind, status, metadata } = value;
  if (kind === "Status" && status === "Failure") throw new ApiError(statusOf(value), { request: failedRequest(call) });
  if (kind === undefined ? !isRecord(metadata) : typeof kind !== "string") throw otherAnswer(value, "an object of the API", call);
  if (kind !== undefined && wanted !== undefined && kind !== wanted) throw otherAnswer(value, `of kind ${wanted}`, call);
  return value;
}

/** A value, by nothing but its kind. */
function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (!isRecord(value)) return `a ${typeof value}`;
  const { kind } = value;
  return typeof kind === "string" && /^[A-Za-z0-9]{1,63}$/.test(kind) ? `of kind ${kind}` : "an object without a kind";
}
