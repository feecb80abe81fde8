import type { RawSettings } from '../../../config/settings-group.ts';
import { parseAddressRange } from '../../../system/address-ranges.ts';

/** A shorter token could be guessed within a few years at the rate that wrong tokens are answered. */
const minTokenLength = 16;

/** Finds addresses that are none, a token that is too short, and metrics that nobody could read. */
export function metricsFaults({
  enabled,
  allow_loopback: allowsLoopback,
  allow_addresses: addresses = [],
  token = '',
}: RawSettings): string[] {
  const list: readonly unknown[] = Array.isArray(addresses) ? addresses : [];
  const isReadable = allowsLoopback !== false || list.length > 0 || token !== '';
  return [
    ...list.flatMap((address, index) => addressFault(address, index)),
    ...(typeof token === 'string' && token !== '' && token.length < minTokenLength
      ? [`metrics.token must have at least ${minTokenLength} characters, or be empty.`]
      : []),
    ...(enabled === true && !isReadable
      ? [
          'metrics.enabled is true, but nobody may read them: set metrics.allow_loopback, metrics.allow_addresses or metrics.token.',
        ]
      : []),
  ];
}

function addressFault(address: unknown, index: number): string[] {
  if (typeof address !== 'string' || parseAddressRange(address) !== null) return [];
  return [
    `metrics.allow_addresses[${index}] must be an address or a range such as 192.168.1.0/24 or fd00::/8, not ${JSON.stringify(address.slice(0, 64))}.`,
  ];
}
