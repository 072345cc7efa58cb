import { formatKind, objectOf, parseJson, stringifyJson } from "@kaji/core";
import type { KubeObject, ObjectKey, ObjectMeta } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import { deepFreeze } from "../store/deep-freeze.ts";
import { IncomingObject } from "../wire/incoming-object.ts";
import type { Parse } from "../store/stored-object.ts";
import type { View } from "../store/view.ts";

/** How objects are taken in. */
export interface IntakeOptions {
  readonly managedFields: boolean;
  readonly freeze: boolean;
  /** A transform threw, or lost the object's identity. */
  readonly onFailure: (error: unknown, key: ObjectKey) => void;
}

/** Makes of the objects that come in what the view of an informer keeps, and of what is kept what readers get. */
export class Intake<T extends KubeObject> {
  readonly incoming: IncomingObject;
  readonly #view: View<T>;
  readonly #options: IntakeOptions;

  constructor(view: View<T>, options: IntakeOptions) {
    this.#view = view;
    this.#options = options;
    this.incoming = new IncomingObject({
      type: view.resource,
      metadataOnly: view.type === "Metadata",
      managedFields: options.managedFields,
      omit: view.type === "Without" ? view.fields : [],
    });
  }

  /** Whether the incoming object is kept; if so, it is from now on as it is kept. */
  admit(key: ObjectKey): boolean {
    if (this.#view.type !== "Transformed") return true;
    try {
      const original = this.parse.object(this.#incomingText());
      const result = Buffer.from(stringifyJson(this.#view.transform(original as never)));
      const { uid, resourceVersion } = this.incoming;
      this.incoming.scanner.scan(result, 0);
      if (this.incoming.key === key && this.incoming.uid === uid && this.incoming.resourceVersion === resourceVersion) return true;
      throw new TypeError(
        `the transform of ${formatKind(this.#view.resource)} must keep metadata.name, namespace, uid and resourceVersion of ${key}`,
      );
    } catch (error) {
      this.#options.onFailure(error, key);
      return false;
    }
  }

  /** Reads what is kept. */
  readonly parse: Parse<DeepReadonly<T>> = {
    object: (text) => this.#shared(objectOf(parseJson(text)) as DeepReadonly<T>),
    metadata: (text) => this.#shared(objectOf(parseJson(text)) as object as ObjectMeta),
  };

  /** Shared by all readers, and frozen if so configured: a reader that changes it gets an error. */
  #shared<V>(value: V): V {
    return this.#options.freeze ? deepFreeze(value) : value;
  }

  #incomingText(): string {
    const bytes = Buffer.allocUnsafe(this.incoming.size);
    this.incoming.copyTo(bytes, 0);
    return bytes.toString("utf8");
  }
}
