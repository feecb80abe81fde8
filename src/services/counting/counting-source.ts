import type { Problem } from '../../core/health/problems.ts';
import type { KeptCounter } from '../../core/pours/counter-position.ts';
import type { MeterPour } from '../../core/pours/meter-pour.ts';
import type { PourFacts } from '../../core/pours/pour.ts';
import type { ThermoBus, ToggleOutput } from '../../devices/device-interfaces.ts';
import type { MeterFeed } from '../../devices/meter-feed.ts';
import type { Hardware } from '../../engine/engine.ts';
import type { MeterStatus } from '../../http/ports.ts';
import type { BaseServices } from '../base-services.ts';
import type { ReportProblem } from '../monitors/health-reporters.ts';

/** The state of a port that a source reads, or of the board on it. */
export interface SourcePort {
  readonly path: string;
  /** Name of the board; null until it has identified itself. */
  readonly controller: string | null;
  readonly problem: Problem | null;
}

/**
 * A source of pours besides the pins of this machine: boards with meters, thermo sensors, relays and readers of their own, all named
 * `<controller>.<port>`. Counting drives it and closes it. It publishes `token.presented` and `token.removed` itself.
 */
export interface CountingSource {
  /** Turns what the boards report into pours, which are checkpointed and recorded as those of the pins. */
  readonly feed: MeterFeed;
  readonly thermo: ThermoBus;
  readonly toggles: ToggleOutput;
  /** The state of its meters. */
  meterStatuses(): readonly MeterStatus[];
  /** Every port, and every board that was connected earlier and is not now. */
  ports(): readonly SourcePort[];
  /** Called every 50 ms, before pours are checkpointed. */
  everyHeartbeat(): void;
  everySecond(): void;
  /** Shuts its relays and ends what it reads; its pours are ended before. */
  close(): Promise<void>;
}

/** What a source is started with. */
export interface CountingSourceParts extends Pick<BaseServices, 'config' | 'bus' | 'clock' | 'log'> {
  /** Reports lasting problems as a part of the machine's health. */
  readonly reportProblem: ReportProblem;
  /** Where boards are registered. Throws while the database is closed. */
  readonly hardware: () => Hardware;
  /** What a pour on a meter is judged by; null while the database is closed. */
  readonly findFacts: (meter: string) => PourFacts | null;
  /** The boards' totals up to which every tick is in the database or in the journal; null when they cannot be read. */
  readonly keptCounters: () => readonly KeptCounter[] | null;
  /** Pours on meters of boards that an earlier run left running. The source must resume each. */
  readonly interruptedPours: readonly MeterPour[];
  /** As the source declares it. */
  readonly returnMs: number;
}

/** How a source is declared. */
export interface CountingSourceDefinition {
  /** A board that is running answers within this time after a restart of the daemon, milliseconds: so long its pours stay open. */
  readonly returnMs: number;
  /** Loads it; called once, right after the pins count. */
  load(): Promise<(parts: CountingSourceParts) => CountingSource>;
}
