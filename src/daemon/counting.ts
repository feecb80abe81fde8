import type { Config } from '../config/schema.ts';
import type { EventBus } from '../core/event-bus.ts';
import type { Clock } from '../core/moment.ts';
import { createMeterFeed, type FeedSnapshot, type MeterFeed } from '../devices/meter-feed.ts';
import type { Pours } from '../engine/engine.ts';
import type { MeterStatus, RunningPour } from '../http/ports.ts';
import { createPourJournal } from '../store/journal/pour-journal.ts';
import { randomIds } from '../system/ids.ts';
import type { Logger } from '../system/log.ts';
import { meterSettings } from './declared-hardware.ts';
import type { HealthReporters } from './health-reporters.ts';
import { lineProblems } from './line-problems.ts';
import { meterLines } from './meter-lines.ts';
import type { Pins } from './pins.ts';
import { PourRecorder } from './pour-recorder.ts';
import { reopenPours } from './reopen-pours.ts';

export interface CountingOptions {
  readonly config: Config;
  readonly pins: Pins;
  readonly bus: EventBus;
  readonly clock: Clock;
  /** Throws while the ledger is closed. */
  readonly pours: () => Pours;
  readonly reporters: HealthReporters;
  readonly log: Logger;
}

/** The way of a tick from the pins to the ledger, with nothing of the page or the network in it. */
export interface Counting {
  /** Every 50 ms: drain, filter, track; ended pours are recorded on the way. */
  everyHeartbeat(): void;
  /** Every second: checkpoint the open pours, try again what the database refused. */
  everySecond(): void;
  /** Every minute: drips into the lifetime totals. */
  everyMinute(): void;
  /** Keeps another source's pours as well; whoever brings it beats it. */
  join(feed: MeterFeed): void;
  /** Ends the pour that runs on a meter now: what flows on is somebody else's. */
  cut(meter: string): void;
  /** Pours that run now, by full meter name. */
  runningPours(): ReadonlyMap<string, RunningPour>;
  lines(): readonly MeterStatus[];
  /** What the feed of our own pins has seen of each wire. */
  snapshot(): FeedSnapshot;
  /** Milliseconds since the pulses were last drained; the watchdog is fed by it. */
  sinceHeartbeatMs(): number;
  /** Ends open pours, records them and lets the pins go. */
  close(): Promise<void>;
}

/** Connects pins, feed, journal and ledger, and takes up what a former run left in the journal. */
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
    reportMeters(`${names} cannot be counted; the log says why. Restart Tapster and report it.`, cause);
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
      // Closed or not readable now: the pour_id keeps a second recording harmless.
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
          'The pins cannot be read; the log says why. Tapster restarts by itself if that lasts.',
          cause,
        );
      }
      toggles.heartbeat();
      const problems = lineProblems(input.faults, relays);
      reportCounting(problems.counting);
      reportToggles(problems.toggles);
    },
    everySecond() {
      // A disk that was away at the start: what it held is finished now, for new pours run on its meters already.
      if (!isReopened) isReopened = reopen(false);
      checkpoint();
      recorder.retry();
    },
    everyMinute: () => recorder.flushDrips(),
    join: (other) => void feeds.push(other),
    cut(meter) {
      for (const one of feeds) one.endPour(meter);
    },
    runningPours: () => new Map(running().map(({ meter, pourId, ticks }) => [meter, { pourId, ticks }])),
    lines: () => meterLines(input),
    snapshot: feed.snapshot,
    sinceHeartbeatMs: () => clock.now().monoMs - lastHeartbeatMonoMs,
    async close() {
      for (const one of feeds) {
        try {
          one.finishAll();
        } catch (err) {
          log.error({ err }, 'the pulses could not be read for the last time');
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
