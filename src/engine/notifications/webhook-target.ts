import { blockedAddressReason, blockedTexts } from '../../core/network/address-rules.ts';
import { validationError } from '../shared/bounds.ts';
import type { EngineSettings } from '../shared/parts.ts';

/** Maximum number of targets, each of which has its own queue. */
export const maxTargets = 10;

/** The settings that decide on targets. */
export type TargetRules = Pick<EngineSettings, 'allowLocalWebhooks' | 'ownAddresses'>;

/** Parses a target URL. Addresses are checked again, and host names resolved and checked, at each call. Throws `invalid_request`. */
export function parseTarget(field: string, text: string, rules: TargetRules): string {
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
  const isLocalhost = /(?:^|\.)localhost\.?$/.test(host);
  const own = rules.ownAddresses ?? (() => []);
  const problem = isLiteral ? blockedAddressReason(host, own()) : isLocalhost ? 'self' : null;
  if (problem !== null && rules.allowLocalWebhooks !== true) {
    throw validationError(
      field,
      `must not be used: ${host} ${blockedTexts[problem]} (webhooks.allow_local in the configuration permits it)`,
    );
  }
  return url.href;
}
