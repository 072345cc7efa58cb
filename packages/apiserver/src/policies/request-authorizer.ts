import type { AuthorizationAnswer, AuthorizationQuestion, Authorize } from "@kaji/cel";
import { stringifyJson } from "@kaji/core";
import type { Access, Authorizer } from "../auth/authorizer.ts";
import type { UserInfo } from "../auth/user-info.ts";

/**
 * Answers what expressions ask about who may do what, for one request: each question is decided once. Expressions do not wait, so one whose
 * question takes time is given up, and evaluated anew when the answer is there.
 */
export class RequestAuthorizer {
  readonly #authorize: Authorizer;
  readonly #user: UserInfo;
  readonly #answers = new Map<string, AuthorizationAnswer>();

  constructor(authorize: Authorizer, user: UserInfo) {
    this.#authorize = authorize;
    this.#user = user;
  }

  /** For use by expressions, inside of `evaluate`. */
  readonly answer: Authorize = (question) => {
    const key = stringifyJson({
      ...question,
      serviceAccount: question.serviceAccount === undefined ? null : { ...question.serviceAccount },
    });
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const decided = this.#decide(question);
    if (decided instanceof Promise) throw new PendingAnswer(decided.then((answer) => this.#answers.set(key, answer)));
    this.#answers.set(key, decided);
    return decided;
  };

  /** Evaluates something until no question is open. There are at most as many as an evaluation can afford to ask. */
  evaluate<T>(evaluation: () => T): T | Promise<T> {
    try {
      return evaluation();
    } catch (error) {
      if (!(error instanceof PendingAnswer)) throw error;
      return this.#evaluateAgain(error, evaluation);
    }
  }

  async #evaluateAgain<T>({ settled }: PendingAnswer, evaluation: () => T): Promise<T> {
    await settled;
    return this.evaluate(evaluation);
  }

  #decide(question: AuthorizationQuestion): AuthorizationAnswer | Promise<AuthorizationAnswer> {
    const { serviceAccount } = question;
    const user = serviceAccount === undefined ? this.#user : serviceAccountUser(serviceAccount.namespace, serviceAccount.name);
    try {
      const decided = this.#authorize(user, accessOf(question));
      return decided instanceof Promise ? decided.catch(failure) : decided;
    } catch (error) {
      return failure(error);
    }
  }
}

/** Thrown through an evaluation whose question takes time. */
class PendingAnswer extends Error {
  override readonly name = "PendingAnswer";
  readonly settled: Promise<unknown>;

  constructor(settled: Promise<unknown>) {
    super("the answer is not there yet");
    this.settled = settled;
  }
}

function failure(error: unknown): AuthorizationAnswer {
  return { allowed: false, reason: "", error: error instanceof Error ? error.message : String(error) };
}

function accessOf(question: AuthorizationQuestion): Access {
  const { type, verb } = question;
  if (type === "Path") return { type, verb, path: question.path };
  const { group, resource, namespace, name, subresource } = question;
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
