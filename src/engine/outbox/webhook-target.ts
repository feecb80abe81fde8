import { blockedAddressReason } from '../../core/address-rules.ts';
import { validationError } from '../bounds.ts';

/** Each target has its own queue; nobody needs more of them. */
export const maxTargets = 10;

/** An address as it will be called; what it resolves to is looked at when it is. Throws `invalid_request`. */
export function parseTarget(field: string, text: string, allowsLocal = false): string {
  const url = text.length <= 2_000 && URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw validationError(field, 'must be a web address (http or https)', { name: 'web_address' });
  }
  if (url.username !== '' || url.password !== '') {
    throw validationError(field, 'must not contain a name or password: what is sent is signed instead');
  }
  url.hash = '';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLiteral = host.includes(':') || /^[\d.]+$/.test(host);
  const problem = isLiteral
    ? blockedAddressReason(host)
    : /(?:^|\.)localhost\.?$/.test(host)
      ? 'is this machine itself'
      : null;
  if (problem !== null && !allowsLocal) {
    throw validationError(
      field,
      `must not lead here: ${host} ${problem} (webhooks.allow_local in the configuration permits it)`,
    );
  }
  return url.href;
}
