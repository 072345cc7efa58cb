import { isJsonObject, parseJson } from "@kaji/core";
import type { OperatorLink } from "./operator-link.ts";
import { steady } from "./write-signature.ts";

/** What there is outside the cluster, as one life of an operator reaches it: each call takes its time, and can be struck like a write. */
export function reachable(external: object, link: Pick<OperatorLink, "call">): object {
  const snapshot = (): string => JSON.stringify(external);
  return new Proxy(external, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: readonly unknown[]) =>
        link.call(`${String(name)}(${argumentsText(args)})`, async () => Reflect.apply(member, target, args), snapshot);
    },
  });
}

function argumentsText(args: readonly unknown[]): string {
  // What ends a call is no part of what is asked.
  const text = parseJson(JSON.stringify({ args: args.filter((arg) => !(arg instanceof AbortSignal)) }));
  const steadyArgs = isJsonObject(text) ? steady(text["args"] ?? null) : null;
  return JSON.stringify(steadyArgs).slice(1, -1);
}
