import { defineExtension } from '../extension.ts';
import { kegboardAlarms } from './core/alarm-kinds.ts';
import { kegboardsStore } from './store/kegboards-store.ts';

/** Boards in the network that pair, count by themselves and post device events over HTTP. */
export const kegboards = defineExtension({
  ...kegboardsStore,
  isOnByDefault: true,
  services: async () => (await import('./engine/kegboards.ts')).createKegboards,
  hooks: ({ alarmConditions, reportingControllers, shownPours, deauthorize, endUserGrants, whyInUse }) => ({
    alarmConditions,
    reportingControllers,
    shownPours,
    closeTaps: (now, device) => deauthorize(device === undefined ? {} : { device }, now),
    endUserGrants,
    whyInUse,
  }),
  alarms: kegboardAlarms,
  addresses: ['/admin/kegboards', '/device-event', '/kegboard-event'],
  tags: {
    'device-event':
      'Kegboards report pours, temperatures and tokens here. The bodies are those of the protocol, without `result`.',
    kegboards: 'Kegboards in the network, and their pairing.',
  },
  routes: async () => (await import('./http/kegboard-routes.ts')).kegboardRoutes,
  apis: async () => {
    const { deviceEventsApi } = await import('./http/device-events/api.ts');
    return (parts) => [deviceEventsApi(parts)];
  },
  start: async () => (await import('./daemon/poll-boards.ts')).pollBoards,
  texts: [
    'kegboards.',
    'audit.actions.kegboard.',
    'audit.subjects.kegboard',
    'daemon.problemTexts.kegboard_',
  ],
});
