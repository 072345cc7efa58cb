import { frontProxyName } from "@kaji/apiserver";
import type { LocalApi } from "../upkeep/local-api.ts";

/** Whose certificates (PEM) mean what, as far as there are any. */
export interface TrustedAuthorities {
  /** Of clients themselves. */
  readonly clients: string | undefined;
  /** Of the front proxy, which says who the client is. */
  readonly frontProxy: string | undefined;
}

/** Writes where extension servers find by what they know their clients, and this server when it passes a request on. */
export async function writeAuthenticationConfig(api: LocalApi, { clients, frontProxy }: TrustedAuthorities): Promise<void> {
  await api.apply("/api/v1/namespaces/kube-system/configmaps", {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "extension-apiserver-authentication", namespace: "kube-system" },
    data: {
      ...(clients === undefined ? {} : { "client-ca-file": clients }),
      ...(frontProxy === undefined ? {} : requestHeaders(frontProxy)),
    },
  });
}

/** Each list is JSON, as text. */
function requestHeaders(authority: string): Readonly<Record<string, string>> {
  return {
    "requestheader-allowed-names": JSON.stringify([frontProxyName]),
    "requestheader-client-ca-file": authority,
    "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]',
    "requestheader-group-headers": '["X-Remote-Group"]',
    "requestheader-uid-headers": '["X-Remote-Uid"]',
    "requestheader-username-headers": '["X-Remote-User"]',
  };
}
