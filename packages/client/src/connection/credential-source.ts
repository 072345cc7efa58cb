/** A certificate and its key, in PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** What is shown to a server at one moment. */
export interface Credentials {
  /** The header of that name. */
  readonly authorization?: string | undefined;
  readonly certificate?: KeyPair | undefined;
}

/** Where credentials come from. */
export interface CredentialSource {
  /** What to show now; the same object until it changes. */
  current(): Promise<Credentials> | Credentials;
  /** After the server has refused these: whether there are others now. */
  renew(refused: Credentials): Promise<boolean>;
}
