import type { Problem } from '../core/health/problems.ts';
import type { CurvePoint } from '../core/measurement/meter-curve.ts';
import type { PinEntry, PinMeter, PinRelay } from '../core/taps/pin-entries.ts';
import type { ActorContext } from '../engine/engine.ts';

/** What is true of every part on a pin, beside its settings. */
export interface PinPart {
  /** Full name, `<controller>.<port>`. */
  readonly name: string;
  readonly headerPin: number | null;
  /** True when the settings file names it: it cannot be changed on the page. */
  readonly isFixed: boolean;
  /**
   * What the page shows of it: `works`; `failed`, the line cannot be opened and is tried again; `overridden`, the settings
   * file uses its port or pin; `other_machine`, it was wired to another machine and is not driven; `restart_needed`, it takes
   * effect at the next start.
   */
  readonly state: 'works' | 'failed' | 'overridden' | 'other_machine' | 'restart_needed';
  /** What is wrong and what to do; null when it works. */
  readonly problem: Problem | null;
}

/** A relay without the mark of its machine. */
export type ShownRelay = Omit<PinRelay, 'machine'>;

/** Why a pin is not offered; `free` for one that is. */
export type PinUse = 'free' | 'taken' | 'reserved';

/** A pin that can be chosen, or why not. */
export interface ChoosablePin {
  readonly pin: number;
  readonly headerPin: number | null;
  readonly use: PinUse;
  /** Full name of the part that has it. */
  readonly usedBy: string | null;
  /** Its other function on this board, such as the serial console. */
  readonly also: string | null;
}

/** Colours that the wires of meters have. */
export const wireColours = ['black', 'brown', 'red', 'yellow', 'green', 'blue', 'white'] as const;
export type WireColour = (typeof wireColours)[number];

/** A flow-meter model of the catalogue. */
export interface MeterModel {
  readonly id: string;
  readonly name: string;
  readonly maker: string | null;
  readonly ticksPerMl: number;
  /** Highest pulse rate within the meter's range, Hz. */
  readonly maxHz: number | null;
  /** Bounce limit of a meter of this model that has none of its own. */
  readonly minGapMs: number;
  readonly minLPerMin: number | null;
  readonly maxLPerMin: number | null;
  /** True when it cannot take the usual flow of a tap. */
  readonly isTooSmall: boolean;
  readonly accuracyPercent: number | null;
  readonly repeatabilityPercent: number | null;
  /** Calibration at several rates; empty when its sources give only one. */
  readonly points: readonly CurvePoint[];
  /** Volts. */
  readonly supply: { readonly min: number; readonly max: number } | null;
  readonly output: 'open-collector' | 'push-pull' | 'measure-first' | null;
  readonly wires: { readonly [Wire in 'supply' | 'ground' | 'signal']: WireColour } | null;
  readonly notes: string | null;
}

/** A thermometer that has been seen on a bus of this machine. */
export interface SeenProbe {
  readonly name: string;
  readonly tempC: number | null;
  /** True when a tap of the settings file names it. */
  readonly isFixed: boolean;
}

/** The hardware of this machine: that of the settings file and that of the database. */
export interface HardwareView {
  readonly controller: string;
  readonly driver: string;
  /** True when a change is stored and takes effect at the next start only. */
  readonly isRestartNeeded: boolean;
  /** True when the service manager starts the daemon again after it has stopped. */
  readonly canRestart: boolean;
  readonly meters: readonly (PinPart & PinMeter)[];
  readonly relays: readonly (PinPart & ShownRelay)[];
  readonly probes: readonly SeenProbe[];
  readonly pins: readonly ChoosablePin[];
  readonly models: readonly MeterModel[];
}

/** The result of a change. */
export interface HardwareChange {
  /** Id of its entry in the audit log, by which it can be undone; null when nothing was changed. */
  readonly changeId: number | null;
  readonly isRestartNeeded: boolean;
}

/** Fields of a new part; absent ones get their default, the port the next free one. */
export type NewPinEntry =
  | (Partial<PinMeter> & Pick<PinMeter, 'kind' | 'pin'>)
  | (Partial<ShownRelay> & Pick<ShownRelay, 'kind' | 'pin'>);

/** Changed fields of a part. */
export type PinEntryFields =
  | Partial<Omit<PinMeter, 'kind' | 'port'>>
  | Partial<Omit<ShownRelay, 'kind' | 'port'>>;

/** What becomes of relays that were wired to another machine. */
export type RelayDecision = 'use_here' | 'remove';

/**
 * Changes the hardware of this machine while it counts. Each change is refused when the file names the part, when the result
 * would be contradictory, or when its line cannot be opened; the previous state then goes on.
 */
export interface HardwareService {
  snapshot(): HardwareView;
  add(entry: NewPinEntry, by: ActorContext): Promise<HardwareChange & { readonly port: string }>;
  change(
    kind: PinEntry['kind'],
    port: string,
    fields: PinEntryFields,
    by: ActorContext,
  ): Promise<HardwareChange>;
  remove(kind: PinEntry['kind'], port: string, by: ActorContext): Promise<HardwareChange>;
  /**
   * Settles the relays that were wired to another machine: `use_here` drives them on their pins of this machine, `remove`
   * deletes them. Cannot be undone. Throws `conflict` when there is none.
   */
  decideRelays(decision: RelayDecision, by: ActorContext): Promise<HardwareChange>;
  /** Restores what the newest change replaced; `changeId` is that of its answer. */
  undo(changeId: number, by: ActorContext): Promise<HardwareChange>;
  /** Ends the daemon so that the service manager starts it again. Throws `conflict` where nothing would. */
  restart(by: ActorContext): void;
}
