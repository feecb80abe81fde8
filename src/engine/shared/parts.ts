import type { GrantLimits } from '../../core/access/live-grants.ts';
import type { IdSource } from '../../core/clock/moment.ts';
import type { EventBus } from '../../core/event-bus.ts';
import type { WriteKind } from '../../core/health/disk-reserve.ts';
import type { Store } from '../../store/store.ts';
import type { KegCosts } from './hooks/keg-costs.ts';
import type { Hooks } from './recording-hooks.ts';

/** Settings of the engine, most of them about which pours are held for review. */
export interface EngineSettings {
  /** A higher mean flow is implausible, millilitres per second. */
  readonly maxFlowMlPerS: number;
  /** Pours of our own meters with fewer ticks, or with less than this volume, are drips; by default none is. */
  readonly minPourTicks?: number;
  readonly minPourMl?: number;
  /** What a calibrated meter never counts as fast is a drip, mL/s; default 0. */
  readonly minPourMlPerS?: number;
  /** Largest pour another controller may report, millilitres; default 100 L. */
  readonly maxReportedMl?: number;
  /** Limits of a grant; by default it ends after 30 s without flow. */
  readonly grants?: GrantLimits;
  /** Whether webhook targets may be on this machine; default false. */
  readonly allowLocalWebhooks?: boolean;
  /** The addresses of this machine's interfaces, read now; by default none is known. */
  readonly ownAddresses?: () => readonly string[];
  /** Cost of hashing new passwords and PINs, as the binary logarithm of rounds; default 15. Tests of other things pass less. */
  readonly passwordLogN?: number;
  /** The features that the settings file switches, by name; by default none. */
  readonly features?: Readonly<Record<string, boolean>>;
  /** Whether every feature is on unless it was switched off, as in the demo; default false. */
  readonly hasAllFeatures?: boolean;
}

/** What is written of the corrections of a kind; how they are undone is in `corrections/undo-kinds.ts`. */
export interface CorrectionKind {
  /** Stored with each correction, at most 32 characters. */
  readonly name: string;
  /** What those who are told all news hear: corrections and their undoing, or only the undoing. Absent: nothing. */
  readonly news?: 'all' | 'undoing';
}

/** What an engine is created with. */
export interface GivenParts {
  readonly store: Store;
  readonly bus: EventBus;
  readonly ids: IdSource;
  readonly settings: EngineSettings;
}

/** Dependencies of every service. */
export interface EngineParts extends GivenParts {
  /** By name: what a change can be undone by. */
  readonly correctionKinds: ReadonlyMap<string, CorrectionKind>;
  /** What the extensions that are on do when something is recorded, and all of them with the pours that they set aside. */
  readonly hooks: Hooks;
  /** What kegs cost, as the extensions that are on know it. */
  readonly kegCosts: KegCosts;
  /** Whether this program itself publishes to that topic of a message broker. */
  readonly publishesTo: (topic: string) => boolean;
}

/**
 * Runs `work` in one transaction and publishes `database.changed` after the commit. Throws `unavailable` when the disk's
 * reserve does not allow a write of this kind.
 */
export function change<T>({ store, bus }: EngineParts, work: () => T, kind: WriteKind = 'change'): T {
  store.diskSpace.require(kind);
  const result = store.transaction(work);
  bus.publish({ type: 'database.changed' });
  return result;
}

/** Creates an id with a prefix, at most 64 characters. */
export const newId = (prefix: string, ids: IdSource): string => `${prefix}_${ids.next()}`.slice(0, 64);
