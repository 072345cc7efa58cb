import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock, systemRandom } from "@kaji/core";
import { authorityConstraints, distinguishedName, extendedKeyUsage, issueAuthority, issueLeaf, keyUsage } from "@kaji/core/x509";

const name = "front-proxy-client";
/** Longer than any test. */
const lifetimeMs = 24 * 60 * 60_000;

/** What lets kube-apiserver pass requests on to the servers of APIServices, and tell them who the client is; its certificates are put into a folder. */
export async function frontProxyFlags(folder: string): Promise<readonly string[]> {
  const issuance = { clock: systemClock, random: systemRandom, notAfterMs: systemClock.now() + lifetimeMs };
  const authority = issueAuthority(distinguishedName("front-proxy"), [authorityConstraints(), keyUsage("keyCertSign")], issuance);
  const client = issueLeaf(authority, distinguishedName(name), [extendedKeyUsage("clientAuth")], issuance);
  const files = { ca: join(folder, "proxy-ca.crt"), cert: join(folder, "proxy.crt"), key: join(folder, "proxy.key") };
  await writeFile(files.ca, authority.cert);
  await writeFile(files.cert, client.cert);
  await writeFile(files.key, client.key);
  return [
    `--requestheader-client-ca-file=${files.ca}`,
    `--requestheader-allowed-names=${name}`,
    "--requestheader-username-headers=X-Remote-User",
    "--requestheader-group-headers=X-Remote-Group",
    "--requestheader-extra-headers-prefix=X-Remote-Extra-",
    `--proxy-client-cert-file=${files.cert}`,
    `--proxy-client-key-file=${files.key}`,
  ];
}
