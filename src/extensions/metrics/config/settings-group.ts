import { Bool, List, Text } from '../../../config/schema-builders.ts';
import { defineSettings, type SettingsOf } from '../../../config/settings-group.ts';
import { metricsFaults } from './metrics-faults.ts';

/** Who may read `/metrics`, and whether it is served. */
export const metricsGroup = defineSettings({
  name: 'metrics',
  properties: {
    enabled: Bool({
      default: false,
      description:
        'Serve `/metrics` for Prometheus and the like; see [monitoring](monitoring/README.md). It switches the feature `metrics` on; while that is off, nothing is counted.',
    }),
    allow_loopback: Bool({
      default: true,
      description:
        'Serve them to programs on this Pi. Set it to false behind a proxy on this Pi that adds no `X-Forwarded-For`.',
    }),
    allow_addresses: List(
      Text({
        minLength: 1,
        maxLength: 64,
        description: 'An IPv4 or IPv6 address, or a range such as `192.168.1.0/24` or `fd00::/8`.',
      }),
      {
        maxItems: 32,
        default: [],
        description:
          'Serve them to these addresses without a token. The address of the connection counts; requests through a proxy need the token.',
      },
    ),
    token: Text({
      minLength: 0,
      maxLength: 256,
      pattern: '^[!-~]*$',
      secret: true,
      default: '',
      description:
        'Serve them to whoever sends `Authorization: Bearer` with this secret, of at least 16 characters; empty: nobody. It is never shown.',
    }),
  },
  findFaults: metricsFaults,
});

export type MetricsSettings = SettingsOf<typeof metricsGroup>;
