import type { Config } from '../../config/schema.ts';
import type { Clock } from '../../core/clock/moment.ts';
import type { EventBus } from '../../core/event-bus.ts';
import { createMeterFeed, type FeedSnapshot, type MeterFeed } from '../../devices/meter-feed.ts';
import type { Pours } from '../../engine/engine.ts';
import type { MeterStatus, RunningPour } from '../../http/ports.ts';
import { createPourJournal } from '../../store/journal/pour-journal.ts';
import { randomIds } from '../../system/ids.ts';
import type { Logger } from '../../system/log.ts';
import { lineProblems } from '../line-problems.ts';
import type { HealthReporters } from '../monitors/health-reporters.ts';
import { meterSettings } from './declared-hardware.ts';
import { toMeterStatuses } from './meter-statuses.ts';
import type { Pins } from './pins.ts';
import { PourRecorder } from './pour-recorder.ts';
import { reopenPours } from './reopen-pours.ts';

export interface CountingOptions {
  readonly config: Config;
  readonly pins: Pins;
  readonly bus: EventBus;
  readonly clock: Clock;
  /** Throws while the database is closed. */
  readonly pours: () => Pours;
  readonly reporters: HealthReporters;
  readonly log: Logger;
}

/** Counts ticks from the pins to the database, without page or network. */
export interface Counting {
  /** Called every 50 ms: drains, filters and tracks the pulses; records ended pours. */
  everyHeartbeat(): void;
  /** Called every second: checkpoints the open pours, retries what the database refused. */
  everySecond(): void;
  /** Called every minute: adds the drips to the lifetime totals. */
  everyMinute(): void;
  /** Adds another source of pours, which its owner drives. */
  addFeed(feed: MeterFeed): void;
  /** Ends the running pour of a meter: the ticks that follow belong to a new pour. */
  endPour(meter: string): void;
  /** The running pours, by full meter name. */
  runningPours(): ReadonlyMap<string, RunningPour>;
  meterStatuses(): readonly MeterStatus[];
  /** The edges that the feed of the local pins has seen on each line. */
  snapshot(): FeedSnapshot;
  /** Milliseconds since the pulses were last drained, for the watchdog. */
  sinceHeartbeatMs(): number;
  /** Ends open pours, records them and releases the pins. */
  close(): Promise<void>;
}

/**
 * Connects pins, feed, journal and database, and resumes or finishes the pours that an earlier run left in
 * the journal.
 */
export function startCounting(options: CountingOptions): Counting {
  const { config, pins, bus, clock, pours, reporters, log } = options;
  const { input, toggles } = pins;
  const { noise_share: noiseShare, simultaneous_ms: simultaneousMs } = config.judgement;
  const meters = meterSettings(config);
  const { bootId } = clock.now();
  const reportMeters = reporters('counting');
  const brokenMeters = new Set<string>();
  const onFault = (cause: unknown, meter: string) => {
    brokenMeters.add(meter);
    const names = [...brokenMeters].join(', ');
    reportMeters(`${names} cannot be counted; see the log. Restart Tapster and report it.`, cause);
  };
  const feed = createMeterFeed({
    input,
    meters,
    bus,
    ids: randomIds,
    bootId,
    judgement: { noiseShare, simultaneousMs },
    onFault,
  });

  const journal = createPourJournal({ path: `${config.database}.journal` });
  const reportJournal = reporters('disk');
  const recorder = new PourRecorder({
    pours,
    journal,
    clock,
    reportStoring: reporters('storing'),
    reportJournal,
    findSource: (meter) => (meter.startsWith(`${config.controller.name}.`) ? 'pin' : 'serial'),
  });
  const unsubscribe = recorder.subscribe(bus);
  const isRecorded = (pourId: string): boolean => {
    try {
      return pours().knows(pourId);
    } catch {
      // The database is closed or unreadable; if the pour is recorded twice, its pour_id prevents a second
      // drink.
      return false;
    }
  };
  const reopen = (canResume: boolean) =>
    reopenPours({
      journal,
      feed,
      recorder,
      isRecorded,
      now: clock.now(),
      meters: canResume ? meters : [],
      noiseShare,
      reportProblem: reportJournal,
      log,
    });
  let isReopened = reopen(true);

  const reportCounting = reporters('counting');
  const reportSource = reporters('counting');
  const reportToggles = reporters('toggles');
  const relays = new Set(config.toggles.map(({ port }) => `${config.controller.name}.${port}`));
  let lastHeartbeatMonoMs = clock.now().monoMs;
  const feeds = [feed];
  const running = () => feeds.flatMap((one) => one.running());

  function checkpoint(): void {
    try {
      journal.checkpoint(running(), clock.now());
      reportJournal(null);
    } catch (cause) {
      reportJournal(cause instanceof Error ? cause.message : String(cause), cause);
    }
  }

  return {
    everyHeartbeat() {
      try {
        feed.poll();
        lastHeartbeatMonoMs = clock.now().monoMs;
        reportSource(null);
      } catch (cause) {
        reportSource(
          'The pins cannot be read; see the log. Tapster restarts by itself if this lasts.',
          cause,
        );
      }
      toggles.heartbeat();
      const problems = lineProblems(input.faults, relays);
      reportCounting(problems.counting);
      reportToggles(problems.toggles);
    },
    everySecond() {
      // The disk was missing at the start: its pours are finished, not resumed, since new ones may run on
      // their meters.
      if (!isReopened) isReopened = reopen(false);
      checkpoint();
      recorder.retry();
    },
    everyMinute: () => recorder.flushDrips(),
    addFeed: (other) => void feeds.push(other),
    endPour(meter) {
      for (const one of feeds) one.endPour(meter);
    },
    runningPours: () => new Map(running().map(({ meter, pourId, ticks }) => [meter, { pourId, ticks }])),
    meterStatuses: () => toMeterStatuses(input),
    snapshot: feed.snapshot,
    sinceHeartbeatMs: () => clock.now().monoMs - lastHeartbeatMonoMs,
    async close() {
      for (const one of feeds) {
        try {
          one.finishAll();
        } catch (err) {
          log.error({ err }, 'the last pulses could not be read at shutdown');
        }
      }
      recorder.flushDrips();
      unsubscribe();
      await toggles.close();
      await input.close();
      journal.close();
    },
  };
}
