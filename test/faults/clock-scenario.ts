import { loadConfig } from '../../src/config/load.ts';
import type { WallReading } from '../../src/core/clock-rules.ts';
import { createEventBus } from '../../src/core/event-bus.ts';
import { ClockMonitor } from '../../src/daemon/clock-monitor.ts';
import { type Counting, startCounting } from '../../src/daemon/counting.ts';
import { createDatabaseLifecycle, type DatabaseLifecycle } from '../../src/daemon/database-lifecycle.ts';
import { declaredHardware } from '../../src/daemon/declared-hardware.ts';
import { createSimulatedPins, type SimulatedPins } from '../../src/devices/simulated/simulated-pins.ts';
import { systemActor } from '../../src/engine/audit.ts';
import { createClock, type SystemClock } from '../../src/system/clock.ts';
import { createLog } from '../../src/system/log.ts';
import { makeBar } from '../kit/daemon.ts';
import { fourTaps } from './fault-bar.ts';

/** A glass of a night: when its first tick falls, milliseconds after opening. */
export interface PlannedPour {
  readonly atMs: number;
  readonly meter: string;
  readonly ticks: number;
  readonly hz: number;
}

/** What happens to the machine's clock so long after opening: from then on it is wrong by so much. */
export interface ClockEvent {
  readonly atMs: number;
  readonly wrongByMs: number;
  readonly service: WallReading['flagFile'];
}

export interface ClockScenario {
  /** The true time of opening, unix milliseconds. */
  readonly openingMs: number;
  readonly pours: readonly PlannedPour[];
  readonly clock: readonly ClockEvent[];
  /** The plug is pulled: milliseconds after opening. The Pi is back after `forMs`, or the process alone, in the same boot. */
  readonly cuts?: readonly { readonly atMs: number; readonly forMs: number; readonly sameBoot?: boolean }[];
  /** Staff change the bar's time zone. */
  readonly zones?: readonly { readonly atMs: number; readonly timeZone: string }[];
  /** A person tells the time from a phone. */
  readonly manualTimes?: readonly { readonly atMs: number; readonly wrongByMs: number }[];
  readonly lengthMs: number;
}

/** A drink of that night as the ledger has it when the bar is shut. */
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
 * A whole night on paper: the daemon's own counting, journal, ledger and clock keeper, beaten as its rhythm beats them,
 * on a machine whose clocks are the test's. Gives the drinks as they lie in the ledger afterwards, and what is unsound.
 */
export function runScenario(scenario: ClockScenario): {
  readonly drinks: readonly StoredDrink[];
  readonly integrityErrors: readonly string[];
} {
  const bar = makeBar({ ...fourTaps, pour: { idle_ms: idleMs } });
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

  function startDaemon() {
    const bus = createEventBus((fault) => {
      throw fault;
    });
    const clock: SystemClock = createClock({ readings: readings(), buildYear: 2026 });
    let monitor: ClockMonitor | null = null;
    const database: DatabaseLifecycle = createDatabaseLifecycle({
      config,
      bus,
      reportProblem: () => {},
      onOpen(engine) {
        monitor = new ClockMonitor({
          clock,
          clockCorrection: engine.clockCorrection,
          reportProblem: () => {},
          log,
        });
        engine.hardware.provision(declaredHardware(config));
      },
    });
    const pins: SimulatedPins = createSimulatedPins({
      meters: config.meters.map(({ port, pin }) => ({ name: `pi.${port}`, pin })),
      toggles: [],
      nowMonoMs: monoMs,
    });
    const counting: Counting = startCounting({
      config,
      pins: { input: pins, toggles: pins, simulator: null, attempts: [] },
      bus,
      clock,
      pours: () => database.requireEngine().pours,
      reporters: () => () => {},
      log,
    });
    return { clock, database, pins, counting, pollClock: () => monitor?.poll() };
  }

  let daemon = startDaemon();
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
        // Nothing of it is closed: what was not on the disk is gone.
        daemon.database.close();
        nowMs += cut.forMs;
        if (!cut.sameBoot) {
          boot++;
          bootedAtMs = nowMs - 5_000;
        }
        daemon = startDaemon();
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
      integrityErrors: engine.checkDatabase().map(({ what }) => what),
    };
  } finally {
    daemon.database.close();
    bar.remove();
  }
}
