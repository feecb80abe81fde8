import { createProblem, type Problem } from '../../../../core/health/problems.ts';
import type { Broker } from './broker-client.ts';

/** System errors for a broker that is not reached. */
const unreachable = ['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'ETIMEDOUT', 'EADDRNOTAVAIL'];
/** Errors about the broker's certificate. */
const untrusted =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/;
/** Codes for a wrong user, password or certificate: those of 3.1.1, then those of 5. */
const loginRefused: readonly unknown[] = [4, 5, 134, 135, 140];
/** Codes for an unknown protocol version. */
const versionRefused: readonly unknown[] = [1, 132];

const codeOf = (fault: unknown): unknown => (fault as { readonly code?: unknown } | null)?.code;

/** True when the broker may accept another version of the protocol: it names the version, or closes the connection. */
export function mayBeVersion(fault: unknown): boolean {
  return versionRefused.includes(codeOf(fault)) || codeOf(fault) === undefined;
}

/** What failed when connecting, in words. */
export function toBrokerProblem(fault: unknown, { host, port }: Broker): Problem {
  const code = codeOf(fault);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return createProblem('mqtt_name_unknown', { host });
  if (code === 'ECONNREFUSED') return createProblem('mqtt_refused', { host, port: String(port) });
  if (unreachable.includes(String(code)) || /timeout/i.test((fault as Error | null)?.message ?? ''))
    return createProblem('mqtt_unreachable', { host, port: String(port) });
  if (typeof code === 'string' && untrusted.test(code))
    return createProblem('mqtt_tls_untrusted', { host, code });
  if (typeof code === 'string' && /^(?:ERR_SSL|ERR_TLS|ERR_OSSL|EPROTO)/.test(code))
    return createProblem('mqtt_tls_failed', { host, code });
  if (loginRefused.includes(code)) return createProblem('mqtt_login_refused', { host });
  if (versionRefused.includes(code)) return createProblem('mqtt_version_refused', { host });
  return createProblem('mqtt_closed', { host, port: String(port) });
}

/** True when the broker refused a message because this user may not publish it. */
export const isNotAuthorized = (fault: unknown): boolean => codeOf(fault) === 135;

/** True when the broker refused a message for what it is: a repetition would be refused too. */
export const isMessageRefused = (fault: unknown): boolean =>
  [144, 149, 153].includes(codeOf(fault) as number);
