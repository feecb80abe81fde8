import { defineExtension } from '../extension.ts';
import { upstreamGroup } from './config/settings-group.ts';
import { upstreamAlarms } from './core/alarm-kinds.ts';
import { upstreamStore } from './store/upstream-store.ts';

/** Pours and temperatures of this Pi are reported to another Tapster server, which the settings file names. */
export const upstream = defineExtension({
  ...upstreamStore,
  isOnByDefault: false,
  settings: upstreamGroup,
  isConfigured: ({ url }) => url !== '',
  needsConfiguration: true,
  services: async () => (await import('./engine/upstream.ts')).createUpstream,
  clockFollowers: async () => [(await import('./engine/kept-data.ts')).moveQueuedEvents],
  hooks: ({ queuePour, queueTemperatures, waitingReports }) => ({
    drinkRecorded: queuePour,
    temperaturesRead: queueTemperatures,
    waitingReports,
  }),
  alarms: upstreamAlarms,
  addresses: ['/admin/upstream'],
  tags: { upstream: 'Reports to another server.' },
  routes: async () => (await import('./http/routes.ts')).upstreamRoutes,
  start: async () => (await import('./outbox/reporting.ts')).startReporting,
  pages: ['/upstream'],
  healthPart: 'upstream',
  texts: [
    'upstream.',
    'audit.subjects.upstream_event',
    'daemon.problems.upstream',
    'daemon.problemTexts.upstream_',
  ],
});
