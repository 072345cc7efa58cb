import type { Random, TransportRequest, TransportResponse } from "@kaji/core";
import type { KubeClient } from "@kaji/client";
import type { StructuralSchema } from "@kaji/core/define";
import type { Access, Credentials, UserInfo } from "@kaji/core/serving";
import type { ReadingPart } from "../declare/reading-part.ts";
import type { WebhookHandlerOptions } from "../webhook/webhook-handler.ts";
import type { AnyApiQuestion, ApiReply } from "./api-question.ts";
import type { FrontProxy } from "./front-proxy.ts";

/** A kind that an operator serves by itself behind the API server, from what it knows: nothing of it is stored. Pure data and functions: what serves or installs it is elsewhere. */
export interface Api extends ReadingPart {
  readonly type: "Api";
  /** By what it is called beside its names, as discovery has it: alone, and together with others. */
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Whether users who may view everything in a namespace may view it. Metrics are for those who scale by them. */
  readonly isViewed: boolean;
  /** What can be asked of it, as discovery and roles have it. */
  readonly verbs: readonly ("get" | "list")[];
  /** What OpenAPI says of its objects. Undefined: nothing, since it answers with a document, such as the values of a metric. */
  readonly schema: StructuralSchema | undefined;
  /** Answers somebody who may ask. */
  readonly reply: (question: AnyApiQuestion) => Promise<ApiReply>;
  /** Loads what serves it. It comes with the API, so that an operator without one has none of it in its bundle. */
  readonly server: () => Promise<ServeApis>;
}

/** Who asks, and whether they may. */
export interface ApiAccess {
  /** Undefined: nobody whom we believe says so. */
  readonly userOf: (credentials: Credentials) => UserInfo | undefined;
  readonly may: (user: UserInfo, access: Access) => Promise<boolean>;
}

/** What is served, to whom, and what it is made of. */
export interface ApiHandlerOptions extends Pick<WebhookHandlerOptions, "clock" | "log" | "mirrors" | "namespaces" | "reader"> {
  readonly apis: readonly Api[];
  readonly access: ApiAccess;
}

/** Answers a request; what it shows of its sender comes beside it where it came over a network. */
export type ServedHandler = (request: TransportRequest, credentials?: Credentials) => Promise<TransportResponse>;

/** The APIs of an operator, and how it knows who asks. */
export interface OperatorApis {
  readonly frontProxy: FrontProxy;
  /** Answers requests for them, and leaves all others to another handler. */
  readonly handler: (options: Pick<ApiHandlerOptions, "mirrors">, others: ServedHandler) => ServedHandler;
}

/** Serves APIs to the API server that passes requests on, and to nobody else. */
export type ServeApis = (options: ServeApisOptions) => OperatorApis;

/** What they are served with. */
export interface ServeApisOptions extends Omit<ApiHandlerOptions, "access" | "mirrors" | "reader"> {
  readonly client: KubeClient;
  readonly random?: Random | undefined;
}
