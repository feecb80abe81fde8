import { AppError } from '../../../core/app-error.ts';
import { type Moment, momentAt } from '../../../core/clock/moment.ts';
import { coverage } from '../../../core/measurement/uncertainty.ts';
import type { Drink } from '../../../core/records.ts';
import { maxTempC, minTempC } from '../../../core/temperatures/thermo-rules.ts';
import type { Uncertainties } from '../../../engine/drinks/uncertainties.ts';
import { type ActorContext, auditedChange } from '../../../engine/shared/actor-context.ts';
import { requireFound, validateNumber, validationError } from '../../../engine/shared/bounds.ts';
import type { TapView } from '../../../engine/shared/views.ts';
import type { Scale, ScaleFinding } from '../core/records.ts';
import { maxWeightG, minWeightG } from '../core/scale-level.ts';
import type { WeightFault } from '../core/weight-payload.ts';
import type { ScaleEngineParts } from './parts.ts';
import { correctableScaleChange } from './scale-corrections.ts';
import { type ScaleRequest, validateScale } from './scale-fields.ts';
import {
  createScaleReadings,
  type ReadingSpan,
  readingRetentionMs,
  type ScaleReading,
} from './scale-readings.ts';
import { findScaleRemainder, ScaleWatch } from './scale-watch.ts';

/** A weight that a scale reports. */
export interface ReportedWeight {
  readonly weightG: number;
  readonly tempC?: number | null;
  /** When it was taken, Unix milliseconds; now unless given. */
  readonly timeMs?: number;
}

/** A scale with what it shows. */
export interface ScaleView {
  readonly id: number;
  readonly scale: Scale;
  readonly last: { readonly weightG: number; readonly tempC: number | null; readonly timeMs: number } | null;
  /** What is left in the keg by its weight, and the half width of the 95 % interval; null where it cannot be said. */
  readonly remaining: { readonly volumeMl: number; readonly uncertaintyMl: number } | null;
  /** The same by the meter. */
  readonly byMeter: { readonly volumeMl: number; readonly uncertaintyMl: number } | null;
  /** Those that are open. */
  readonly findings: readonly ScaleFinding[];
  /** Messages without a usable weight since the start of the daemon; null while there was none. */
  readonly broken: BrokenMessages | null;
  /** True when the MQTT broker does not permit to receive its weights. */
  readonly isTopicRefused: boolean;
}

/** Messages of a scale that were not understood. */
export interface BrokenMessages {
  readonly count: number;
  readonly fault: WeightFault;
  readonly timeMs: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** At most one reading in this time, milliseconds: more say nothing more. */
const minIntervalMs = 1_000;
/** An older reading belongs to the chart only, milliseconds. */
const freshMs = minuteMs;
const maxFindings = 100;

/** A board that vanishes does not tell that its pour is over, milliseconds. */
const maxRunMs = hourMs;

interface ScaleState {
  readonly watch: ScaleWatch;
  readonly last: { readonly weightG: number; readonly tempC: number | null; readonly timeMs: number };
  readonly monoMs: number;
}

/** Scales under kegs. */
export function createScales(parts: ScaleEngineParts, uncertainties: Uncertainties) {
  const { store, publishesTo } = parts;
  const rules = { store, publishesTo };
  const readings = createScaleReadings(parts);
  const states = new Map<number, ScaleState>();
  /** Last sign of flow by full meter name, monotonic milliseconds, and whether its pour still runs. */
  const flows = new Map<string, { readonly monoMs: number; readonly isRunning: boolean }>();
  const broken = new Map<number, BrokenMessages>();
  let refusedTopics: ReadonlySet<string> = new Set();

  const scale = (id: number): Scale => requireFound(store.scales.byId(id), `scale ${id}`);

  const findKeg = ({ tapId }: Scale) => {
    const kegId = tapId === null ? null : store.taps.byId(tapId)?.kegId;
    return kegId == null ? null : store.kegs.byId(kegId);
  };

  const toView = (record: Scale): ScaleView => {
    const stored = states.get(record.id)?.last ?? null;
    const row = stored === null ? store.scaleReadings.last(record.id) : null;
    const last =
      stored ?? (row === null ? null : { weightG: row.weightG, tempC: row.tempC, timeMs: row.minuteMs });
    const remainder = last === null ? null : findScaleRemainder(store, record, last.weightG);
    const keg = findKeg(record);
    return {
      id: record.id,
      scale: record,
      last,
      remaining: remainder && { volumeMl: remainder.volumeMl, uncertaintyMl: coverage * remainder.uMl },
      byMeter: keg && {
        volumeMl: keg.fullVolumeMl - keg.servedVolumeMl - keg.spilledVolumeMl,
        uncertaintyMl: uncertainties.keg(keg),
      },
      // One about a former keg ends with the next weight, which a silent scale does not send.
      findings: store.scaleFindings.open(record.id).filter(({ kegId }) => kegId === keg?.id),
      broken: broken.get(record.id) ?? null,
      isTopicRefused: refusedTopics.has(record.topic),
    };
  };

  function receive(record: Scale, reported: ReportedWeight, now: Moment): boolean {
    const weightG = validateNumber('weight_g', reported.weightG, { min: minWeightG, max: maxWeightG });
    const tempC =
      reported.tempC == null
        ? null
        : validateNumber('temp_c', reported.tempC, { min: minTempC, max: maxTempC });
    const agoMs = reported.timeMs === undefined ? 0 : now.wallMs - reported.timeMs;
    if (agoMs < -minuteMs) throw validationError('time', 'must not be in the future', { name: 'time' });
    if (agoMs > readingRetentionMs)
      throw validationError('time', 'must be at most 30 days ago', { name: 'time' });
    const at = momentAt(now, now.monoMs - Math.max(0, agoMs));
    const state = states.get(record.id);
    if (agoMs <= freshMs && state !== undefined && at.monoMs - state.monoMs < minIntervalMs) return false;
    readings.keep({
      scaleId: record.id,
      minuteMs: Math.max(0, Math.floor(at.wallMs / minuteMs) * minuteMs),
      weightG,
      tempC,
    });
    if (agoMs > freshMs) return true;
    const watch = state?.watch ?? new ScaleWatch({ store, uncertainties }, record);
    const last = { weightG, tempC, timeMs: Math.round(at.wallMs) };
    states.set(record.id, { watch, last, monoMs: at.monoMs });
    const meter = record.tapId === null ? null : store.taps.meters.byTap(record.tapId);
    const flow = meter === null ? undefined : flows.get(meter.name);
    const isRunning = flow?.isRunning === true && at.monoMs - flow.monoMs < maxRunMs;
    if (watch.step(record, { weightG, tempC, at }, isRunning ? at.monoMs : flow?.monoMs))
      parts.bus.publish({ type: 'database.changed' });
    return true;
  }

  const create = (request: ScaleRequest, context?: ActorContext): Scale =>
    auditedChange(
      parts,
      context,
      {
        action: 'scale.created',
        kind: 'scale',
        id: (created: Scale) => created.id,
        snapshot: store.scales.byId,
      },
      () => store.scales.add(validateScale(rules, request, null)),
    );

  return {
    list: (): readonly ScaleView[] => store.scales.all().map(toView),
    find: (id: number): ScaleView | null => {
      const record = store.scales.byId(id);
      return record && toView(record);
    },
    /** The scale of a tap; null for a tap without one. */
    byTap: (tapId: number): ScaleView | null => {
      const record = store.scales.byTap(tapId);
      return record && toView(record);
    },

    create,
    /** Can be undone. */
    change: (id: number, fields: Partial<ScaleRequest>, context?: ActorContext): Scale =>
      correctableScaleChange(parts, context, { action: 'scale.changed', id }, () => {
        const { id: _id, coefficient: _coefficient, ...current } = scale(id);
        store.scales.change(id, validateScale(rules, { ...current, ...fields }, scale(id)));
        return scale(id);
      }),
    /** Can be undone, while its readings are stored. */
    remove(id: number, context?: ActorContext): void {
      correctableScaleChange(parts, context, { action: 'scale.deleted', id }, () => {
        scale(id);
        store.scales.remove(id);
      });
      states.delete(id);
      broken.delete(id);
    },

    /**
     * Takes a weight; 0 to 300 kg. Returns false for one that came within a second after the last one, which changes nothing.
     * A weight is never a drink.
     */
    receive: (id: number, reported: ReportedWeight, now: Moment): boolean =>
      receive(scale(id), reported, now),

    /** The same for the scale of a tap; the first weight creates the scale, with the tap's name. */
    receiveAt({ tap }: TapView, reported: ReportedWeight, now: Moment, context?: ActorContext) {
      validateNumber('weight_g', reported.weightG, { min: minWeightG, max: maxWeightG });
      const record = store.scales.byTap(tap.id) ?? create({ name: tap.name, tapId: tap.id }, context);
      const isTaken = receive(record, reported, now);
      return { view: toView(record), isTaken };
    },

    /** Those whose weights come by MQTT. */
    topics: store.cachedUntilChange(() => store.scales.all().filter(({ topic }) => topic !== '')),

    /** Those of the topics that the MQTT broker does not let this client receive. */
    noteRefusedTopics(topics: ReadonlySet<string>): void {
      refusedTopics = new Set(topics);
    },

    /** Counts a message without a usable weight. */
    noteBroken(id: number, fault: WeightFault, now: Moment): void {
      const count = (broken.get(id)?.count ?? 0) + 1;
      broken.set(id, { count, fault, timeMs: Math.max(0, Math.round(now.wallMs)) });
    },

    /**
     * Beer runs through the meter: weights before and after are compared when its ticks are stored. A pour runs until
     * its end is noted, however long its meter waits for the next tick.
     */
    noteFlow(meter: string, now: Moment, isRunning = false): void {
      flows.set(meter, { monoMs: now.monoMs, isRunning });
    },

    /** A drink was recorded: one that was poured before the last weight makes what was compared with it worthless. */
    noteDrink(drink: Drink, now: Moment): void {
      const { tapId, meter: meterName, pourTimeMs } = drink;
      if (tapId === null || states.size === 0) return;
      const record = store.scales.byTap(tapId);
      const watch = record === null ? undefined : states.get(record.id)?.watch;
      if (watch === undefined) return;
      watch.restartIfLater(now.monoMs - (now.wallMs - pourTimeMs));
      const meter = store.taps.meters.byTap(tapId);
      if (meter !== null && meter.name === meterName) watch.addPour(meter, drink);
    },

    /** Stores the readings that wait. */
    flush: readings.flush,
    purge: readings.purge,

    /** Readings of a time span, those that wait included, oldest first. */
    readings: (id: number, span: ReadingSpan): readonly ScaleReading[] =>
      readings.between(scale(id).id, span),

    /** The newest findings of a scale, newest first. */
    findings: (id: number): readonly ScaleFinding[] => store.scaleFindings.byScale(scale(id).id, maxFindings),

    /** Staff have seen to a finding, or open it again. For the same keg it does not come back within a day. */
    closeFinding: (id: number, isClosed: boolean, context: ActorContext): ScaleFinding =>
      auditedChange(
        parts,
        context,
        {
          action: isClosed ? 'scale.finding_closed' : 'scale.finding_opened',
          kind: 'scale',
          id: requireFound(store.scaleFindings.byId(id), `finding ${id}`).scaleId,
          snapshot: () => store.scaleFindings.byId(id),
        },
        () => {
          const { scaleId, kind } = store.scaleFindings.byId(id)!;
          const isOpenAgain = store.scaleFindings
            .open(scaleId)
            .some((other) => other.id !== id && other.kind === kind);
          if (!isClosed && isOpenAgain) throw new AppError('conflict', 'It was found again since.');
          store.scaleFindings.close(id, isClosed ? Math.max(0, Math.round(context.now.wallMs)) : null);
          return store.scaleFindings.byId(id)!;
        },
      ),
  };
}

export type Scales = ReturnType<typeof createScales>;
