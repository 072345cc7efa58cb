import { createHash } from "node:crypto";
import type { KubeClient } from "@kaji/client";
import { RecentMap } from "@kaji/core";
import type { Clock } from "@kaji/core";
import { TokenReview } from "@kaji/types/authentication/v1";
import type { UserInfo } from "@kaji/types/authentication/v1";
import { SubjectAccessReview } from "@kaji/types/authorization/v1";

/** Whether the bearer of a token may read a path. */
export type PathAccess = "Allowed" | "Unauthenticated" | "Forbidden";

/** What an access review works with. */
export interface AccessReviewOptions {
  readonly client: Pick<KubeClient, "create">;
  readonly clock: Clock;
}

/** How long answers of the server are believed: as long as controller-runtime does. */
const [userMs, allowedMs, deniedMs] = [60_000, 300_000, 30_000];
const mostAnswers = 1000;

/** Asks the API server whose token it is, and whether that user may read a path, as `nonResourceURLs` of roles say. */
export class AccessReview {
  readonly #options: AccessReviewOptions;
  readonly #users: AnswerCache<UserInfo | undefined>;
  readonly #decisions: AnswerCache<boolean>;

  constructor(options: AccessReviewOptions) {
    this.#options = options;
    this.#users = new AnswerCache(options.clock);
    this.#decisions = new AnswerCache(options.clock);
  }

  async check(token: string | undefined, path: string): Promise<PathAccess> {
    if (token === undefined) return "Unauthenticated";
    // Not the token itself: what is kept in memory for a minute may end in a dump.
    const digest = createHash("sha256").update(token).digest("base64");
    const user = await this.#users.get(
      digest,
      () => this.#userOf(token),
      () => userMs,
    );
    if (user === undefined) return "Unauthenticated";
    const isAllowed = await this.#decisions.get(
      `${digest} ${path}`,
      () => this.#isAllowed(user, path),
      (allowed) => (allowed ? allowedMs : deniedMs),
    );
    return isAllowed ? "Allowed" : "Forbidden";
  }

  async #userOf(token: string): Promise<UserInfo | undefined> {
    const { status } = await this.#options.client.create(TokenReview, { metadata: { name: "" }, spec: { token } });
    return status?.authenticated === true ? (status.user ?? {}) : undefined;
  }

  async #isAllowed({ username, groups, uid, extra }: UserInfo, path: string): Promise<boolean> {
    const spec = {
      nonResourceAttributes: { path, verb: "get" },
      ...(username === undefined ? {} : { user: username }),
      ...(groups === undefined ? {} : { groups }),
      ...(uid === undefined ? {} : { uid }),
      ...(extra === undefined ? {} : { extra }),
    };
    const { status } = await this.#options.client.create(SubjectAccessReview, { metadata: { name: "" }, spec });
    return status?.allowed === true;
  }
}

/** Answers that hold for a while. */
class AnswerCache<T> {
  readonly #clock: Clock;
  readonly #answers = new RecentMap<string, { readonly value: T; readonly untilMs: number }>(mostAnswers);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async get(key: string, ask: () => Promise<T>, lifetimeMs: (value: T) => number): Promise<T> {
    const known = this.#answers.get(key);
    if (known !== undefined && known.untilMs > this.#clock.monotonic()) return known.value;
    const value = await ask();
    this.#answers.delete(key);
    this.#answers.set(key, { value, untilMs: this.#clock.monotonic() + lifetimeMs(value) });
    return value;
  }
}
