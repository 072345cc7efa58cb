import { readFile } from "node:fs/promises";
import type { ApiServer, UserInfo } from "@kaji/apiserver";
import type { ApiServerAloneOptions } from "@kaji/cluster";
import { systemClock, systemRandom } from "@kaji/core";
import { parseCsvLine } from "./csv-line.ts";
import { flagList, flagValue } from "./go-flags.ts";
import type { GoFlags } from "./go-flags.ts";
import { readCertificate, servingCertificate } from "./serving-certificate.ts";

/** Flags that do here what they do in kube-apiserver, or that say what is so anyway. */
const known: ReadonlySet<string> = new Set([
  "advertise-address",
  "allow-privileged",
  "authorization-mode",
  "bind-address",
  "cert-dir",
  "client-ca-file",
  "disable-admission-plugins",
  "enable-admission-plugins",
  "etcd-servers",
  "proxy-client-cert-file",
  "proxy-client-key-file",
  "requestheader-client-ca-file",
  "secure-port",
  "service-account-issuer",
  "service-account-key-file",
  "service-account-signing-key-file",
  "service-cluster-ip-range",
  "tls-cert-file",
  "tls-private-key-file",
  "token-auth-file",
]);

/** Flags that kube-apiserver knows and the embedded server does not heed. */
export function ignoredFlags(flags: GoFlags): readonly string[] {
  return [...flags.keys()].filter((name) => !known.has(name));
}

/** Plugins of admission that are asked for, and that a server does not have. */
export function missingPlugins(flags: GoFlags, { registry }: ApiServer): readonly string[] {
  const present = new Set(registry.admission.map(({ name }) => name));
  return flagList(flags, "enable-admission-plugins").filter((name) => !present.has(name));
}

/** What the flags of kube-apiserver ask for. Rejects when a file that they name cannot be read. */
export async function apiServerOptions(flags: GoFlags): Promise<ApiServerAloneOptions> {
  return {
    host: flagValue(flags, "bind-address") ?? "0.0.0.0",
    port: Number(flagValue(flags, "secure-port") ?? 6443),
    serving: await servingCertificate(flags, { clock: systemClock, random: systemRandom }),
    clientCa: await readIfNamed(flags, "client-ca-file"),
    tokens: usersOf((await readIfNamed(flags, "token-auth-file")) ?? ""),
    tokenKey: await readIfNamed(flags, "service-account-signing-key-file"),
    tokenIssuer: flagValue(flags, "service-account-issuer"),
    frontProxy: await frontProxyOf(flags),
    rbac: !flagList(flags, "authorization-mode").includes("AlwaysAllow"),
    serviceAccounts: true,
    withAdmission: flagList(flags, "enable-admission-plugins"),
    withoutAdmission: flagList(flags, "disable-admission-plugins"),
  };
}

async function frontProxyOf(flags: GoFlags): Promise<ApiServerAloneOptions["frontProxy"]> {
  const authority = await readIfNamed(flags, "requestheader-client-ca-file");
  const [cert, key] = [flagValue(flags, "proxy-client-cert-file"), flagValue(flags, "proxy-client-key-file")];
  if (authority === undefined || cert === undefined || key === undefined) return undefined;
  return { authority, client: await readCertificate({ cert, key }) };
}

/** Each line has a token, a user's name and uid and, perhaps, a list of groups. */
function usersOf(text: string): ReadonlyMap<string, UserInfo> {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const [token = "", username = "", uid = "", groups = ""] = parseCsvLine(line);
      return [token, { username, uid, groups: groups.split(",").filter((group) => group !== "") }];
    }),
  );
}

async function readIfNamed(flags: GoFlags, name: string): Promise<string | undefined> {
  const path = flagValue(flags, name);
  return path === undefined ? undefined : readFile(path, "utf8");
}
