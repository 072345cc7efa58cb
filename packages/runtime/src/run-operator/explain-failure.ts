import { KubeconfigError, TransportError, explainTransportError } from "@kaji/client";
import { ApiError, isReason, oneLine } from "@kaji/core";
import { LeaseLostError } from "../election/lease-lost-error.ts";
import { WorkLeftError } from "../election/work-left-error.ts";
import { StartupError } from "../manager/startup-error.ts";
import { ClientAuthoritiesError } from "../certificates/client-authorities.ts";
import { WebhookListenError } from "../webhook/webhook-server.ts";

/** Why a program ended, in one line that says what to do about it; undefined for an unexpected error, which is logged with its stack. */
export function explainFailure(error: unknown, server: string | undefined): string | undefined {
  if (error instanceof StartupError || error instanceof WorkLeftError) return oneLine(error.message);
  if (error instanceof WebhookListenError) return `${oneLine(error.message)}; choose another with --webhook-address`;
  if (error instanceof ClientAuthoritiesError) return `--webhook-client-ca: ${oneLine(error.message)}`;
  if (error instanceof LeaseLostError) return `${oneLine(error.message)}; exiting, to be restarted`;
  if (error instanceof KubeconfigError) return `kubeconfig: ${oneLine(error.message)}`;
  if (error instanceof TransportError) return explainTransportError(error, server ?? "the server");
  if (isReason(error, "Unauthorized")) {
    return `${server ?? "the server"} does not accept the credentials; renew them, or choose another kubeconfig or context`;
  }
  if (error instanceof ApiError) return `the server refused: ${oneLine(error.message)}`;
  return undefined;
}
