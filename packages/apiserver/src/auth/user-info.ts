/** Who sent a request. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Whoever sends no credentials. */
export const anonymous: UserInfo = { username: "system:anonymous", groups: ["system:unauthenticated"] };

/** The server's own parts, and whoever holds it in the same process. */
export const systemAdmin: UserInfo = { username: "system:admin", groups: ["system:masters", "system:authenticated"] };
