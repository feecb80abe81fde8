import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { loadConfig } from '../../../src/daemon/load-config.ts';
import type { LineFault } from '../../../src/devices/device-interfaces.ts';
import { createSimulatedPins } from '../../../src/devices/simulated/simulated-pins.ts';
import { startCounting } from '../../../src/services/counting/counting.ts';
import { createClock } from '../../../src/system/clock.ts';
import { createLog } from '../../../src/system/log/log.ts';
import { at, openBar } from '../../engine/bar.ts';

const { log } = createLog({ level: 'fatal', write: () => {} });

/** The counting of the daemon on simulated pins, in a folder of its own and with a clock that a test advances. */
export function createCountingRig({
  ports = ['flow0', 'flow1'],
  bar = openBar(),
  idleMs = 5_000,
  driver = 'simulated',
}: {
  readonly ports?: readonly string[];
  /** Default: a bar with two taps, the left one with a full keg of 30 L. */
  readonly bar?: ReturnType<typeof openBar>;
  readonly idleMs?: number;
  /** As whose the stamps of the pins are taken; those of `cdev` are exact. */
  readonly driver?: 'simulated' | 'cdev';
} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'counting-'));
  // After the bar has opened and its keg was put on the tap.
  const clock = { ms: at(0).monoMs + 100_000 };
  const path = join(folder, 'tapster.json');
  const meters = ports.map((port, index) => ({ port, pin: 17 + index }));
  writeFileSync(
    path,
    JSON.stringify({
      database: 'tapster.db',
      gpio: { driver: 'simulated' },
      meters,
      pour: { min_ml: 0, idle_ms: idleMs },
    }),
  );
  const { config } = loadConfig({ path, env: {}, cwd: folder });
  const pins = createSimulatedPins({
    meters: meters.map(({ port, pin }) => ({ name: `pi.${port}`, pin })),
    toggles: [],
    nowMonoMs: () => clock.ms,
  });
  const faults: LineFault[] = [];
  const counting = startCounting({
    config,
    isFlowWhileShut: () => false,
    log,
    bus: createEventBus((fault) => {
      throw fault;
    }),
    clock: createClock({
      readings: {
        monoMs: () => clock.ms,
        uptimeMs: () => clock.ms,
        wallMs: () => at(clock.ms - at(0).monoMs).wallMs,
        bootId: 'boot-1',
        flagFile: () => 'unsupported',
      },
    }),
    reporters: () => () => undefined,
    pins: {
      input: { ...pins, driver, faults },
      toggles: pins,
    },
    database: { requireEngine: () => bar.engine },
  });
  return {
    folder,
    journalPath: `${config.database}.journal`,
    counting,
    pins,
    /** Problems of lines; a test adds and removes them. */
    faults,
    /** Runs the heartbeats of `ms` milliseconds without a call of `everySecond`. */
    heartbeats(ms: number): void {
      for (const endMs = clock.ms + ms; clock.ms < endMs; ) {
        clock.ms += 50;
        counting.everyHeartbeat();
      }
    },
    async close(): Promise<void> {
      await counting.close();
      bar.store.close();
      rmSync(folder, { recursive: true });
    },
  };
}
