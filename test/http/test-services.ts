import { AppError } from '../../src/core/app-error.ts';
import { createEventBus } from '../../src/core/event-bus.ts';
import { emptyState } from '../../src/core/updates/update-state.ts';
import { noUpdateCheck, viewUpdates } from '../../src/core/updates/updates-view.ts';
import { httpsOff } from '../../src/http/https-ports.ts';
import type { HttpServices } from '../../src/http/services.ts';
import type { UpdatesAdmin } from '../../src/http/updates-ports.ts';
import { backgroundInTests } from '../kit/extension-cases.ts';
import { manualScheduler } from './live/streams.ts';

const unavailable = (): never => {
  throw new AppError('unavailable', 'This service is not part of the test.');
};

/** Outbox whose tests of mail and webhooks fail. */
export const testOutbox: HttpServices['outbox'] = {
  mailTester: { sendTest: async () => unavailable() },
  webhookTester: { sendTest: async () => unavailable() },
  alarms: {
    sendTest: async () => unavailable(),
    describe: ({ kind, subject }) => ({ title: `${kind}: ${subject}`, paragraphs: ['Something is wrong.'] }),
  },
};

/** Updates of a checkout. */
export const testUpdates: UpdatesAdmin = {
  view: () =>
    viewUpdates({
      running: '0.1.0',
      isPackage: false,
      releases: [],
      state: emptyState,
      request: null,
      check: noUpdateCheck,
    }),
  switchTo: unavailable,
  install: unavailable,
  cancelPlan: unavailable,
  checkNow: async () => unavailable(),
};

/** Services without pours, hardware, log or backups; `change` replaces some of them. */
export function createTestServices(
  change: Partial<HttpServices> & Pick<HttpServices, 'clock'>,
): HttpServices {
  return {
    bus: createEventBus((fault) => {
      throw fault;
    }),
    log: { info() {}, warn() {}, error() {} },
    scheduler: manualScheduler(),
    health: { report: () => ({ parts: [] }) },
    counting: { runningPours: () => new Map(), meterStatuses: () => [], endPour() {} },
    thermo: { latestTemperatures: () => new Map() },
    valves: { openManually: unavailable, shut: unavailable, open: () => [] },
    wiring: {
      snapshot: () => ({
        driver: 'none',
        description: [],
        findings: [],
        meters: [],
        relays: [],
        probes: [],
        boards: [],
        readers: [],
      }),
    },
    machineHardware: {
      snapshot: () => ({
        controller: 'pi',
        driver: 'none',
        isRestartNeeded: false,
        canRestart: false,
        meters: [],
        relays: [],
        probes: [],
        pins: [],
        models: [],
      }),
      add: unavailable,
      change: unavailable,
      remove: unavailable,
      decideRelays: unavailable,
      undo: unavailable,
      restart: unavailable,
    },
    admin: {
      backups: {
        list: async () => [],
        state: () => ({ running: null, problems: [], newestNightlyMs: null }),
        start: unavailable,
        open: async () => null,
        remove: async () => false,
      },
      recentLog: () => [],
      bugReport: async () => '',
      restorable: async () => [],
      restore: async () => unavailable(),
    },
    outbox: testOutbox,
    https: httpsOff,
    backgroundOf: backgroundInTests,
    updates: testUpdates,
    demo: null,
    simulator: null,
    ...change,
  };
}
