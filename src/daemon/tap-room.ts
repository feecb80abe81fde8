import type { Config } from '../config/schema.ts';
import type { EventBus } from '../core/event-bus.ts';
import type { Clock } from '../core/moment.ts';
import type { ToggleOutput } from '../devices/ports.ts';
import type { Grants } from '../engine/engine.ts';
import type { ValveHand } from '../http/ports.ts';
import type { Logger } from '../system/log.ts';
import { monotonicMs } from '../system/monotonic.ts';
import { GrantDesk } from './grant-desk.ts';
import { openReaders, tapOfReader } from './open-readers.ts';
import type { Tellers } from './tellers.ts';
import { Valves } from './valves.ts';

export interface TapRoomOptions {
  readonly config: Config;
  readonly bus: EventBus;
  readonly clock: Clock;
  /** Throws while the ledger is closed. */
  readonly grants: () => Grants;
  readonly pins: ToggleOutput;
  /** Null where no serial board is configured. */
  readonly serial: ToggleOutput | null;
  /** Ends the pour that runs on a meter. */
  readonly cut: (meter: string) => void;
  readonly tellers: Tellers;
  readonly log: Logger;
}

/** One reader as it is now. */
export interface ReaderNow {
  readonly name: string;
  readonly problem: string | null;
  /** Tokens shown to it since the start. */
  readonly shown: number;
}

/** Readers, valves, and the desk between them. */
export interface TapRoom {
  /** Every 50 ms, after the pulses were drained. */
  beat(): void;
  /** Every second. */
  second(): void;
  readonly hand: ValveHand;
  /** The readers of this machine. */
  readers(): readonly ReaderNow[];
  /** A relay's driver says that it could not be switched. */
  relayTrouble(relay: string, problem: string): void;
  /** Shuts every valve and lets the readers go; pours may still be recorded afterwards. */
  close(): Promise<void>;
}

/** Opens the readers and connects them, by the ledger's leave, with the valves. */
export async function openTapRoom(options: TapRoomOptions): Promise<TapRoom> {
  const { config, bus, clock, grants, pins, serial, cut, tellers, log } = options;
  const controller = config.controller.name;
  const valves = new Valves({
    ...{ controller, pins, serial, nowMonoMs: monotonicMs },
    pinMeters: new Set(config.meters.map(({ port }) => `${controller}.${port}`)),
    tell: tellers('toggles'),
  });
  const desk = new GrantDesk({
    ...{ bus, clock, grants, valves, cut, log },
    tapOf: (reader) => tapOfReader(config, reader),
  });
  const unfollow = desk.follow();
  const readers = await openReaders(config);
  const tellReaders = tellers('readers');
  const shown = new Map<string, number>();

  return {
    beat() {
      for (const reader of readers) {
        const { name, device } = reader;
        for (const { kind, value } of reader.poll(clock.now().monoMs)) {
          const type = kind === 'presented' ? 'token.presented' : 'token.removed';
          if (kind === 'presented') shown.set(name, (shown.get(name) ?? 0) + 1);
          bus.publish({ type, controller, reader: name, device, value });
        }
      }
      desk.beat();
    },
    second() {
      if (readers.length > 0) {
        const problems = readers.flatMap(({ problem }) => problem ?? []);
        tellReaders(problems.length === 0 ? null : problems.join(' '));
      }
      desk.second();
    },
    hand: desk,
    readers: () => readers.map(({ name, problem }) => ({ name, problem, shown: shown.get(name) ?? 0 })),
    relayTrouble: (relay, problem) => valves.told(relay, problem),
    async close() {
      desk.close();
      unfollow();
      await Promise.all(readers.map((reader) => reader.close()));
    },
  };
}
