import { ApiError, badRequest, refusal, statusOf } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { quote } from "@kaji/core/go";
import type { Webhook } from "./webhook-configuration.ts";

/** A webhook could not be asked, or gave no sensible answer: how grave that is its configuration says. */
export class WebhookFailure extends Error {
  override readonly name = "WebhookFailure";

  constructor(webhook: string, why: string, cause?: unknown) {
    super(`failed calling webhook ${quote(webhook)}: ${why}`, cause === undefined ? {} : { cause });
  }
}

/** 500: what went wrong is the server's own affair, or that of a webhook. */
export function internalError(message: string): ApiError {
  return refusal("InternalError", `Internal error occurred: ${message}`, { causes: [{ message }] });
}

/** The refusal of a webhook, with all it says, but never as a success. */
export function denial(webhook: string, given: JsonObject = {}): ApiError {
  const deniedBy = `admission webhook ${quote(webhook)} denied the request`;
  const { code, status, message, reason } = given;
  const why = [message, reason].filter((text) => typeof text === "string").find((text) => text !== "");
  const shown = {
    ...given,
    kind: "Status",
    apiVersion: "v1",
    metadata: given["metadata"] ?? {},
    status: status === undefined || status === "" || status === "Success" ? "Failure" : status,
    message: why === undefined ? `${deniedBy} without explanation` : `${deniedBy}: ${why}`,
    code: typeof code === "number" && code >= 400 ? code : 400,
  };
  return new ApiError(statusOf(shown));
}

/** 400: a webhook that does more than answer must not be asked when nothing is to happen. */
export function dryRunUnsupported(webhook: string): ApiError {
  return badRequest(`admission webhook ${quote(webhook)} does not support dry run`);
}

/** Lets a webhook fail that may: it is noted, and undefined is what comes of it. */
export async function orIgnored<T>(
  webhook: Pick<Webhook, "failurePolicy">,
  ask: () => Promise<T>,
  failed: () => void,
): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof WebhookFailure)) throw error;
    if (webhook.failurePolicy !== "Ignore") throw internalError(error.message);
    failed();
    return undefined;
  }
}
