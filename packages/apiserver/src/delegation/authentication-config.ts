import { objectAt } from "@kaji/core";
import type { Transport } from "@kaji/core";
import { authenticationConfigMap, authenticationConfigOf } from "@kaji/core/serving";
import type { AuthenticationConfig } from "@kaji/core/serving";
import { askMainServer } from "./main-server.ts";

const { namespace, name } = authenticationConfigMap;
const path = `/api/v1/namespaces/${namespace}/configmaps/${name}`;

/** Reads from the main server how its extension servers know who sends a request. Rejects when it does not say. */
export async function readAuthenticationConfig(mainServer: Transport): Promise<AuthenticationConfig> {
  const { data } = await askMainServer(mainServer, "GET", path);
  return authenticationConfigOf(objectAt(data));
}
