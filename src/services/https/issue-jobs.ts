import type { CertificateNames } from '../../core/certificates/certificate-names.ts';
import type { Validity } from '../../core/certificates/renewal.ts';

/** An authority of this machine: a certificate that people install on their devices, and its key. Both in PEM. */
export interface Authority {
  readonly certificate: string;
  readonly key: string;
  /** The domains below which it may sign. */
  readonly domains: readonly string[];
}

/** A certificate of the server with its key, both in PEM, signed by the authority. */
export interface ServerCertificate {
  readonly certificate: string;
  readonly key: string;
  readonly names: CertificateNames;
}

/** What the child process makes. */
export interface IssueJob {
  /** Null makes one. */
  readonly authority: Authority | null;
  readonly newAuthority: Validity & { readonly name: string; readonly domains: readonly string[] };
  readonly server: Validity & { readonly names: CertificateNames };
}

export interface IssueResult {
  readonly authority: Authority;
  readonly server: ServerCertificate;
}
