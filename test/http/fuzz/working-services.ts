import { Readable } from 'node:stream';
import { AppError } from '../../../src/core/app-error.ts';
import { createProblem } from '../../../src/core/health/problems.ts';
import type { OpenValve } from '../../../src/http/ports.ts';
import type { HttpServices } from '../../../src/http/services.ts';
import { testOutbox } from '../test-services.ts';
import { workingHardware } from './working-hardware.ts';
import { workingUpdates } from './working-updates.ts';

/** Services of a bar where everything works: valves, wiring, one backup, mail, a simulated meter. */
export function workingServices(): Partial<HttpServices> {
  const backup = {
    name: 'tapster-2026-05-02-170000-manual.tar.gz',
    sizeBytes: 7,
    createdMs: Date.UTC(2026, 4, 2, 17),
    clockSynced: true,
    occasion: 'manual',
    pictureFiles: 0,
    serverName: 'Zum Hahn',
    serverVersion: '0.1.0',
    programVersion: '0.1.0',
    schemaVersion: 1,
    format: 1,
  } as const;
  const open = new Map<string, OpenValve>();
  const findings = [{ topic: 'counts', status: 'ok', text: 'The meter counts.' }] as const;
  return {
    valves: {
      openManually(toggle, ms) {
        open.set(toggle, { toggle, secondsLeft: Math.ceil(ms / 1_000), grantId: null, manual: true });
      },
      shut: (toggle) => void open.delete(toggle),
      open: () => [...open.values()],
    },
    wiring: {
      snapshot: () => ({
        driver: 'simulated',
        description: [createProblem('pins_simulated')],
        findings: [],
        meters: [
          {
            meter: 'pi.flow0',
            pin: 17,
            headerPin: 11,
            level: 0,
            hz: 0,
            ticks: 3_400,
            refused: 0,
            lost: 0,
            shape: 'quiet',
            echoOf: null,
            findings,
          },
        ],
        relays: [{ name: 'pi.relay0', findings }],
        probes: [{ name: '28-0000000000a1', tempC: 6, timeMs: backup.createdMs, findings }],
        boards: [],
        readers: [
          {
            name: 'core.rfid',
            shown: 2,
            findings,
            unreadable: { count: 1, text: '?', timeMs: backup.createdMs },
          },
        ],
      }),
    },
    admin: {
      backups: {
        list: async () => [backup],
        state: () => ({ running: null, problems: [], newestNightlyMs: null }),
        start() {},
        open: async (name) =>
          name === backup.name ? { stream: Readable.from(['archive']), sizeBytes: 7 } : null,
        remove: async (name) => name === backup.name,
      },
      recentLog: () => [
        { id: 1, level: 'info', timeMs: backup.createdMs, message: 'serving', details: '{"port":8080}' },
      ],
      bugReport: async () => 'Tapster 0.1.0',
      restorable: async () => [backup],
      async restore(from) {
        if ('path' in from) throw new AppError('invalid_request', 'The file is not a backup of Tapster.');
        if (from.name !== backup.name) throw new AppError('not_found', 'There is no such backup.');
        return { createdMs: backup.createdMs, hasWrongTotals: false, hasOtherSettings: false };
      },
    },
    machineHardware: workingHardware(),
    updates: workingUpdates(),
    outbox: {
      mailTester: { sendTest: async () => {} },
      webhookTester: { sendTest: async () => {} },
      alarms: { ...testOutbox.alarms, sendTest: async () => {} },
    },
    simulator: {
      meters: ['pi.flow0', 'pi.flow1'],
      pulse() {},
      pour: () => ({ ticks: 2_743, durationMs: 10_333, beerMl: 307.5, gasMl: 185.2 }),
    },
  };
}
