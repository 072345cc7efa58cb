import type { Impersonation, User } from "../connection/connection.ts";
import { Redacted } from "../connection/secret.ts";
import type { ConfigNode } from "./config-node.ts";
import { readExec } from "./read-exec.ts";
import { readPem, readablePath } from "./read-pem.ts";

/** Who a user entry says we are. `cluster` is what a plugin may be told about. */
export async function readUser(user: ConfigNode, cluster: ConfigNode): Promise<User> {
  const authProvider = user.at("auth-provider");
  if (!authProvider.isAbsent) throw authProvider.error("is not supported; use an exec plugin");
  const [token, username, password] = [secret(user.at("token")), user.at("username").text(), secret(user.at("password"))];
  if (token !== undefined && (username !== undefined || password !== undefined)) {
    throw user.at("token").error("cannot be given together with username and password");
  }
  return {
    certificate: await readCertificate(user),
    token,
    tokenFile: await readablePath(user.at("tokenFile")),
    basic: username === undefined && password === undefined ? undefined : { username: username ?? "", password: password ?? "" },
    exec: user.at("exec").isAbsent ? undefined : await readExec(user.at("exec"), cluster),
    impersonate: readImpersonation(user),
  };
}

async function readCertificate(user: ConfigNode): Promise<User["certificate"]> {
  const [certificate, key] = [await readPem(user, "client-certificate"), await readPem(user, "client-key")];
  if (certificate === undefined && key === undefined) return undefined;
  if (key === undefined) throw user.at("client-key").error("is missing; a client certificate is of no use without its key");
  if (certificate === undefined) throw user.at("client-certificate").error("is missing; a client key is of no use without its certificate");
  return { certificate, key };
}

function readImpersonation(user: ConfigNode): Impersonation | undefined {
  const username = user.at("as").text();
  const extra = user.at("as-user-extra");
  if (username === undefined) {
    const useless = [user.at("as-uid"), user.at("as-groups"), extra].find(({ isAbsent }) => !isAbsent);
    if (useless !== undefined) throw useless.error("needs the user to impersonate, in the field as");
    return undefined;
  }
  const texts = (list: ConfigNode): readonly string[] => list.items().map((item) => item.requiredText());
  return {
    username,
    uid: user.at("as-uid").text(),
    groups: texts(user.at("as-groups")),
    extra: Object.fromEntries(extra.names().map((name) => [name, texts(extra.at(name))])),
  };
}

function secret(node: ConfigNode): Redacted | undefined {
  const text = node.text();
  return text === undefined ? undefined : new Redacted(text);
}
