import { expect, test } from 'vitest';
import { createConfigLoader } from '../../../../src/config/load.ts';
import { metricsGroup } from '../../../../src/extensions/metrics/config/settings-group.ts';

const { parseConfig } = createConfigLoader([metricsGroup]);

test.each<[string, object, string]>([
  [
    'an address of metrics that is none',
    { metrics: { allow_addresses: ['10.0.0.0/8', '192.168.1.0/33'] } },
    'metrics.allow_addresses[1] must be an address or a range such as 192.168.1.0/24',
  ],
  [
    'a short token of metrics',
    { metrics: { token: 'short' } },
    'metrics.token must have at least 16 characters, or be empty',
  ],
  [
    'metrics that nobody may read',
    { metrics: { enabled: true, allow_loopback: false } },
    'metrics.enabled is true, but nobody may read them',
  ],
])('%s is reported', (_, settings, fault) => {
  expect(() => parseConfig(JSON.stringify(settings), 'tapster.json', { env: {} })).toThrow(fault);
});
