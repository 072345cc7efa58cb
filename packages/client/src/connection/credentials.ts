import type { Clock } from "@kaji/core";
import type { User } from "./connection.ts";
import type { CredentialSource, Credentials, KeyPair } from "./credential-source.ts";
import { TransportError } from "../transport-error.ts";
import { ExecCredentials } from "./exec-credentials.ts";
import { pemOf } from "./pem.ts";
import { reveal } from "./secret.ts";
import { WatchedFile } from "./watched-file.ts";
import type { Reloaded } from "./watched-file.ts";

/** The credentials of a user. */
export function credentialsOf(user: User, clock: Clock): CredentialSource {
  const { certificate, tokenFile, token, basic, exec } = user;
  // As in client-go, a plugin is run only for a user without other credentials.
  if (exec !== undefined && [certificate, tokenFile, token, basic].every((each) => each === undefined))
    return new ExecCredentials(exec, clock);
  const pair = certificate === undefined ? undefined : keyPair(certificate, clock);
  const file = tokenFile === undefined ? undefined : new WatchedFile(tokenFile, "token", clock);
  const fixed = token === undefined ? basicHeader(basic) : `Bearer ${reveal(token).trim()}`;
  let last: Credentials = {};
  const known = (authorization: string | undefined, shown: KeyPair | undefined): Credentials => {
    if (authorization !== last.authorization || shown !== last.certificate) last = { authorization, certificate: shown };
    return last;
  };
  let shownToken = { text: "", header: "" };
  const bearer = (text: string): string => {
    if (shownToken.text !== text) {
      const token = text.trim();
      if (!/^[!-~]+$/.test(token))
        throw new TransportError("Unauthenticated", `the token in ${tokenFile} has characters that no token has`);
      shownToken = { text, header: `Bearer ${token}` };
    }
    return shownToken.header;
  };
  const current = (): Credentials | Promise<Credentials> => {
    const text = file?.read();
    const shown = pair?.read();
    // What has been read of late is there at once.
    if (!(text instanceof Promise) && !(shown instanceof Promise)) return known(text === undefined ? fixed : bearer(text), shown);
    return Promise.all([text, shown]).then(([newText, newPair]) => known(newText === undefined ? fixed : bearer(newText), newPair));
  };
  return {
    current,
    async renew(refused) {
      file?.expire();
      pair?.expire();
      return (await current()) !== refused;
    },
  };
}

/** A certificate and its key; the same object until one of them changes. */
function keyPair({ certificate, key }: NonNullable<User["certificate"]>, clock: Clock): Reloaded<KeyPair> {
  const [certificates, keys] = [pemOf(certificate, "client certificate", clock), pemOf(key, "client key", clock)];
  let last: KeyPair = { certificate: "", key: "" };
  const known = (newCertificate: string, newKey: string): KeyPair => {
    if (newCertificate !== last.certificate || newKey !== last.key) last = { certificate: newCertificate, key: newKey };
    return last;
  };
  return {
    read() {
      const [newCertificate, newKey] = [certificates.read(), keys.read()];
      if (typeof newCertificate === "string" && typeof newKey === "string") return known(newCertificate, newKey);
      return Promise.all([newCertificate, newKey]).then(([readCertificate, readKey]) => known(readCertificate, readKey));
    },
    expire() {
      certificates.expire();
      keys.expire();
    },
  };
}

function basicHeader(basic: User["basic"]): string | undefined {
  if (basic === undefined) return undefined;
  return `Basic ${Buffer.from(`${basic.username}:${reveal(basic.password)}`).toString("base64")}`;
}
