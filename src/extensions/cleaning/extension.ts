import { defineExtension } from '../extension.ts';
import { cleaningAlarms } from './core/alarm-kinds.ts';
import { cleaningStore } from './store/cleaning-store.ts';

/** Cleaning of the beer lines: plans, what runs at the taps, and the log. What flows meanwhile is no drink. */
export const cleaning = defineExtension({
  ...cleaningStore,
  isOnByDefault: true,
  services: async () => (await import('./engine/cleanings.ts')).createCleaningServices,
  undoKinds: async () => (await import('./engine/kept-data.ts')).cleaningUndoKinds,
  clockFollowers: async () => [(await import('./engine/kept-data.ts')).followCleaningTimes],
  setAsidePours: async () => [(await import('./engine/kept-data.ts')).cleaningPours],
  hooks: ({ hooks }) => hooks,
  alarms: cleaningAlarms,
  addresses: [
    '/cleanings',
    '/cleaning-plans',
    '/cleaning-presets',
    '/cleaning-suggestions',
    '/cleaning-log.csv',
    '/taps/{ref}/cleaning',
    '/taps/{ref}/cleaning-plans',
  ],
  tags: {
    cleanings: 'Line cleaning: what runs at the taps, and the log.',
    'cleaning-plans': 'How often each line is cleaned, and what is due.',
    'cleaning-presets': 'Usual intervals of cleaning by country.',
    'cleaning-suggestions': 'Pours that look like a cleaning.',
    'cleaning-log.csv': 'The log of cleanings as a table.',
  },
  routes: async () => (await import('./http/routes.ts')).cleaningRoutes,
  start: async () => (await import('./daemon/cleaning-openings.ts')).startCleaningOpenings,
  pages: ['/taps/:id/cleaning', '/cleaning', '/cleaning/log'],
  texts: ['cleaning.', 'export.kinds.cleanings'],
});
