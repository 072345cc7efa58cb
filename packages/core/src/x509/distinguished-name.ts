import { objectIdentifier, sequence, set, utf8String } from "./der.ts";
import { DerError, readDer } from "./der-reader.ts";
import type { DerValue } from "./der-reader.ts";

/** The attributes of a name that certificates of Kubernetes have: a user is a common name, and a group an organization. */
const attributes = { CN: "2.5.4.3", O: "2.5.4.10" };

/** Whom a certificate names, in DER. */
export function distinguishedName(commonName: string, organizations: readonly string[] = []): Uint8Array {
  return sequence(...organizations.map((organization) => attribute("O", organization)), attribute("CN", commonName));
}

/** The organizations of a name in DER, which need not be one of ours. */
export function organizationsOf(name: Uint8Array): readonly string[] {
  const [whole] = readDer(name);
  const parts = readDer(whole?.contents ?? new Uint8Array()).flatMap(({ contents }) => readDer(contents));
  return parts.flatMap(({ contents }) => {
    const [type, text] = readDer(contents);
    const isOrganization = type !== undefined && Buffer.from(type.bytes).equals(objectIdentifier(attributes.O));
    return isOrganization && text !== undefined ? [textOf(text)] : [];
  });
}

/** The encodings of a name's texts, by their tags. */
const encodings = new Map([
  [0x0c, "utf-8"],
  [0x13, "latin1"],
  [0x14, "latin1"],
  [0x16, "latin1"],
  [0x1e, "utf-16be"],
]);

function textOf({ tag, contents }: DerValue): string {
  const encoding = encodings.get(tag);
  if (encoding === undefined) throw new DerError("a text of a name is of an unknown kind");
  return new TextDecoder(encoding).decode(contents);
}

function attribute(type: keyof typeof attributes, text: string): Uint8Array {
  return set(sequence(objectIdentifier(attributes[type]), utf8String(text)));
}
