import { expect, test } from 'vitest';
import { createConfigLoader } from '../../../../src/config/load.ts';
import { upstreamGroup } from '../../../../src/extensions/upstream/config/settings-group.ts';

const { parseConfig } = createConfigLoader([upstreamGroup]);

test.each<[string, object, string]>([
  [
    'an upstream address that is no URL',
    { upstream: { url: 'bar.local/api/device-event', device: 'cellar-pi' } },
    'upstream.url must be a complete URL',
  ],
  [
    'an unencrypted upstream server',
    { upstream: { url: 'http://bar.local/api/device-event', device: 'cellar-pi' } },
    'upstream.url is not encrypted; upstream.allow_plain_http true permits it',
  ],
  [
    'a password in an upstream address',
    { upstream: { url: 'https://a:b@bar.local/api/device-event', device: 'cellar-pi' } },
    'upstream.url must not contain a name or password',
  ],
  [
    'an upstream server without a device name',
    { upstream: { url: 'https://bar.local/api/device-event' } },
    'upstream.device is missing',
  ],
])('%s is reported', (_, settings, fault) => {
  expect(() => parseConfig(JSON.stringify(settings), 'tapster.json', { env: {} })).toThrow(fault);
});
