import { badRequest, dns1123LabelErrors, dns1123SubdomainErrors, isReason } from "@kaji/core";
import type { ApiError } from "@kaji/core";
import { quote } from "@kaji/core/go";
import { forbiddenAccess, mastersGroup, unescapedExtraKey } from "@kaji/core/serving";
import type { Access, ResourceAccess, SeparateHeaders, UserInfo } from "@kaji/core/serving";
import type { Authorizer } from "./authorizer.ts";

/** Whom a request is to be done as. */
export interface Impersonation {
  readonly user: UserInfo;
  /** The verb that allowed it, unless it was plain `impersonate`. */
  readonly constraint: string | undefined;
}

type Wanted = Required<UserInfo>;

const prefix = "impersonate-";
const extraPrefix = "impersonate-extra-";

/** Whether a request asks to be done as another user. */
export function wantsImpersonation(headers: Readonly<Record<string, string>>): boolean {
  for (const name in headers) if (name.startsWith(prefix)) return true;
  return false;
}

/** Finds out whom the `Impersonate-*` headers of a request name, and whether its sender may act as them; 403 if not. */
export async function impersonate(
  sender: UserInfo,
  headers: SeparateHeaders,
  request: Access,
  authorize: Authorizer,
): Promise<Impersonation | undefined> {
  const wanted = wantedUser(headers);
  if (wanted === undefined) return undefined;
  const require: Require = async (access, prohibition) => {
    const { allowed, reason } = prohibition === undefined ? await authorize(sender, access) : { allowed: false, reason: prohibition };
    if (!allowed) throw forbiddenAccess(sender, access, reason);
  };
  let firstRefusal: ApiError | undefined;
  for (const mode of modesFor(wanted, sender)) {
    try {
      return await tryMode(mode, wanted, request, require);
    } catch (error) {
      if (!isReason(error, "Forbidden")) throw error;
      firstRefusal ??= error;
    }
  }
  throw firstRefusal;
}

/** Refuses with 403 what the sender may not do, and what is prohibited to all, with that reason. */
type Require = (access: Access, prohibition?: string) => Promise<void>;

/**
 * A way to be allowed. All but `legacy` are constrained: the verb itself has to be allowed on behalf of others, too.
 * https://github.com/kubernetes/enhancements/issues/5284
 */
type Mode = "associated-node" | "arbitrary-node" | "serviceaccount" | "user-info" | "legacy";

function modesFor(wanted: Wanted, sender: UserInfo): readonly Mode[] {
  const isPlain = wanted.uid === "" && wanted.groups.length === 0 && Object.keys(wanted.extra).length === 0;
  const [node, account] = [nodeName(wanted.username), accountName(wanted.username)];
  if (node === undefined && account === undefined) return ["user-info", "legacy"];
  if (!isPlain) return ["legacy"];
  if (account !== undefined) return ["serviceaccount", "legacy"];
  const [ownNode, ...more] = sender.extra?.["authentication.kubernetes.io/node-name"] ?? [];
  const isOwn = accountName(sender.username) !== undefined && ownNode === node && more.length === 0;
  return isOwn ? ["associated-node", "arbitrary-node", "legacy"] : ["arbitrary-node", "legacy"];
}

async function tryMode(mode: Mode, wanted: Wanted, request: Access, require: Require): Promise<Impersonation> {
  const isLegacy = mode === "legacy";
  const verb = isLegacy ? "impersonate" : `impersonate:${mode}`;
  if (!isLegacy) await require({ ...request, verb: `impersonate-on:${mode}:${request.verb}` });
  const access = { ...blank, verb, group: isLegacy ? "" : authentication };
  await require(userAccess(mode, wanted.username, access));
  if (wanted.uid !== "") await require({ ...access, group: authentication, resource: "uids", name: wanted.uid });
  for (const group of wanted.groups) {
    // A mode that is meant to narrow what a user may do must not make anyone a member of `system:masters`.
    const prohibition = !isLegacy && group === mastersGroup ? `impersonating the ${mastersGroup} group is not allowed` : undefined;
    await require({ ...access, resource: "groups", name: group }, prohibition);
  }
  for (const [key, values] of Object.entries(wanted.extra)) {
    for (const value of values) await require({ ...access, group: authentication, resource: "userextras", subresource: key, name: value });
  }
  return { user: actualUser(wanted, isLegacy), constraint: isLegacy ? undefined : verb };
}

const authentication = "authentication.k8s.io";
const blank: ResourceAccess = {
  type: "Resource",
  verb: "",
  group: "",
  version: "v1",
  resource: "",
  namespace: undefined,
  name: undefined,
  subresource: undefined,
};

function userAccess(mode: Mode, username: string, access: ResourceAccess): ResourceAccess {
  const node = mode === "legacy" ? undefined : nodeName(username);
  if (node !== undefined) return { ...access, resource: "nodes", name: mode === "associated-node" ? "*" : node };
  const account = accountName(username);
  return account === undefined ? { ...access, resource: "users", name: username } : { ...access, resource: "serviceaccounts", ...account };
}

/** The user as whom the request goes on: of nodes and service accounts the groups are known, and everybody is authenticated or not. */
function actualUser(wanted: Wanted, isLegacy: boolean): UserInfo {
  const { username, uid, extra } = wanted;
  const groups = groupsOf(wanted, isLegacy);
  const [authenticated, unauthenticated] = ["system:authenticated", "system:unauthenticated"] as const;
  const implied = username === "system:anonymous" || groups.includes(unauthenticated) ? unauthenticated : authenticated;
  return {
    username,
    ...(uid === "" ? {} : { uid }),
    groups: groups.includes(implied) ? groups : [...groups, implied],
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

function groupsOf({ username, groups }: Wanted, isLegacy: boolean): readonly string[] {
  const account = accountName(username);
  if (groups.length > 0) return groups;
  if (account !== undefined) return ["system:serviceaccounts", `system:serviceaccounts:${account.namespace}`];
  return !isLegacy && nodeName(username) !== undefined ? ["system:nodes"] : [];
}

function wantedUser(headers: SeparateHeaders): Wanted | undefined {
  const extraHeaders = [...headers].filter(([name]) => name.startsWith(extraPrefix));
  const extra = Object.fromEntries(extraHeaders.map(([name, values]) => [unescapedExtraKey(name.slice(extraPrefix.length)), values]));
  const [username = ""] = headers.get("impersonate-user") ?? [];
  const [uid = ""] = headers.get("impersonate-uid") ?? [];
  const wanted = { username, uid, groups: headers.get("impersonate-group") ?? [], extra };
  if (username !== "") return wanted;
  if (uid === "" && wanted.groups.length === 0 && extraHeaders.length === 0) return undefined;
  throw badRequest(`requested ${inGo(wanted)} without impersonating a user name`);
}

/** The real server shows the value as its own language writes it. */
function inGo({ uid, groups, extra }: Wanted): string {
  const strings = (values: readonly string[]): string =>
    values.length === 0 ? "[]string(nil)" : `[]string{${values.map(quote).join(", ")}}`;
  const entries = Object.entries(extra)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, values]) => `${quote(key)}:${strings(values)}`);
  const map = entries.length === 0 ? "map[string][]string(nil)" : `map[string][]string{${entries.join(", ")}}`;
  return `&user.DefaultInfo{Name:"", UID:${quote(uid)}, Groups:${strings(groups)}, Extra:${map}}`;
}

const nodePrefix = "system:node:";
const accountPrefix = "system:serviceaccount:";

function nodeName(username: string): string | undefined {
  const name = username.startsWith(nodePrefix) ? username.slice(nodePrefix.length) : "";
  return name !== "" && dns1123SubdomainErrors(name).length === 0 ? name : undefined;
}

function accountName(username: string): { readonly namespace: string; readonly name: string } | undefined {
  if (!username.startsWith(accountPrefix)) return undefined;
  const [namespace = "", name = "", ...more] = username.slice(accountPrefix.length).split(":");
  const isValid = more.length === 0 && dns1123LabelErrors(namespace).length === 0 && dns1123SubdomainErrors(name).length === 0;
  return isValid ? { namespace, name } : undefined;
}
