import type { Problem } from '../../core/health/problems.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { ToggleOutput } from '../../devices/device-interfaces.ts';
import { monotonicMs } from '../../system/clock-readings.ts';
import type { BaseServices } from '../base-services.ts';
import type { Counting } from '../counting/counting.ts';
import type { DatabaseLifecycle } from '../database/database-lifecycle.ts';
import { BoardTokens } from './board-tokens.ts';
import { createFeatureValves, type FeatureValves } from './feature-valves.ts';
import { shutOnGas } from './gas-shut.ts';
import { GrantService } from './grant-service.ts';
import type { ManualLimit } from './manual-openings.ts';
import { findReaderTap, openReaders } from './open-readers.ts';
import { findValveTaps, type ShutFlow } from './shut-flow.ts';
import { type UnreadableStatus, UnreadableTexts } from './unreadable-texts.ts';
import { Valves } from './valves.ts';

/** The state of one token reader. */
export interface ReaderStatus {
  readonly name: string;
  readonly problem: Problem | null;
  /** The reader belongs to a board. */
  readonly isBoard?: boolean;
  /** Tokens presented since the start. */
  readonly shown: number;
  /** Lines and frames since the start that were no card. */
  readonly unreadable: UnreadableStatus;
}

export type ValveControl = Awaited<ReturnType<typeof startValveControl>>;

/** Opens the readers and connects them to the valves; the database decides which token may pour. */
export async function startValveControl(
  options: Pick<BaseServices, 'config' | 'hardware' | 'bus' | 'clock' | 'reporters' | 'log'> & {
    readonly database: Pick<DatabaseLifecycle, 'requireEngine' | 'engine'>;
    readonly pins: { readonly toggles: ToggleOutput };
    readonly counting: Pick<Counting, 'endPour' | 'sources'>;
    readonly shutFlow: Pick<ShutFlow, 'poll'>;
  },
) {
  const { config, hardware, bus, clock, database, pins, counting, shutFlow, reporters, log } = options;
  const controller = config.controller.name;
  const valves = new Valves({
    controller,
    pins: pins.toggles,
    boards: counting.sources().map(({ toggles }) => toggles),
    nowMonoMs: monotonicMs,
    isPinMeter: (meter) => hardware.meters().some(({ port }) => `${controller}.${port}` === meter),
    reportProblem: reporters('toggles'),
  });
  const grantService = new GrantService({
    bus,
    clock,
    valves,
    log,
    grants: () => database.requireEngine().access.grants,
    endPour: counting.endPour,
    findTap: (reader) => findReaderTap(config, reader),
  });
  const unsubscribe = grantService.subscribe();
  const ignoreGas = shutOnGas({
    bus,
    log,
    valveTaps: () => findValveTaps(database.requireEngine()),
    shut: (toggle) => grantService.shut(toggle),
  });
  bus.on('relay.failed', ({ relay, problem }) => valves.reportFailure(relay, problem));
  const readers = await openReaders(config);
  const reportReaders = reporters('readers');
  const tokenCounts = new Map<string, number>();
  const unreadable = new UnreadableTexts();
  const boardTokens = new BoardTokens();
  const ignoreReports = bus.on('token.reported', (token) => boardTokens.note(token, clock.now()));

  return {
    /** Called every 50 ms, after the pulses were drained. */
    everyHeartbeat(): void {
      for (const reader of readers) {
        const { name, device } = reader;
        const now = clock.now();
        for (const step of reader.poll(now.monoMs)) {
          const token = { controller, reader: name, device, value: step.value };
          if (step.kind === 'removed') {
            bus.publish({ type: 'token.removed', ...token });
            continue;
          }
          tokenCounts.set(name, (tokenCounts.get(name) ?? 0) + 1);
          bus.publish({ type: 'token.presented', ...token, ...omitUndefined({ raw: step.raw }) });
        }
        unreadable.note(name, reader.unreadable, now);
      }
      grantService.everyHeartbeat();
      shutFlow.poll((toggle) => valves.findState(toggle));
    },
    /** Called every second. */
    everySecond(): void {
      const { monoMs } = clock.now();
      reportReaders([
        ...readers.flatMap(({ name, problem }) => problem ?? unreadable.findProblem(name, monoMs) ?? []),
        ...boardTokens.problems(monoMs),
      ]);
      grantService.everySecond();
    },
    /** The relays that a feature may keep open. */
    ofFeature: (feature: string): FeatureValves => createFeatureValves(valves, feature),
    openManually: (toggle: string, ms: number, limit?: ManualLimit): void =>
      grantService.openManually(toggle, ms, limit),
    shut: (toggle: string): void => grantService.shut(toggle),
    open: () => grantService.open(),
    /** The readers of this machine, then the boards that have reported tokens. */
    readers: (): readonly ReaderStatus[] => [
      ...readers.map(({ name, problem }) => ({
        name,
        problem,
        shown: tokenCounts.get(name) ?? 0,
        unreadable: unreadable.of(name),
      })),
      ...boardTokens.readers().map(({ board, ...counts }) => ({
        name: board,
        problem: null,
        isBoard: true,
        ...counts,
      })),
    ],
    /** Shuts every valve and closes the readers; pours may still be recorded afterwards. */
    async close(): Promise<void> {
      grantService.close();
      unsubscribe();
      ignoreGas();
      ignoreReports();
      await Promise.all(readers.map((reader) => reader.close()));
    },
  };
}
