import { Informers } from "@kaji/informer";

/** Informers that know only what the server has told them, as those of other frameworks do. */
export class ForgetfulInformers extends Informers {
  override beginWrite(): Disposable {
    return { [Symbol.dispose]: () => {} };
  }

  override observeWrite(): undefined {}

  override observeDeletion(): void {}
}
