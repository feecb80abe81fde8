import { X509Certificate } from 'node:crypto';
import type { HttpsRequirement } from '../../core/network/https-requirement.ts';
import type { HttpsAdmin, InstallableAuthority } from '../../http/https-ports.ts';
import type { HttpsService } from './https-service.ts';

/** What the HTTP layer tells about HTTPS and does with it. */
export function createHttpsAdmin(https: HttpsService, fixedRequirement: HttpsRequirement | null): HttpsAdmin {
  return {
    isEnabled: true,
    fixedRequirement,
    port: https.port,
    certificate() {
      const { own, certificates } = https.state();
      if (own !== null) return { source: 'own', names: own.names, fromMs: own.fromMs, toMs: own.toMs };
      const { server } = certificates;
      if (server === null) return null;
      const { names, fromMs, toMs } = server;
      return { source: 'tapster', names: [...names.dns, ...names.addresses], fromMs, toMs };
    },
    authority() {
      const { authority } = https.state().certificates;
      return authority === null ? null : toInstallable(authority);
    },
    problems: () => https.state().problems,
    renewNow: https.renewNow,
  };
}

/** The certificate that devices install, and what people compare. */
export function toInstallable({ certificate: pem }: { readonly certificate: string }): InstallableAuthority {
  const certificate = new X509Certificate(pem);
  return {
    name: /^CN=(.*)$/m.exec(certificate.subject)?.[1] ?? '',
    certificate: certificate.toString(),
    fingerprint: certificate.fingerprint256,
    fromMs: Date.parse(certificate.validFrom),
    toMs: Date.parse(certificate.validTo),
  };
}
