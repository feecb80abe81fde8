import { AppError } from '../app-error.ts';
import { EdgeRhythm } from '../measurement/edge-rhythm.ts';
import { GasDetector, type GasFinding } from '../measurement/gas-detector.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { LeastRate } from './least-rate.ts';
import type { PourFacts, PourStep } from './pour.ts';
import { parseTickSeries, sumTicks, TickSeries } from './tick-series.ts';

/** When a pour ends, and what counts as one. */
export interface PourLimits {
  /** Silence longer than this ends the pour. */
  readonly idleMs: number;
  /** Fewer ticks than this are a drip. */
  readonly minTicks: number;
  /** A tick at this distance from the first, or later, starts the next pour. */
  readonly maxMs: number;
  /** True where each tick has its own exact stamp, so that its rhythm tells noise from a wheel; default false. */
  readonly hasExactStamps?: boolean;
}

/** The ticks of a running pour. */
interface RunningPour {
  /** Stamp of the first tick. */
  readonly startedMonoMs: number;
  readonly lastTickMonoMs: number;
  readonly ticks: number;
}

/** A running pour as stored in the journal. */
export interface OpenPour extends RunningPour {
  /**
   * Times of its ticks, `<ms>:<ticks>` pairs; when empty or wrong only the shape of the pour is lost, never
   * its ticks.
   */
  readonly series: string;
}

interface TickTrain {
  readonly startedMonoMs: number;
  lastTickMonoMs: number;
  ticks: number;
  readonly minTicks: number;
  readonly minTicksPerS: number;
  readonly rate: LeastRate;
  readonly series: TickSeries;
  readonly gas: GasDetector | null;
  readonly rhythm: EdgeRhythm | null;
}

/**
 * Turns one meter's ticks into pours. Only tick stamps decide where a pour ends, and `untilMonoMs`, up to
 * which the source is known to be complete, decides when silence is proven. Arrival times are not used, so a
 * stalled event loop neither splits a pour nor joins two.
 */
export class PourTracker {
  readonly #limits: PourLimits;
  readonly #findFacts: () => PourFacts | null;
  #train: TickTrain | null = null;

  /** `findFacts` is called at the start of each pour; null where nothing is known. */
  constructor(limits: PourLimits, findFacts: () => PourFacts | null = () => null) {
    this.#limits = limits;
    this.#findFacts = findFacts;
  }

  /** Ticks that make the running pour one, or the next pour while there is no flow. */
  get minTicks(): number {
    return this.#train?.minTicks ?? this.#limits.minTicks;
  }

  /** Ticks per second that make the running pour one; 0 while there is no flow. */
  get minTicksPerS(): number {
    return this.#train?.minTicksPerS ?? 0;
  }

  /** The running pour; null while there is no flow. */
  get running(): RunningPour | null {
    if (this.#train === null) return null;
    const { startedMonoMs, lastTickMonoMs, ticks } = this.#train;
    return { startedMonoMs, lastTickMonoMs, ticks };
  }

  /** The running pour with its series, for the journal. */
  checkpoint(): OpenPour | null {
    const running = this.running;
    return running && { ...running, series: this.#train!.series.toString() };
  }

  /** Resumes a pour from the journal; the next step ends it when its silence is already too long. */
  resume(pour: OpenPour): void {
    if (this.#train !== null) throw new AppError('internal', 'A pour is already running on this meter.');
    const { startedMonoMs, lastTickMonoMs, ticks } = pour;
    const pairs = parseTickSeries(pour.series);
    const isComplete = pairs !== null && sumTicks(pairs) === ticks;
    const train = this.#openTrain(startedMonoMs);
    train.series.addPairs(isComplete ? pairs : [{ ms: 0, ticks }]);
    if (isComplete) for (const { ms, ticks: added } of pairs) train.gas?.add(ms, added);
    for (const { ms, ticks: added } of isComplete ? pairs : [{ ms: 0, ticks }])
      for (let i = 0; i < added; i++) train.rate.add(startedMonoMs + ms);
    // The first gaps are not in the journal.
    this.#train = { ...train, lastTickMonoMs, ticks, gas: isComplete ? train.gas : null, rhythm: null };
  }

  /**
   * Processes the ticks since the last step, oldest first; a stamp before the last tick counts at the last
   * tick's time. Returns what happened, in order; `flowing` comes at most once, last, and describes the pour
   * that continues. `edgesPerTick` is above 1 where a wheel turns faster than the edge filter allows.
   */
  step(stampsMonoMs: ArrayLike<number>, untilMonoMs: number, edgesPerTick = 1): PourStep[] {
    const { idleMs, maxMs } = this.#limits;
    const steps: PourStep[] = [];
    let train = this.#train;

    for (let i = 0; i < stampsMonoMs.length; i++) {
      const stamp = stampsMonoMs[i]!;
      if (train !== null) {
        const at: number = stamp > train.lastTickMonoMs ? stamp : train.lastTickMonoMs;
        const isSilent: boolean = at - train.lastTickMonoMs > idleMs;
        const offsetMs: number = at - train.startedMonoMs;
        if (!isSilent && offsetMs < maxMs) {
          train.rhythm?.add(at - train.lastTickMonoMs);
          train.rate.add(at);
          train.gas?.add(offsetMs, 1, edgesPerTick);
          train.lastTickMonoMs = at;
          train.ticks++;
          train.series.add(offsetMs);
          continue;
        }
        // Silence is checked first: a pour that had already ended did not reach the maximum duration.
        steps.push(this.#close(train, !isSilent));
      }
      train = this.#openTrain(stamp);
      train.rate.add(stamp);
      train.series.add(0);
      train.gas?.add(0, 1, edgesPerTick);
      steps.push({ kind: 'started', startedMonoMs: stamp });
    }

    if (train !== null && untilMonoMs - train.lastTickMonoMs > idleMs) {
      steps.push(this.#close(train, false));
      train = null;
    }
    this.#train = train;
    if (train !== null && stampsMonoMs.length > 0) {
      const { ticks, lastTickMonoMs } = train;
      steps.push({
        kind: 'flowing',
        ticks,
        lastTickMonoMs,
        ...omitUndefined({ gas: findRunningGas(train), isFast: train.gas?.isFast || undefined }),
      });
    }
    return steps;
  }

  /** Ends the running pour immediately: the daemon is stopping and will not count the rest. */
  finish(): PourStep[] {
    if (this.#train === null) return [];
    const ending = this.#close(this.#train, false);
    this.#train = null;
    return [ending];
  }

  #close(train: TickTrain, reachedMaxDuration: boolean): PourStep {
    const { startedMonoMs, ticks } = train;
    // Measured to the last tick: the idle time-out is not part of the pour.
    const durationMs = train.lastTickMonoMs - startedMonoMs;
    if (ticks < train.minTicks || !train.rate.isReached)
      return { kind: 'drip', ticks, startedMonoMs, durationMs };
    const { isNoise, isWheel } = train.rhythm ?? {};
    const gas = train.gas === null ? undefined : isNoise ? null : train.gas.finding;
    return {
      kind: 'ended',
      pour: {
        ticks,
        startedMonoMs,
        durationMs,
        series: train.series.toString(),
        reachedMaxDuration,
        ...omitUndefined({ gas }),
      },
      ...omitUndefined({ isNoise, isWheel, isFast: train.gas?.isFast || undefined }),
    };
  }

  #openTrain(startedMonoMs: number): TickTrain {
    const facts = this.#findFacts();
    return {
      startedMonoMs,
      lastTickMonoMs: startedMonoMs,
      ticks: 1,
      minTicks: Math.max(this.#limits.minTicks, facts?.minTicks ?? 0),
      minTicksPerS: facts?.minTicksPerS ?? 0,
      rate: new LeastRate(facts?.minTicksPerS ?? 0),
      series: new TickSeries(),
      gas: facts?.openRate ? new GasDetector(facts.openRate, facts) : null,
      rhythm: this.#limits.hasExactStamps ? new EdgeRhythm(facts?.leastOpenMs) : null,
    };
  }
}

/** Gas that flows now; undefined for beer, foam and noise. */
function findRunningGas({ gas, rhythm }: TickTrain): GasFinding | undefined {
  return gas?.isGas && !rhythm?.isNoise ? (gas.finding ?? undefined) : undefined;
}
