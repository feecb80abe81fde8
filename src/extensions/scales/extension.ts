import { defineExtension } from '../extension.ts';
import { scaleAlarms } from './core/alarm-kinds.ts';
import { scalesStore } from './store/scales-store.ts';

/** Scales under kegs: a second measurement beside the meters. Weights never become drinks. */
export const scales = defineExtension({
  ...scalesStore,
  isOnByDefault: false,
  services: async () => (await import('./engine/scale-services.ts')).createScaleServices,
  undoKinds: async () => (await import('./engine/kept-data.ts')).scaleUndoKinds,
  hooks: ({ hooks }) => hooks,
  alarms: scaleAlarms,
  addresses: ['/scales', '/scale-findings', '/taps/{ref}/keg-weight'],
  tags: {
    scales: 'Scales under kegs, a second measurement beside the meters: weights and findings.',
    'scale-findings': 'Disagreements of scales and meters, which staff close.',
  },
  routes: async () => (await import('./http/routes.ts')).scaleRoutes,
  start: async () => (await import('./daemon/scale-service.ts')).startScaleService,
  texts: ['scales.', 'audit.actions.scale.', 'audit.subjects.scale'],
});
