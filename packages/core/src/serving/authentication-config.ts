import { isJsonArray, parseJson } from "../json/json.ts";
import type { RequestHeaderConfig } from "./request-headers.ts";

/** By what the main server says that clients, and it itself, can be known. */
export interface AuthenticationConfig {
  /** Signs the certificates of clients (PEM). Undefined when the main server takes none. */
  readonly clientCa: string | undefined;
  /** Undefined when the main server passes nothing on. */
  readonly requestHeaders: RequestHeaderConfig | undefined;
}

/** Where the main server says it: a ConfigMap. */
export const authenticationConfigMap = { namespace: "kube-system", name: "extension-apiserver-authentication" } as const;

/** Reads the data of that ConfigMap. */
export function authenticationConfigOf(data: Readonly<Record<string, unknown>>): AuthenticationConfig {
  const clientCa = textOf(data, "requestheader-client-ca-file");
  return {
    clientCa: textOf(data, "client-ca-file"),
    requestHeaders:
      clientCa === undefined
        ? undefined
        : {
            clientCa,
            allowedNames: listOf(data, "requestheader-allowed-names"),
            usernameHeaders: listOf(data, "requestheader-username-headers"),
            uidHeaders: listOf(data, "requestheader-uid-headers"),
            groupHeaders: listOf(data, "requestheader-group-headers"),
            extraHeaderPrefixes: listOf(data, "requestheader-extra-headers-prefix"),
          },
  };
}

function textOf(data: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = data[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Each is a JSON array of strings, as text. */
function listOf(data: Readonly<Record<string, unknown>>, key: string): readonly string[] {
  const value = parseJson(textOf(data, key) ?? "[]");
  return isJsonArray(value) ? value.filter((each) => typeof each === "string") : [];
}
