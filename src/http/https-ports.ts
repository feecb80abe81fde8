import type { Problem } from '../core/health/problems.ts';
import type { HttpsRequirement } from '../core/network/https-requirement.ts';

/** The certificate that the server sends. */
export interface ServedCertificate {
  /** Made by Tapster, or brought by the bar. */
  readonly source: 'tapster' | 'own';
  /** DNS names and IP addresses. */
  readonly names: readonly string[];
  readonly fromMs: number;
  readonly toMs: number;
}

/** The authority that devices install. */
export interface InstallableAuthority {
  readonly name: string;
  /** PEM. */
  readonly certificate: string;
  /** SHA-256, as pairs of hexadecimal digits with colons between. */
  readonly fingerprint: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** HTTPS on this machine. */
export interface HttpsAdmin {
  /** False in the demo and where it is switched off. */
  readonly isEnabled: boolean;
  /** The requirement of the configuration file, which wins over the page; null if it has none. */
  readonly fixedRequirement: HttpsRequirement | null;
  /** The port in use; null while HTTPS is not served. */
  port(): number | null;
  /** The certificate in use; null while there is none. */
  certificate(): ServedCertificate | null;
  /** Null until it was made. */
  authority(): InstallableAuthority | null;
  problems(): readonly Problem[];
  /** Makes a new certificate under the same authority now, and compares names and files. */
  renewNow(): Promise<void>;
}

/** HTTPS that is switched off. */
export const httpsOff: HttpsAdmin = {
  isEnabled: false,
  fixedRequirement: null,
  port: () => null,
  certificate: () => null,
  authority: () => null,
  problems: () => [],
  renewNow: async () => {},
};
