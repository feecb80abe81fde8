import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mergeHardware } from '../../../src/config/merged-hardware.ts';
import { readMeterCatalogue } from '../../../src/config/meter-catalogue.ts';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { joinMessages, textProblem } from '../../../src/core/health/problems.ts';
import { loadConfig } from '../../../src/daemon/load-config.ts';
import { createSimulatedPins } from '../../../src/devices/simulated/simulated-pins.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import { startCounting } from '../../../src/services/counting/counting.ts';
import type { Pins } from '../../../src/services/counting/pins.ts';
import { ChangingHardware } from '../../../src/services/hardware/hardware-in-force.ts';
import { createHardwareService } from '../../../src/services/hardware/hardware-service.ts';
import { createLiveHardware } from '../../../src/services/hardware/live-hardware.ts';
import { readPinEntries } from '../../../src/services/hardware/pin-entries-file.ts';
import { createClock } from '../../../src/system/clock.ts';
import { createLog } from '../../../src/system/log/log.ts';
import { createMachineIdentity } from '../../../src/system/machine-identity.ts';
import { openBar, openingMs } from '../../engine/bar.ts';

const { log } = createLog({ level: 'fatal', write: () => {} });
const catalogue = readMeterCatalogue();

type Bar = ReturnType<typeof openBar>;

/**
 * The meters and relays of a daemon with simulated pins, a real database and a clock that a test advances. The settings file
 * has `flow0` on GPIO 17 and `relay0` on GPIO 23. With the folder and the bar of another rig it is that daemon's next run.
 */
export function createHardwareRig(
  previous: { readonly folder: string; readonly bar: Bar } | null = null,
  file: object = {},
  machineId: string | null = '1'.repeat(32),
) {
  const folder = previous?.folder ?? mkdtempSync(join(tmpdir(), 'hardware-'));
  const bar = previous?.bar ?? openBar();
  const identity = createMachineIdentity(machineId);
  const clock = { ms: 100_000 };
  const path = join(folder, 'tapster.json');
  const meters = [{ port: 'flow0', pin: 17, ticks_per_ml: 1 }];
  const toggles = [{ port: 'relay0', pin: 23 }];
  const settings = { database: 'tapster.db', gpio: { driver: 'simulated' }, meters, toggles, ...file };
  writeFileSync(path, JSON.stringify(settings));
  const { config } = loadConfig({ path, env: {}, cwd: folder });
  const entries = readPinEntries(config.database);
  const hardware = new ChangingHardware(mergeHardware(config, entries, catalogue, identity));
  const problems: (string | null)[] = [];
  const toLines = (parts: readonly { readonly port: string; readonly pin: number }[]) =>
    parts.map(({ port, pin }) => ({ name: `pi.${port}`, pin }));
  const simulated = createSimulatedPins({
    meters: toLines(hardware.meters()),
    toggles: toLines(hardware.toggles()),
    nowMonoMs: () => clock.ms,
  });
  /** GPIO lines that another program has. */
  const takenPins = new Set<number>();
  let lines = hardware.merged as Parameters<Pins['change']>[0];
  const faults = () =>
    [...lines.meters, ...lines.toggles]
      .filter(({ pin }) => takenPins.has(pin))
      .map(({ port, pin }) => ({ name: `pi.${port}`, problem: textProblem(`GPIO ${pin} is taken.`) }));
  const driver = { canChange: true };
  const pins: Pick<Pins, 'input' | 'toggles' | 'canChange' | 'released' | 'change'> = {
    input: Object.defineProperty({ ...simulated }, 'faults', { get: faults }),
    toggles: simulated,
    canChange: () => driver.canChange,
    released: (next) => {
      const kept = next.toggles.map(({ port, pin }) => `${port} ${pin}`);
      const gone = lines.toggles.filter(({ port, pin }) => !kept.includes(`${port} ${pin}`));
      return new Set(gone.map(({ port }) => `pi.${port}`));
    },
    async change(next) {
      lines = next;
      simulated.change({ meters: toLines(next.meters), toggles: toLines(next.toggles) });
    },
  };
  const wallClock = createClock({
    readings: {
      monoMs: () => clock.ms,
      uptimeMs: () => clock.ms,
      wallMs: () => openingMs + clock.ms,
      bootId: 'boot-1',
      flagFile: () => 'unsupported',
    },
  });
  const database = { requireEngine: () => bar.engine };
  const counting = startCounting({
    config,
    hardware,
    pins,
    database,
    log,
    clock: wallClock,
    isFlowWhileShut: () => false,
    bus: createEventBus((fault) => {
      throw fault;
    }),
    reporters: () => () => undefined,
  });
  const storedRelays: string[][] = [];
  const relayList = {
    store: () => void storedRelays.push(hardware.toggles().map(({ port, pin }) => `${port} ${pin}`)),
    storeBoth: (next: Parameters<Pins['change']>[0]) =>
      void storedRelays.push(
        [...hardware.toggles(), ...next.toggles].map(({ port, pin }) => `${port} ${pin}`),
      ),
  };
  const live = createLiveHardware({
    config,
    hardware,
    catalogue,
    pins,
    counting,
    relayList,
    identity,
    log,
    reportProblem: (list) => void problems.push(joinMessages(list)),
  });
  bar.engine.taps.hardware.provision(live.declare(live.merge(bar.engine.taps.pinEntries.list())));
  const stops = { count: 0 };
  const stop = () => {
    stops.count += 1;
  };
  const service = createHardwareService({
    config,
    hardware,
    identity,
    live,
    pins,
    database,
    log,
    isSupervised: true,
    stop,
    thermo: { knownSensors: () => [] },
    scheduler: {
      after(_ms, work) {
        work();
        return () => undefined;
      },
      every: () => () => undefined,
    },
  });
  return {
    folder,
    bar,
    clock,
    config,
    hardware,
    live,
    service,
    counting,
    simulated,
    takenPins,
    driver,
    storedRelays,
    problems,
    stops,
    by: () => ({ actor: systemActor, now: wallClock.now() }),
    /** Runs the heartbeats of `ms` milliseconds. */
    pass(ms: number): void {
      for (const endMs = clock.ms + ms; clock.ms < endMs; ) {
        clock.ms += 50;
        counting.everyHeartbeat();
      }
    },
    drinks: () =>
      bar.engine.drinks.list({ limit: 10 }).items.map(({ meter, ticks, kegId }) => ({ meter, ticks, kegId })),
    async close(): Promise<void> {
      await counting.close();
      bar.store.close();
      rmSync(folder, { recursive: true });
    },
  };
}
