import type { MeterConfig } from '../../config/schema.ts';
import { createProblem, textProblem } from '../../core/health/problems.ts';
import { toProblems } from '../../core/health/to-problems.ts';
import { createMeasuring, type Measuring } from '../../core/measurements.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { KeptCounter } from '../../core/pours/counter-position.ts';
import type { MeterPour } from '../../core/pours/meter-pour.ts';
import type { EndedPour } from '../../core/pours/pour.ts';
import { findDriver } from '../../devices/gpio/drivers/list.ts';
import { createMeterFeed } from '../../devices/meter-feed.ts';
import { createPourJournal } from '../../store/journal/pour-journal.ts';
import { randomIds } from '../../system/ids.ts';
import type { BaseServices } from '../base-services.ts';
import type { DatabaseLifecycle } from '../database/database-lifecycle.ts';
import { fixedHardware, type HardwareInForce } from '../hardware/hardware-in-force.ts';
import { measureJournal } from '../measured-work.ts';
import { meterSettings } from './declared-hardware.ts';
import { followFirstCheckpoints } from './first-checkpoints.ts';
import { joinSources } from './joined-sources.ts';
import { journaledCounters } from './kept-counters.ts';
import { lineProblems, toMeterStatuses } from './meter-statuses.ts';
import type { Pins } from './pins.ts';
import { PourRecorder } from './pour-recorder.ts';
import { reopenPours } from './reopen-pours.ts';

/** Counts ticks from the pins to the database, without page or network. */
export type Counting = ReturnType<typeof startCounting>;

/**
 * Connects pins, feed, journal and database, and resumes or finishes the pours that an earlier run left in
 * the journal.
 */
export function startCounting(
  options: Pick<BaseServices, 'config' | 'bus' | 'clock' | 'reporters' | 'log'> & {
    readonly pins: Pick<Pins, 'input' | 'toggles'>;
    /** How long pours on meters of other sources stay open for them, milliseconds; null, the default, without other sources. */
    readonly sourceReturnMs?: number | null;
    /** Default: the hardware of the settings file. */
    readonly hardware?: HardwareInForce;
    readonly database: Pick<DatabaseLifecycle, 'requireEngine'>;
    /** True when beer of this pour flowed although the tap's valve was shut. */
    readonly isFlowWhileShut: (pour: EndedPour) => boolean;
    /** True when the newest ticks of this meter came although the valve of its tap was shut; default: false. */
    readonly isShut?: (meter: string) => boolean;
    /** Told of writes to the journal; nobody unless given. */
    readonly measuring?: Measuring;
  },
) {
  const { config, pins, bus, clock, database, reporters, log, hardware = fixedHardware(config) } = options;
  const pours = () => database.requireEngine().drinks.pours;
  const { input, toggles } = pins;
  const { noise_share: noiseShare, simultaneous_ms: simultaneousMs } = config.judgement;
  const countedMeters = (declared: readonly MeterConfig[]) =>
    meterSettings(config, declared, {
      hasExactStamps: findDriver(input.driver)?.hasExactStamps ?? false,
    });
  const meters = countedMeters(hardware.meters());
  const { bootId } = clock.now();
  const reportMeters = reporters('counting');
  const brokenMeters = new Set<string>();
  const onFault = (cause: unknown, meter: string) => {
    brokenMeters.add(meter);
    const names = [...brokenMeters].join(', ');
    reportMeters([createProblem('meters_broken', { meters: names })], cause);
  };
  /** The database is closed: the settings' least ticks apply, and a pour's series is judged when it is stored. */
  const findFacts = (meter: string) => {
    try {
      return pours().meterFacts(meter);
    } catch {
      return null;
    }
  };
  const feed = createMeterFeed({
    input,
    meters,
    bus,
    ids: randomIds,
    bootId,
    judgement: { noiseShare, simultaneousMs },
    findFacts,
    ...omitUndefined({ isShut: options.isShut }),
    onFault,
  });

  const pinPrefix = `${config.controller.name}.`;
  const { measuring = createMeasuring() } = options;
  const journal = measureJournal(createPourJournal({ path: `${config.database}.journal` }), measuring);
  const reportJournal = reporters('disk');
  const recorder = new PourRecorder({
    pours,
    journal,
    clock,
    reportStoring: reporters('storing'),
    reportJournal,
    isFlowWhileShut: options.isFlowWhileShut,
    findSource: (meter) => (meter.startsWith(pinPrefix) ? 'pin' : 'serial'),
  });
  const unsubscribe = recorder.subscribe(bus);
  const firstCheckpoints = followFirstCheckpoints(bus);
  const isRecorded = (pourId: string): boolean => {
    try {
      return pours().knows(pourId);
    } catch {
      // The database is closed or unreadable; if the pour is recorded twice, its pour_id prevents a second
      // drink.
      return false;
    }
  };
  let interruptedPours: MeterPour[] = [];
  const { sourceReturnMs = null } = options;
  const others = {
    idleMs: config.pour.idle_ms + (sourceReturnMs ?? 0),
    owns: (meter: string) => sourceReturnMs !== null && !meter.startsWith(pinPrefix),
    resume: (pour: MeterPour) => void interruptedPours.push(pour),
  };
  const reopen = (canResume: boolean) =>
    reopenPours({
      journal,
      feed,
      recorder,
      isRecorded,
      now: clock.now(),
      meters: canResume ? meters : [],
      ...(canResume ? { others } : {}),
      noiseShare,
      reportProblem: reportJournal,
      log,
    });
  let isReopened = reopen(true);

  const reportCounting = reporters('counting');
  const reportSource = reporters('counting');
  const reportToggles = reporters('toggles');
  const relayNames = () => new Set(hardware.toggles().map(({ port }) => `${pinPrefix}${port}`));
  let lastHeartbeatMonoMs = clock.now().monoMs;
  const pinMeterStatuses = () => toMeterStatuses(input, relayNames());
  const sources = joinSources({ feed, meterStatuses: pinMeterStatuses }, log);

  function checkpoint(): void {
    try {
      journal.checkpoint(sources.running(), clock.now());
      reportJournal([]);
    } catch (cause) {
      reportJournal(toProblems(cause, textProblem(String(cause))), cause);
    }
  }

  function readPins(): void {
    try {
      feed.poll();
      lastHeartbeatMonoMs = clock.now().monoMs;
      reportSource([]);
    } catch (cause) {
      reportSource([createProblem('pins_not_read')], cause);
    }
    toggles.heartbeat();
    if (firstCheckpoints.areDue(sources.running)) checkpoint();
    const problems = lineProblems(input.faults, relayNames());
    reportCounting(problems.counting);
    reportToggles(problems.toggles);
  }

  return {
    /**
     * Called every 50 ms: drains, filters and tracks the pulses; records ended pours, and checkpoints each new pour
     * once.
     */
    everyHeartbeat(): void {
      try {
        for (const source of sources.others()) source.everyHeartbeat();
      } finally {
        readPins();
      }
    },
    /** Called every second: checkpoints the open pours, retries what the database refused. */
    everySecond(): void {
      // The disk was missing at the start: its pours are finished, not resumed, since new ones may run on
      // their meters.
      if (!isReopened) isReopened = reopen(false);
      checkpoint();
      recorder.retry();
      for (const source of sources.others()) source.everySecond();
    },
    /** Called every minute: adds the drips to the lifetime totals. */
    everyMinute: (): void => recorder.flushDrips(),
    /** Counts these meters too; does nothing for those it counts already. */
    addMeters(added: readonly MeterConfig[]): void {
      for (const settings of countedMeters(added)) feed.addMeter(settings);
    },
    /** Ends the running pour of each of these meters of the pins, which is recorded at once, and stops counting them. */
    removeMeters(ports: readonly string[]): void {
      for (const port of ports) {
        feed.removeMeter(`${pinPrefix}${port}`);
        brokenMeters.delete(`${pinPrefix}${port}`);
      }
    },
    /** What a pour on a meter is judged by; null while the database is closed. */
    findFacts,
    /** From now on this source is driven, and closed at the end. */
    addSource: sources.add,
    /** The sources besides the pins. */
    sources: sources.others,
    /** Pours on meters of other sources that an earlier run left running, for the source that resumes them: none the next time. */
    takeInterruptedPours(): readonly MeterPour[] {
      const taken = interruptedPours;
      interruptedPours = [];
      return taken;
    },
    /**
     * The boards' totals up to which every tick is in the database or in the journal; null when one of them
     * cannot be read.
     */
    keptCounters(): readonly KeptCounter[] | null {
      if (!isReopened) return null;
      try {
        return [...pours().keptCounters(), ...journaledCounters(journal.recover())];
      } catch {
        return null;
      }
    },
    endPour: sources.endPour,
    runningPours: sources.runningPours,
    /** The state of the meters of all sources. */
    meterStatuses: sources.meterStatuses,
    pinMeterStatuses,
    /** The totals of the meters of all sources since counting began. */
    counts: sources.counts,
    /** The ended pours that the database has not taken yet. */
    waitingPours: (): number => recorder.waiting,
    /** Bytes written to the pour journal since the start. */
    journalBytes: (): number => journal.bytesWritten(),
    /** The edges that the feed of the local pins has seen on each line. */
    snapshot: feed.snapshot,
    /** False while meters are configured on pins and none of them counts, for the watchdog. */
    isCounting(): boolean {
      const failed = new Set([...input.faults.map(({ name }) => name), ...brokenMeters]);
      const names = hardware.meters().map(({ port }) => `${pinPrefix}${port}`);
      return names.length === 0 || names.some((name) => !failed.has(name));
    },
    /** Milliseconds since the pulses were last drained, for the watchdog. */
    sinceHeartbeatMs: (): number => clock.now().monoMs - lastHeartbeatMonoMs,
    /** Ends open pours, records them, releases the pins and closes the other sources. */
    async close(): Promise<void> {
      sources.finishAll();
      recorder.flushDrips();
      unsubscribe();
      firstCheckpoints.unsubscribe();
      await toggles.close();
      await input.close();
      journal.close();
      await sources.close();
    },
  };
}
