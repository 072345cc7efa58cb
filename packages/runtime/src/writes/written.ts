import type { Answer } from "@kaji/client";
import type { KubeObject } from "@kaji/core";

/** What came of a write: the object as the server answered it, parsed when somebody looks at it. */
export class Written<C extends KubeObject> {
  readonly #answer: Answer<C>;
  readonly #version: string | undefined;

  /** The version is known where a mirror has found it in the answer. */
  constructor(answer: Answer<C>, version: string | undefined) {
    this.#answer = answer;
    this.#version = version;
  }

  get object(): C {
    return this.#answer.value;
  }

  get resourceVersion(): string | undefined {
    return this.#version ?? this.object.metadata.resourceVersion;
  }
}
