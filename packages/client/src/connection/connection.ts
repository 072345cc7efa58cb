import type { SecretText } from "./secret.ts";

/** How to reach an API server, and as whom. Files in it are read when they are needed, and again when they change. */
export interface Connection {
  /** Such as `https://10.0.0.1:6443`; if it has a path, all requests go below it. */
  readonly server: string;
  /** Who must have signed the server's certificate. Default: the authorities that Node trusts. */
  readonly certificateAuthority?: PemSource | undefined;
  /** The name that the server's certificate must have. Default: the host in `server`. */
  readonly tlsServerName?: string | undefined;
  /** Accepts any certificate, so that a man in the middle can read and change everything. Default false. */
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /** Such as `http://proxy:3128`. Default: as `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` say. */
  readonly proxyUrl?: SecretText | undefined;
  /** Does not ask for compressed answers: right for a server close by. Default false. */
  readonly disableCompression?: boolean | undefined;
  /** Default: anonymous. */
  readonly user?: User | undefined;
}

/** Certificates or a key in PEM, given or in a file. */
export type PemSource = { readonly type: "Data"; readonly data: SecretText } | { readonly type: "File"; readonly path: string };

/** Who we are to a server. Of the token, the password and the plugin at most one is used: the first that is given, in this order. */
export interface User {
  /** A certificate and its key, shown when a connection is made. */
  readonly certificate?: { readonly certificate: PemSource; readonly key: PemSource } | undefined;
  /** A file with a token that may change. It wins over `token`. */
  readonly tokenFile?: string | undefined;
  readonly token?: SecretText | undefined;
  readonly basic?: { readonly username: string; readonly password: SecretText } | undefined;
  readonly exec?: ExecPlugin | undefined;
  /** The user to impersonate, if the server allows it. */
  readonly impersonate?: Impersonation | undefined;
}

/** The user that requests are made as, instead of the one who is authenticated. */
export interface Impersonation {
  readonly username: string;
  readonly uid?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** A program that prints credentials (client.authentication.k8s.io). */
export interface ExecPlugin {
  readonly apiVersion: "client.authentication.k8s.io/v1" | "client.authentication.k8s.io/v1beta1";
  readonly command: string;
  readonly args?: readonly SecretText[] | undefined;
  /** Set beside the variables of this process. */
  readonly env?: Readonly<Record<string, SecretText>> | undefined;
  /** What to tell a user who does not have the program. */
  readonly installHint?: string | undefined;
  /** Whether the program may ask its user something: never, when we run on a terminal, or not without. Default `IfAvailable`. */
  readonly interactiveMode?: "Never" | "IfAvailable" | "Always" | undefined;
  /** What the program is told of the cluster, which may have secrets in it; absent: nothing. */
  readonly cluster?: (() => Readonly<Record<string, unknown>>) | undefined;
}
