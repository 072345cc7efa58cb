/** Who sent a request. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The user of a request without credentials. */
export const anonymous: UserInfo = { username: "system:anonymous", groups: ["system:unauthenticated"] };

/** Whose members may do everything. */
export const mastersGroup = "system:masters";

/** The user of the server itself, and of clients in the same process. */
export const systemAdmin: UserInfo = { username: "system:admin", groups: [mastersGroup, "system:authenticated"] };

/** With the group that everybody has of whom it is known who they are, unless what says who they are says that it is not. */
export function withAuthenticated(user: UserInfo): UserInfo {
  const [authenticated, unauthenticated] = ["system:authenticated", "system:unauthenticated"] as const;
  const { username, groups } = user;
  if (username === anonymous.username || groups.includes(authenticated) || groups.includes(unauthenticated)) return user;
  return { ...user, groups: [...groups, authenticated] };
}
