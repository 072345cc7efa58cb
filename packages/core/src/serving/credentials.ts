/** What a request shows of who sent it. */
export interface Credentials {
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names and values in turn, as they came: what was sent several times is not joined. Absent when nothing came over a network. */
  readonly rawHeaders?: readonly string[] | undefined;
  readonly certificate?: ClientCertificate | undefined;
}

/** The certificate that a client has shown on its connection, and whom it names if an authority we believe has signed it. */
export type ClientCertificate =
  | {
      readonly type: "Trusted";
      readonly commonName: string;
      readonly organizations: readonly string[];
      readonly uid?: string;
      /** SHA-256 of the certificate, in hexadecimal. */
      readonly fingerprint: string;
      /** SHA-256 of the certificates of those who signed it, up to the one we believe. */
      readonly authorities?: readonly string[];
    }
  | { readonly type: "Untrusted" };
