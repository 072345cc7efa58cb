import {
  ApiServer,
  byCertificateFrom,
  byRequestHeaders,
  bySubjectAccessReview,
  byTokenReview,
  createAuthority,
  createMemoryStorage,
  definedKind,
  discoveryPaths,
  healthPaths,
  issueServing,
  listen,
  openApiPaths,
  openSqliteStorage,
  readAuthenticationConfig,
} from "@kaji/apiserver";
import type { Authenticator, AuthenticationConfig, Listener } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { definitionOf } from "@kaji/types/tables";
import { systemClock, systemRandom } from "kaji";
import type { Transport } from "kaji";
import { catchKind } from "./catch.ts";
import { Flunder } from "./flunder.ts";
import { register } from "./registration.ts";

/** What the server is made of. */
export interface FlundersOptions {
  /** The way to the server that this one extends. */
  readonly mainServer: Transport;
  /** An address by which the main server reaches this machine. */
  readonly address: string;
  /** Default any free port. */
  readonly port?: number;
  /** Where Flunders are kept. Default in memory, so that they are gone with the server. */
  readonly folder?: string | undefined;
}

const service = { namespace: "wardle", name: "flunders" };
const clock = systemClock;

/** Starts the extension server and registers it. The main server says who its clients are, and what they may do. */
export async function startFlunders({ mainServer, address, port = 0, folder }: FlundersOptions): Promise<AsyncDisposable> {
  const config = await readAuthenticationConfig(mainServer);
  await using starting = new AsyncDisposableStack();
  const server: ApiServer = starting.use(
    new ApiServer({
      storage: folder === undefined ? createMemoryStorage({ clock }) : openSqliteStorage(folder, { clock }),
      kinds: [definedKind(Flunder.crd()), catchKind(() => server)],
      authenticators: [...certificateAuthenticators(config), byTokenReview(mainServer, clock)],
      authorize: bySubjectAccessReview(mainServer, clock),
      paths: healthPaths({ major: "0", minor: "1", gitVersion: "v0.1.0" }),
    }),
  );
  server.addPaths(discoveryPaths(server.kinds));
  server.addPaths(openApiPaths(server.kinds, { definitions: { nameOf: () => undefined, define: definitionOf }, version: "0.1" }));

  const authority = createAuthority("flunders", { clock, random: systemRandom });
  const { cert, key } = issueServing(authority, [`${service.name}.${service.namespace}.svc`], { clock, random: systemRandom });
  const clientCa = [config.clientCa, config.requestHeaders?.clientCa].filter((pem) => pem !== undefined).join("\n");
  const listener: Listener = starting.use(await listen(server, { host: address, port, tls: { cert, key, clientCa } }));

  const client = new KubeClient(mainServer, { fieldManager: "flunders" });
  await register(client, { ...service, address, port: listener.port, authority: authority.cert });
  return starting.move();
}

/** The main server is known by the certificate of the front proxy, other clients by their own. */
function certificateAuthenticators({ clientCa, requestHeaders }: AuthenticationConfig): readonly Authenticator[] {
  return [
    ...(requestHeaders === undefined ? [] : [byRequestHeaders(requestHeaders)]),
    ...(clientCa === undefined ? [] : [byCertificateFrom(clientCa)]),
  ];
}
