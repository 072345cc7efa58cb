import { isReason, unlessGone } from "@kaji/core";
import type { KubeClient } from "@kaji/client";
import { Secret } from "@kaji/types/core/v1";
import { isPair, pemBlocks } from "./certificate.ts";
import { bundleOf, readAuthority, readServingCertificate } from "./rotation.ts";
import type { WebhookKeys } from "./rotation.ts";

/** Where the replicas of an operator share the keys of their webhooks. */
export interface KeysSecret {
  /** What is there now. */
  read(signal: AbortSignal): Promise<StoredKeys>;
  /** Stores keys in place of what was read. Resolves to undefined if another replica was faster: then read again. */
  write(keys: WebhookKeys, inPlaceOf: StoredKeys, signal: AbortSignal): Promise<StoredKeys | undefined>;
}

/** Keys as of one version of the Secret. */
export interface StoredKeys {
  /** Absent if there is no Secret, or if nothing in it can be used. */
  readonly keys?: WebhookKeys;
  /** Absent if there is none. */
  readonly secret?: Secret;
}

/** The Secret of this name, of the type `kubernetes.io/tls`, with the authorities beside the certificate. */
export function keysSecret(client: KubeClient, namespace: string, name: string): KeysSecret {
  let last: StoredKeys = {};
  return {
    async read(signal) {
      const secret = await unlessGone(client.get(Secret, { namespace, name }, { signal }));
      if (secret === undefined) return {};
      // Parsing keys is the most expensive part of a check that finds nothing changed.
      if (secret.metadata.resourceVersion !== last.secret?.metadata.resourceVersion) last = storedKeys(secret);
      return last;
    },
    async write(keys, { secret }, signal) {
      const data = encode(keys);
      try {
        const written =
          secret === undefined
            ? await client.create(Secret, { metadata: { namespace, name }, type: "kubernetes.io/tls", data }, { signal })
            : await client.update(Secret, { ...secret, data: { ...secret.data, ...data } }, { signal });
        return storedKeys(written);
      } catch (error) {
        // NotFound of a create is about the namespace, which a retry does not fix.
        if (secret === undefined ? isReason(error, "AlreadyExists") : isReason(error, "Conflict", "NotFound")) return undefined;
        throw error;
      }
    },
  };
}

function storedKeys(secret: Secret): StoredKeys {
  const keys = decode(secret.data ?? {});
  return { secret, ...(keys === undefined ? {} : { keys }) };
}

/** The names of the fields are those of cert-manager; `ca.key` has the keys of all authorities that may still sign. */
function encode(keys: WebhookKeys): Readonly<Record<string, string>> {
  const texts = {
    "tls.crt": keys.serving.cert,
    "tls.key": keys.serving.key,
    "ca.crt": bundleOf(keys),
    "ca.key": keys.authorities.map(({ key = "" }) => key).join(""),
  };
  return Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, Buffer.from(text).toString("base64")]));
}

/** Undefined for data that is damaged or not of this operator: it is replaced. */
function decode(data: Readonly<Record<string, string>>): WebhookKeys | undefined {
  const text = (field: string): string => Buffer.from(data[field] ?? "", "base64").toString();
  const serving = { cert: text("tls.crt"), key: text("tls.key") };
  const keys = pemBlocks(text("ca.key"), "PRIVATE KEY");
  try {
    const authorities = pemBlocks(text("ca.crt"), "CERTIFICATE").map((cert) => {
      const key = keys.find((each) => isPair({ cert, key: each }));
      return readAuthority(key === undefined ? { cert } : { cert, key });
    });
    return isPair(serving) && authorities.length > 0 ? { authorities, serving: readServingCertificate(serving, authorities) } : undefined;
  } catch {
    return undefined; // A block that is no certificate.
  }
}
