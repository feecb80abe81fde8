import type { Config } from '../../config/schema.ts';
import type { Clock } from '../../core/clock/moment.ts';
import type { EventBus } from '../../core/event-bus.ts';
import type { ToggleOutput } from '../../devices/device-interfaces.ts';
import type { Grants } from '../../engine/engine.ts';
import type { ManualValves } from '../../http/ports.ts';
import type { Logger } from '../../system/log.ts';
import { monotonicMs } from '../../system/monotonic.ts';
import type { HealthReporters } from '../monitors/health-reporters.ts';
import { GrantService } from './grant-service.ts';
import { findReaderTap, openReaders } from './open-readers.ts';
import { Valves } from './valves.ts';

export interface ValveControlOptions {
  readonly config: Config;
  readonly bus: EventBus;
  readonly clock: Clock;
  /** Throws while the database is closed. */
  readonly grants: () => Grants;
  readonly pins: ToggleOutput;
  /** Null where no serial board is configured. */
  readonly serial: ToggleOutput | null;
  /** Ends the running pour of a meter. */
  readonly endPour: (meter: string) => void;
  readonly reporters: HealthReporters;
  readonly log: Logger;
}

/** The state of one token reader. */
export interface ReaderStatus {
  readonly name: string;
  readonly problem: string | null;
  /** Tokens presented since the start. */
  readonly shown: number;
}

/** Token readers and valves, connected by the grant service. */
export interface ValveControl {
  /** Called every 50 ms, after the pulses were drained. */
  everyHeartbeat(): void;
  /** Called every second. */
  everySecond(): void;
  readonly manual: ManualValves;
  /** The readers of this machine. */
  readers(): readonly ReaderStatus[];
  /** Reports that a relay's driver could not switch it. */
  reportRelayFailure(relay: string, problem: string): void;
  /** Shuts every valve and closes the readers; pours may still be recorded afterwards. */
  close(): Promise<void>;
}

/** Opens the readers and connects them to the valves; the database decides which token may pour. */
export async function startValveControl(options: ValveControlOptions): Promise<ValveControl> {
  const { config, bus, clock, grants, pins, serial, endPour, reporters, log } = options;
  const controller = config.controller.name;
  const valves = new Valves({
    ...{ controller, pins, serial, nowMonoMs: monotonicMs },
    pinMeters: new Set(config.meters.map(({ port }) => `${controller}.${port}`)),
    reportProblem: reporters('toggles'),
  });
  const grantService = new GrantService({
    ...{ bus, clock, grants, valves, endPour, log },
    findTap: (reader) => findReaderTap(config, reader),
  });
  const unsubscribe = grantService.subscribe();
  const readers = await openReaders(config);
  const reportReaders = reporters('readers');
  const tokenCounts = new Map<string, number>();

  return {
    everyHeartbeat() {
      for (const reader of readers) {
        const { name, device } = reader;
        for (const { kind, value } of reader.poll(clock.now().monoMs)) {
          const type = kind === 'presented' ? 'token.presented' : 'token.removed';
          if (kind === 'presented') tokenCounts.set(name, (tokenCounts.get(name) ?? 0) + 1);
          bus.publish({ type, controller, reader: name, device, value });
        }
      }
      grantService.everyHeartbeat();
    },
    everySecond() {
      if (readers.length > 0) {
        const problems = readers.flatMap(({ problem }) => problem ?? []);
        reportReaders(problems.length === 0 ? null : problems.join(' '));
      }
      grantService.everySecond();
    },
    manual: grantService,
    readers: () => readers.map(({ name, problem }) => ({ name, problem, shown: tokenCounts.get(name) ?? 0 })),
    reportRelayFailure: (relay, problem) => valves.reportFailure(relay, problem),
    async close() {
      grantService.close();
      unsubscribe();
      await Promise.all(readers.map((reader) => reader.close()));
    },
  };
}
