/** What a controller that is part of a server has failed at twice in a row. It goes on trying. */
export interface Trouble {
  readonly error: unknown;
  /** The kind of the object. */
  readonly kind: string;
  /** Its name. */
  readonly object: string;
}

/** Is told of what goes wrong where no client is waiting for an answer. */
export type TellTrouble = (trouble: Trouble) => void;
