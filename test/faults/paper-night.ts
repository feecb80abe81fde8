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
export interface PlannedGlass {
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

export interface Night {
  /** The true time of opening, unix milliseconds. */
  readonly openingMs: number;
  readonly glasses: readonly PlannedGlass[];
  readonly clock: readonly ClockEvent[];
  /** The plug is pulled: milliseconds after opening. The Pi is back after `forMs`, or the process alone, in the same boot. */
  readonly cuts?: readonly { readonly atMs: number; readonly forMs: number; readonly sameBoot?: boolean }[];
  /** Staff change the bar's time zone. */
  readonly zones?: readonly { readonly atMs: number; readonly timeZone: string }[];
  /** A person tells the time from a phone. */
  readonly told?: readonly { readonly atMs: number; readonly wrongByMs: number }[];
  readonly lengthMs: number;
}

/** A drink of that night as the ledger has it when the bar is shut. */
export interface KeptGlass {
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
export function liveThrough(night: Night): {
  readonly drinks: readonly KeptGlass[];
  readonly unsound: readonly string[];
} {
  const bar = makeBar({ ...fourTaps, pour: { idle_ms: idleMs } });
  const { config } = loadConfig({ path: bar.configFile, env: {}, cwd: bar.path });
  const { log } = createLog({ level: 'fatal', write: () => {} });
  let nowMs = 0;
  let boot = 1;
  let bootedAtMs = -60_000;
  const eventAt = () => night.clock.findLast(({ atMs }) => atMs <= nowMs) ?? night.clock[0]!;
  const monoMs = () => nowMs - bootedAtMs;
  const readings = () => ({
    monoMs,
    uptimeMs: monoMs,
    wallMs: () => night.openingMs + nowMs + eventAt().wrongByMs,
    flagFile: () => eventAt().service,
    bootId: `0000000${boot}-0000-4000-8000-000000000000`,
  });

  function open() {
    const bus = createEventBus((fault) => {
      throw fault;
    });
    const clock: SystemClock = createClock({ readings: readings(), buildYear: 2026 });
    let keeper: ClockMonitor | null = null;
    const ledger: DatabaseLifecycle = createDatabaseLifecycle({
      config,
      bus,
      reportProblem: () => {},
      onOpen(engine) {
        keeper = new ClockMonitor({
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
      pours: () => ledger.requireEngine().pours,
      reporters: () => () => {},
      log,
    });
    return { clock, ledger, pins, counting, look: () => keeper?.poll() };
  }

  let house = open();
  const isBusy = () =>
    night.glasses.some(
      ({ atMs, ticks, hz }) => nowMs >= atMs - 1_000 && nowMs <= atMs + (ticks * 1_000) / hz + idleMs + 1_000,
    );
  const due = <T extends { readonly atMs: number }>(list: readonly T[] | undefined, untilMs: number) =>
    (list ?? []).filter(({ atMs }) => atMs >= nowMs && atMs < untilMs);
  try {
    let untilSecondMs = 0;
    while (nowMs < night.lengthMs) {
      const nextMs = nowMs + (isBusy() ? 50 : 1_000);
      for (const glass of due(night.glasses, nextMs)) house.pins.pulse(glass.meter, glass.ticks, glass.hz);
      for (const { wrongByMs } of due(night.told, nextMs)) {
        house.clock.setManually(night.openingMs + nowMs + wrongByMs);
      }
      for (const { timeZone } of due(night.zones, nextMs)) {
        house.ledger.requireEngine().site.change({ timeZone }, systemActor, house.clock.now());
      }
      const [cut] = due(night.cuts, nextMs);
      if (cut !== undefined) {
        // Nothing of it is closed: what was not on the disk is gone.
        house.ledger.close();
        nowMs += cut.forMs;
        if (!cut.sameBoot) {
          boot++;
          bootedAtMs = nowMs - 5_000;
        }
        house = open();
        continue;
      }
      nowMs = nextMs;
      house.counting.everyHeartbeat();
      if (nowMs >= untilSecondMs) {
        untilSecondMs = nowMs + 1_000;
        house.counting.everySecond();
        house.look();
      }
    }
    const engine = house.ledger.requireEngine();
    const drinks = engine.drinks.newest(1_000).map(
      ({ id, meter, ticks, durationMs, pourTimeMs, timeCertain, sessionId }): KeptGlass => ({
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
      unsound: engine.checkDatabase().map(({ what }) => what),
    };
  } finally {
    house.ledger.close();
    bar.remove();
  }
}
