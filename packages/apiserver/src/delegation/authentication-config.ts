import { isJsonObject, parseJson } from "@kaji/core";
import type { JsonObject, Transport } from "@kaji/core";
import { askMainServer } from "./main-server.ts";
import type { RequestHeaderConfig } from "./request-headers.ts";

/** By what the main server says that clients, and it itself, can be known. */
export interface AuthenticationConfig {
  /** Signs the certificates of clients (PEM). Undefined when the main server takes none. */
  readonly clientCa: string | undefined;
  /** Undefined when the main server passes nothing on. */
  readonly requestHeaders: RequestHeaderConfig | undefined;
}

const path = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";

/** Reads from the main server how its extension servers know who sends a request. Rejects when it does not say. */
export async function readAuthenticationConfig(mainServer: Transport): Promise<AuthenticationConfig> {
  const { data } = await askMainServer(mainServer, "GET", path);
  const values = data !== undefined && isJsonObject(data) ? data : {};
  const clientCa = textOf(values, "requestheader-client-ca-file");
  return {
    clientCa: textOf(values, "client-ca-file"),
    requestHeaders:
      clientCa === undefined
        ? undefined
        : {
            clientCa,
            allowedNames: listOf(values, "requestheader-allowed-names"),
            usernameHeaders: listOf(values, "requestheader-username-headers"),
            uidHeaders: listOf(values, "requestheader-uid-headers"),
            groupHeaders: listOf(values, "requestheader-group-headers"),
            extraHeaderPrefixes: listOf(values, "requestheader-extra-headers-prefix"),
          },
  };
}

function textOf(data: JsonObject, key: string): string | undefined {
  const value = data[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Each is a JSON array of strings, as text. */
function listOf(data: JsonObject, key: string): readonly string[] {
  const value = parseJson(textOf(data, key) ?? "[]");
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
