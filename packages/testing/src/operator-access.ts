import { bodyBytes, bodyFromBytes, bytesText, withGroup } from "@kaji/core";
import type { Transport, TransportResponse } from "@kaji/core";
import { UndeclaredError, UngrantedError, missingDeclaration } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { callSite, callTrace } from "./call-site.ts";
import type { GrantUse } from "./grant-use.ts";
import { operatorUser } from "./operator-account.ts";
import { requestTarget } from "./simulation/request-target.ts";
import type { RequestTarget } from "./simulation/request-target.ts";

/** An operator did what its controllers do not declare. Each refusal is told with the line of code that did it and what to add to a controller. */
export class PermissionError extends Error {
  override readonly name = "PermissionError";
}

/** What an operator asks the API server for, held against what its controllers declare. */
export class OperatorAccess {
  readonly #controllers: readonly Controller[];
  readonly #grants: GrantUse;
  /** What was refused and has not been told. */
  readonly #refusals = new Set<string>();

  constructor(controllers: readonly Controller[], grants: GrantUse) {
    this.#controllers = controllers;
    this.#grants = grants;
  }

  /** The operator's way to the server: what is allowed is counted, and what is not allowed is kept. */
  through(transport: Transport): Transport {
    return async (request) => {
      const target = requestTarget(request);
      if (target === undefined) return await transport(request);
      const trace = callTrace();
      const response = await transport(request);
      const impersonated = request.headers["impersonate-user"];
      if (impersonated !== undefined) return response.status === 403 ? await this.#refusedAs(impersonated, response, trace) : response;
      if (response.status === 403) return await this.#refused(response, target, trace);
      this.#grants.note(target);
      // An apply that makes an object takes the verb for that, too.
      if (response.status === 201) this.#grants.note({ ...target, verb: "create" });
      return response;
    };
  }

  /** Takes note of a failure, if it is for want of a declaration: the runtime says which. */
  failed(error: Error): void {
    if (error instanceof UndeclaredError || error instanceof UngrantedError) this.#keep(error.message, error);
  }

  /** Whether something was refused since it was last asked. */
  get hasRefusals(): boolean {
    return this.#refusals.size > 0;
  }

  /** Throws a `PermissionError` if something was refused since it was last asked. */
  check(): void {
    if (this.#refusals.size === 0) return;
    const told = [...this.#refusals].join("\n");
    this.#refusals.clear();
    throw new PermissionError(told);
  }

  /** A refusal of admission is none of ours: it says the same code in other words. */
  async #refused(response: TransportResponse, target: RequestTarget, trace: Error): Promise<TransportResponse> {
    const bytes = await bodyBytes(response.body);
    const { plural, subresource, namespace } = target;
    const text = bytesText(bytes);
    const verb = ([target.verb, "create"] as const).find((each) => text.includes(`User \\"${operatorUser.username}\\" cannot ${each} `));
    if (verb !== undefined) {
      const where = namespace === undefined ? "" : ` in the namespace ${namespace}`;
      const what = subresource === undefined ? plural : `${plural}/${subresource}`;
      this.#keep(`the operator may not ${verb} ${what}${where}: ${this.#missing({ ...target, verb })}`, trace);
    } else this.#grants.note(target);
    return { ...response, body: bodyFromBytes(bytes) };
  }

  /** What another user may do is none of ours, but whether the operator may act as that one is. */
  async #refusedAs(username: string, response: TransportResponse, trace: Error): Promise<TransportResponse> {
    const bytes = await bodyBytes(response.body);
    if (bytesText(bytes).includes(`User \\"${operatorUser.username}\\" cannot impersonate`)) {
      const resource = username.startsWith("system:serviceaccount:") ? "serviceaccounts" : "users";
      const permission = `{ apiGroup: "", resource: "${resource}", verbs: ["impersonate"] }`;
      this.#keep(`the operator may not act as ${username}: add ${permission} to the permissions of the controller that does`, trace);
    }
    return { ...response, body: bodyFromBytes(bytes) };
  }

  #missing({ verb, group, plural, subresource }: RequestTarget): string {
    const full = subresource === undefined ? verb : `${verb}/${subresource}`;
    const known = this.#controllers.flatMap((controller) => {
      const declared = [controller, ...controller.owns, ...controller.watches, ...controller.uses].map(({ resource }) => resource);
      const resource = declared.find((each) => each.group === group && each.plural === plural);
      return resource === undefined ? [] : [{ controller, resource }];
    });
    const [first] = known;
    if (first !== undefined) return `controller ${first.controller.name}: ${missingDeclaration(first.controller, full, first.resource)}`;
    return `no controller declares ${withGroup(plural, group)}: add use(…, "${full}") to the uses of the one that needs it`;
  }

  #keep(message: string, trace: Error): void {
    const site = callSite(trace, [import.meta.url]);
    this.#refusals.add(site === undefined ? message : `${message}\n    ${site}`);
  }
}
