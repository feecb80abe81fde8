import { blockedAddressReason, blockedTexts } from '../../core/rules/address-rules.ts';
import { validationError } from '../shared/bounds.ts';

/** Maximum number of targets, each of which has its own queue. */
export const maxTargets = 10;

/** Parses a target URL. A host name is resolved and checked at each call. Throws `invalid_request`. */
export function parseTarget(field: string, text: string, allowsLocal = false): string {
  const url = text.length <= 2_000 && URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw validationError(field, 'must be a web address (http or https)', { name: 'web_address' });
  }
  if (url.username !== '' || url.password !== '') {
    throw validationError(field, 'must not contain a username or password: messages are signed instead');
  }
  url.hash = '';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLiteral = host.includes(':') || /^[\d.]+$/.test(host);
  const problem = isLiteral ? blockedAddressReason(host) : /(?:^|\.)localhost\.?$/.test(host) ? 'self' : null;
  if (problem !== null && !allowsLocal) {
    throw validationError(
      field,
      `must not be used: ${host} ${blockedTexts[problem]} (webhooks.allow_local in the configuration permits it)`,
    );
  }
  return url.href;
}
