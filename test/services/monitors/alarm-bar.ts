import { SupplyVoltage } from '../../../src/core/alarms/supply-voltage.ts';
import type { PartHealth } from '../../../src/core/health/own-health.ts';
import type { AlarmSources } from '../../../src/daemon/monitors/conditions/detectors.ts';
import { createDetectors } from '../../../src/daemon/monitors/conditions/detectors.ts';
import type { LatestTemperature } from '../../../src/http/ports.ts';
import { AlarmMonitor } from '../../../src/services/monitors/alarm-monitor.ts';
import { minute, pour } from '../../engine/bar.ts';
import { createTestServer, type TestServerOptions } from '../../http/test-server.ts';

export const probeName = '28-0000000000a1';

/** 0.3 L at the meters of the taps. */
const glasses = {
  left: { meter: 'pi.flow0', ticks: 600 },
  right: { meter: 'pi.flow1', ticks: 1_500 },
} as const;

/** A bar whose staff has subscribed to all alarms; its left tap has a thermo sensor. */
export function createAlarmBar(sources: Partial<AlarmSources> = {}, options: TestServerOptions = {}) {
  const server = createTestServer(options);
  const { engine, store } = server;
  store.notifications.mailSettings.write({
    ...store.notifications.mailSettings.read(),
    host: 'mail.bar',
    fromAddress: 'bar@example.org',
  });
  const anna = engine.users.user('anna')!;
  store.users.change({ ...anna, email: 'anna@example.org' });
  const alarms = Object.fromEntries(engine.notifications.alarms.kinds.names.map((kind) => [kind, true]));
  engine.notifications.add(anna, { wants: { keg_tapped: false, ...alarms } });
  const latestTemperatures = new Map<string, LatestTemperature>();
  const parts: PartHealth[] = [];
  const voltage = new SupplyVoltage();
  let newestBackupMs: number | null = null;
  const createMonitor = () =>
    new AlarmMonitor({
      engine: () => engine,
      clock: { now: server.now },
      detectors: createDetectors({
        latestTemperatures: () => latestTemperatures,
        health: () => parts,
        voltage,
        disk: () => null,
        newestBackupMs: () => newestBackupMs,
        backgroundConditions: () => [],
        ...sources,
      }),
      log: { warn() {} } as never,
    });
  let monitor = createMonitor();
  return {
    ...server,
    anna,
    parts,
    voltage,
    /** Lets time pass without polls. */
    passTo(wallMs: number) {
      const now = server.now();
      server.setClock({ monoMs: now.monoMs + wallMs - now.wallMs, wallMs });
    },
    /** Pours 0.3 L now, on the left or the right tap. */
    pourGlass(side: 'left' | 'right') {
      const { meter, ticks } = glasses[side];
      engine.drinks.pours.record(pour(server.now(), { meter, ticks }), 'pin', server.now());
    },
    setNewestBackup(ms: number | null) {
      newestBackupMs = ms;
    },
    restart: () => {
      monitor = createMonitor();
    },
    poll: () => monitor.poll(),
    /** Lets `minutes` pass at a temperature and polls once a minute. */
    atTemp(tempC: number | null, minutes: number) {
      for (let passed = 0; passed < minutes; passed++) {
        const now = server.now();
        server.setClock({ monoMs: now.monoMs + minute, wallMs: now.wallMs + minute });
        if (tempC !== null)
          latestTemperatures.set(probeName, { tempC, timeMs: server.now().wallMs, isStale: false });
        monitor.poll();
        const later = server.now();
        engine.notifications.alarms.sendDue({ ...later, wallMs: later.wallMs + minute / 2 });
      }
    },
    /** The values of all alarms, resolved ones among them, newest first. */
    mailedValues: () =>
      engine.notifications.alarms
        .list({})
        .items.map(({ details }) => JSON.parse(details) as Readonly<Record<string, unknown>>),
    /** The kinds of all alarms, resolved ones among them, newest first. */
    topics: () => engine.notifications.alarms.list({}).items.map(({ kind }) => kind),
    /** The raised alarms. */
    raised: () => engine.notifications.alarms.raised().map(({ kind, subject }) => `${kind} ${subject}`),
  };
}
