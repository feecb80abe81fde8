import type { WallReading } from '../../src/core/clock/clock-rules.ts';
import { createEventBus } from '../../src/core/event-bus.ts';
import { loadConfig } from '../../src/daemon/load-config.ts';
import { createSimulatedPins, type SimulatedPins } from '../../src/devices/simulated/simulated-pins.ts';
import { systemActor } from '../../src/engine/shared/audit.ts';
import { type Counting, startCounting } from '../../src/services/counting/counting.ts';
import { declaredHardware } from '../../src/services/counting/declared-hardware.ts';
import {
  createDatabaseLifecycle,
  type DatabaseLifecycle,
} from '../../src/services/database/database-lifecycle.ts';
import { ClockMonitor } from '../../src/services/monitors/clock-monitor.ts';
import { createClock, type SystemClock } from '../../src/system/clock.ts';
import { createLog } from '../../src/system/log/log.ts';
import { makeBar } from '../kit/daemon.ts';
import { fourTaps } from './fault-bar.ts';

/** A pour of a scenario. `atMs` is its first tick, milliseconds after opening. */
export interface PlannedPour {
  readonly atMs: number;
  readonly meter: string;
  readonly ticks: number;
  readonly hz: number;
}

/** From `atMs` after opening on, the machine's clock is wrong by `wrongByMs`. */
export interface ClockEvent {
  readonly atMs: number;
  readonly wrongByMs: number;
  readonly service: WallReading['flagFile'];
}

export interface ClockScenario {
  /** The true time of opening, Unix milliseconds. */
  readonly openingMs: number;
  readonly pours: readonly PlannedPour[];
  readonly clock: readonly ClockEvent[];
  /** Power cuts. The Pi is back after `forMs` in a new boot; with `sameBoot` only the process restarts. */
  readonly cuts?: readonly { readonly atMs: number; readonly forMs: number; readonly sameBoot?: boolean }[];
  /** Changes of the bar's time zone. */
  readonly zones?: readonly { readonly atMs: number; readonly timeZone: string }[];
  /** The time set manually from a phone. */
  readonly manualTimes?: readonly { readonly atMs: number; readonly wrongByMs: number }[];
  readonly lengthMs: number;
}

/** A drink as stored at the end of the scenario. */
export interface StoredDrink {
  readonly id: number;
  readonly meter: string | null;
  readonly ticks: number;
  readonly durationMs: number;
  readonly pourTimeMs: number;
  readonly timeCertain: boolean;
  readonly sessionId: number | null;
}

export const idleMs = 1_000;

/**
 * Runs a scenario with the daemon's own counting, journal, database and clock monitor, called as the scheduler calls
 * them, on simulated clocks. Returns the stored drinks and the integrity errors of the database.
 */
export async function runScenario(scenario: ClockScenario): Promise<{
  readonly drinks: readonly StoredDrink[];
  readonly integrityErrors: readonly string[];
}> {
  const bar = makeBar({ ...fourTaps, pour: { min_ml: 0, idle_ms: idleMs } });
  const { config } = loadConfig({ path: bar.configFile, env: {}, cwd: bar.path });
  const { log } = createLog({ level: 'fatal', write: () => {} });
  let nowMs = 0;
  let boot = 1;
  let bootedAtMs = -60_000;
  const clockEvent = () => scenario.clock.findLast(({ atMs }) => atMs <= nowMs) ?? scenario.clock[0]!;
  const monoMs = () => nowMs - bootedAtMs;
  const readings = () => ({
    monoMs,
    uptimeMs: monoMs,
    wallMs: () => scenario.openingMs + nowMs + clockEvent().wrongByMs,
    flagFile: () => clockEvent().service,
    bootId: `0000000${boot}-0000-4000-8000-000000000000`,
  });

  async function startDaemon() {
    const bus = createEventBus((fault) => {
      throw fault;
    });
    const clock: SystemClock = createClock({ readings: readings(), buildYear: 2026 });
    const reporters = () => () => {};
    const monitor = new ClockMonitor({ clock, reportProblem: reporters(), log });
    const database: DatabaseLifecycle = await createDatabaseLifecycle({
      config,
      settingsFile: null,
      bus,
      reporters,
      clock,
      log,
      onOpen(engine) {
        monitor.start(engine.drinks.clockCorrection);
        engine.taps.hardware.provision(declaredHardware(config, config, new Map()));
      },
    });
    const pins: SimulatedPins = createSimulatedPins({
      meters: config.meters.map(({ port, pin }) => ({ name: `pi.${port}`, pin })),
      toggles: [],
      nowMonoMs: monoMs,
    });
    const counting: Counting = startCounting({
      config,
      isFlowWhileShut: () => false,
      pins: { input: pins, toggles: pins },
      bus,
      clock,
      database,
      reporters,
      log,
    });
    return {
      clock,
      database,
      pins,
      counting,
      pollClock: () => monitor.poll(database.engine()?.drinks.clockCorrection ?? null),
    };
  }

  let daemon = await startDaemon();
  const isBusy = () =>
    scenario.pours.some(
      ({ atMs, ticks, hz }) => nowMs >= atMs - 1_000 && nowMs <= atMs + (ticks * 1_000) / hz + idleMs + 1_000,
    );
  const listDue = <T extends { readonly atMs: number }>(list: readonly T[] | undefined, untilMs: number) =>
    (list ?? []).filter(({ atMs }) => atMs >= nowMs && atMs < untilMs);
  try {
    let nextSecondMs = 0;
    while (nowMs < scenario.lengthMs) {
      const nextMs = nowMs + (isBusy() ? 50 : 1_000);
      for (const pour of listDue(scenario.pours, nextMs)) daemon.pins.pulse(pour.meter, pour.ticks, pour.hz);
      for (const { wrongByMs } of listDue(scenario.manualTimes, nextMs)) {
        daemon.clock.setManually(scenario.openingMs + nowMs + wrongByMs);
      }
      for (const { timeZone } of listDue(scenario.zones, nextMs)) {
        daemon.database.requireEngine().site.change({ timeZone }, systemActor, daemon.clock.now());
      }
      const [cut] = listDue(scenario.cuts, nextMs);
      if (cut !== undefined) {
        // Only the database is closed: everything that was not written is lost.
        daemon.database.close();
        nowMs += cut.forMs;
        if (!cut.sameBoot) {
          boot++;
          bootedAtMs = nowMs - 5_000;
        }
        daemon = await startDaemon();
        continue;
      }
      nowMs = nextMs;
      daemon.counting.everyHeartbeat();
      if (nowMs >= nextSecondMs) {
        nextSecondMs = nowMs + 1_000;
        daemon.counting.everySecond();
        daemon.pollClock();
      }
    }
    const engine = daemon.database.requireEngine();
    const drinks = engine.drinks.newest(1_000).map(
      ({ id, meter, ticks, durationMs, pourTimeMs, timeCertain, sessionId }): StoredDrink => ({
        id,
        meter,
        ticks,
        durationMs,
        pourTimeMs,
        timeCertain,
        sessionId,
      }),
    );
    return {
      drinks: drinks.sort((a, b) => a.id - b.id),
      integrityErrors: engine.site.checkDatabase().map(({ what }) => what),
    };
  } finally {
    daemon.database.close();
    bar.remove();
  }
}
