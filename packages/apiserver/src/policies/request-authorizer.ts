import type { AuthorizationCheck, AuthorizationDecision, Authorize } from "@kaji/cel";
import { errorMessage, stringifyJson } from "@kaji/core";
import type { Access, UserInfo } from "@kaji/core/serving";
import type { Authorizer } from "../auth/authorizer.ts";

/**
 * Decides the authorization checks of expressions, for one request: each check once. Expressions do not wait, so one whose check takes time is
 * given up, and evaluated anew when the decision is there.
 */
export class RequestAuthorizer {
  readonly #authorize: Authorizer;
  readonly #user: UserInfo;
  readonly #decisions = new Map<string, AuthorizationDecision>();

  constructor(authorize: Authorizer, user: UserInfo) {
    this.#authorize = authorize;
    this.#user = user;
  }

  /** For use by expressions, inside of `evaluate`. */
  readonly check: Authorize = (check) => {
    const key = stringifyJson({
      ...check,
      serviceAccount: check.serviceAccount === undefined ? null : { ...check.serviceAccount },
    });
    const known = this.#decisions.get(key);
    if (known !== undefined) return known;
    const decided = this.#decide(check);
    if (decided instanceof Promise) throw new PendingDecision(decided.then((decision) => this.#decisions.set(key, decision)));
    this.#decisions.set(key, decided);
    return decided;
  };

  /** Evaluates something until every check is decided. There are at most as many as an evaluation can afford. */
  evaluate<T>(evaluation: () => T): T | Promise<T> {
    try {
      return evaluation();
    } catch (error) {
      if (!(error instanceof PendingDecision)) throw error;
      return this.#evaluateAgain(error, evaluation);
    }
  }

  async #evaluateAgain<T>({ settled }: PendingDecision, evaluation: () => T): Promise<T> {
    await settled;
    return this.evaluate(evaluation);
  }

  #decide(check: AuthorizationCheck): AuthorizationDecision | Promise<AuthorizationDecision> {
    const { serviceAccount } = check;
    const user = serviceAccount === undefined ? this.#user : serviceAccountUser(serviceAccount.namespace, serviceAccount.name);
    try {
      const decided = this.#authorize(user, accessOf(check));
      return decided instanceof Promise ? decided.catch(failure) : decided;
    } catch (error) {
      return failure(error);
    }
  }
}

/** Thrown through an evaluation whose check takes time. */
class PendingDecision extends Error {
  override readonly name = "PendingDecision";
  readonly settled: Promise<unknown>;

  constructor(settled: Promise<unknown>) {
    super("the decision is not there yet");
    this.settled = settled;
  }
}

function failure(error: unknown): AuthorizationDecision {
  return { allowed: false, reason: "", error: errorMessage(error) };
}

function accessOf(check: AuthorizationCheck): Access {
  const { type, verb } = check;
  if (type === "Path") return { type, verb, path: check.path };
  const { group, resource, namespace, name, subresource } = check;
  const orAbsent = (text: string): string | undefined => (text === "" ? undefined : text);
  return {
    type,
    verb,
    group,
    version: "*",
    resource,
    subresource: orAbsent(subresource),
    namespace: orAbsent(namespace),
    name: orAbsent(name),
  };
}

function serviceAccountUser(namespace: string, name: string): UserInfo {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
  };
}
