import { generateKeyPair } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Random } from "@kaji/core";

/** Somebody the API server knows by a token. */
export interface KubeUser {
  readonly name: string;
  readonly token: string;
}

/** The files and secrets a control plane is started with. */
export interface Credentials {
  /** Member of system:masters: everything is allowed. */
  readonly admin: KubeUser;
  /** Member of no group: nothing is allowed but what everybody may. */
  readonly user: KubeUser;
  readonly tokenFile: string;
  readonly serviceAccountKeyFile: string;
  readonly serviceAccountPublicKeyFile: string;
}

/** Makes up users and the key pair that signs service account tokens, and writes them to the folder for the servers to read. */
export async function createCredentials(folder: string, random: Random): Promise<Credentials> {
  const credentials: Credentials = {
    admin: { name: "admin", token: random.uuid() },
    user: { name: "user", token: random.uuid() },
    tokenFile: join(folder, "tokens.csv"),
    serviceAccountKeyFile: join(folder, "service-account.key"),
    serviceAccountPublicKeyFile: join(folder, "service-account.pub"),
  };
  const { admin, user } = credentials;
  const { privateKey, publicKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  await Promise.all([
    writeFile(
      credentials.tokenFile,
      `${admin.token},${admin.name},${admin.name},system:masters\n${user.token},${user.name},${user.name}\n`,
    ),
    writeFile(credentials.serviceAccountKeyFile, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 }),
    writeFile(credentials.serviceAccountPublicKeyFile, publicKey.export({ type: "spki", format: "pem" })),
  ]);
  return credentials;
}

/** A kubeconfig with one context per user, named like the user; the first is the current one. */
export function formatKubeconfig(server: string, ca: string, users: readonly [KubeUser, ...KubeUser[]]): string {
  return `apiVersion: v1
kind: Config
clusters:
  - name: kube
    cluster:
      server: ${server}
      certificate-authority-data: ${Buffer.from(ca).toString("base64")}
contexts:
${users.map(({ name }) => `  - name: ${name}\n    context: { cluster: kube, user: ${name} }`).join("\n")}
users:
${users.map(({ name, token }) => `  - name: ${name}\n    user: { token: ${token} }`).join("\n")}
current-context: ${users[0].name}
`;
}
