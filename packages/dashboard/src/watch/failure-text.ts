import { ApiError, messageWithCauses } from "@kaji/core";
import { TransportError, explainTransportError } from "@kaji/client";

/** Why a cluster did not give what it was asked for, in one line for who looks at the page. */
export function failureText(error: unknown, cluster: string): string {
  if (error instanceof TransportError) return explainTransportError(error, cluster);
  if (error instanceof ApiError) return error.status.message ?? error.message;
  return error instanceof Error ? messageWithCauses(error) : String(error);
}
