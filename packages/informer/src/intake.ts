import { parseJson, stringifyJson } from "@kaji/core";
import type { KubeObject, ObjectKey } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import { deepFreeze } from "./deep-freeze.ts";
import { IncomingObject } from "./incoming-object.ts";
import type { View } from "./view.ts";

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
      const original = this.parse(this.#incomingText());
      const result = Buffer.from(stringifyJson(this.#view.transform(original as never)));
      const { uid, resourceVersion } = this.incoming;
      this.incoming.scanner.scan(result, 0);
      if (this.incoming.key === key && this.incoming.uid === uid && this.incoming.resourceVersion === resourceVersion) return true;
      throw new TypeError("a transform must keep metadata.name, namespace, uid and resourceVersion");
    } catch (error) {
      this.#options.onFailure(error, key);
      return false;
    }
  }

  /** Reads what is kept. */
  readonly parse = (text: string): DeepReadonly<T> => {
    const object = parseJson(text) as unknown as DeepReadonly<T>;
    return this.#options.freeze ? deepFreeze(object) : object;
  };

  #incomingText(): string {
    const bytes = Buffer.allocUnsafe(this.incoming.size);
    this.incoming.copyTo(bytes, 0);
    return bytes.toString("utf8");
  }
}
