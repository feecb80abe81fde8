import { defineExtension } from '../extension.ts';
import { metricsGroup } from './config/settings-group.ts';

/** Counters and gauges for Prometheus and the like; the group `metrics` of the settings file says who reads them. */
export const metrics = defineExtension({
  name: 'metrics',
  isOnByDefault: false,
  settings: metricsGroup,
  isConfigured: ({ enabled }) => enabled,
  startsBeforeCounting: true,
  start: async () => (await import('./daemon/start-metrics.ts')).startMetrics,
  listener: {
    path: '/metrics',
    whenOff: 'Metrics are off: set metrics.enabled in the settings file.',
    load: async () => (await import('./daemon/metrics-listener.ts')).createMetricsListener,
  },
  texts: ['metrics.'],
});
