import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { findContradiction } from '../../core/measurement/contradiction.ts';
import { driftChart, findDrift } from '../../core/measurement/drift.ts';
import { findContradictionCause, findDriftCause } from '../../core/measurement/drift-cause.ts';
import { isOffered, learnMeter } from '../../core/measurement/meter-knowledge.ts';
import type { AssessedEvidence } from '../../core/measurement/meter-learning.ts';
import { coverage, type MeasuredBy } from '../../core/measurement/uncertainty.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { FlowMeter } from '../../core/records.ts';
import type { StoredEvidence } from '../../store/taps/meter-evidence-table.ts';
import { measureDespiteDoubts } from '../kegs/keg-evidence.ts';
import { isUsable, maxEvidence, readPrior } from '../kegs/meter-uncertainty.ts';
import { type Actor, systemActor, writeAudit } from '../shared/audit.ts';
import { requireFound } from '../shared/bounds.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { type AppliedCalibration, calibrate } from './corrections/calibrate.ts';
import type { EvidenceItem, EvidenceState, MeterDrift, MeterKnowledge } from './meter-knowledge.ts';

/** Learns the factors of meters from their evidence, and finds those that drift. */
export type MeterLearning = ReturnType<typeof createMeterLearning>;

export function createMeterLearning(parts: EngineParts) {
  const { store } = parts;
  const requireMeter = (id: number): FlowMeter =>
    requireFound(store.taps.meters.byId(id), `flow meter ${id}`);
  const get = (meterId: number, now?: Moment): MeterKnowledge =>
    readKnowledge(parts, requireMeter(meterId), now?.wallMs);
  /** By meter id: a filter over all its evidence takes longer than to read it. */
  const remembered = new Map<number, { readonly key: string; readonly knowledge: MeterKnowledge }>();
  const remember = (meter: FlowMeter): MeterKnowledge => {
    const input = readInput(parts, meter);
    const { ticksTotal: _ticks, lastCountedMs: _last, ...config } = meter;
    const key = JSON.stringify([config, input]);
    const known = remembered.get(meter.id);
    if (known?.key === key) return known.knowledge;
    const found = computeKnowledge(meter, input, undefined);
    remembered.set(meter.id, { key, knowledge: found });
    return found;
  };
  /** Pours change neither factors nor evidence. */
  const list = store.cachedUntilChange(() => store.taps.meters.all().map(remember));

  const apply = (
    { meter, learned, evidence }: MeterKnowledge,
    options: {
      readonly kegId: number | null;
      readonly actor?: Actor | undefined;
      readonly keepsChart: boolean;
    },
    now: Moment,
  ): AppliedCalibration =>
    change(parts, () => {
      const { kegId, actor, keepsChart } = options;
      if (learned === null) throw nothingLearnedError(meter);
      const factor = {
        ticksPerMl: roundFactor(learned.ticksPerMl),
        uncertainty: Math.min(1, coverage * learned.uFactor),
        method: 'evidence',
        ...omitUndefined({ measuredBy: readMeasuredBy(parts, meter, evidence) }),
        kegId,
        keepsChart,
        actor: actor ?? systemActor,
      } as const;
      const applied = calibrate(parts, meter.id, factor, now);
      store.taps.meterEvidence.setApplied(meter.id, evidence.at(-1)?.id ?? 0);
      return applied;
    });

  return {
    /** Throws `not_found` for an unknown meter. */
    get: (meterId: number, now: Moment): MeterKnowledge => store.snapshot(() => get(meterId, now)),

    /** What is known of all meters, as of their newest evidence. */
    list,

    /** Leaves a piece of evidence out, or uses it again. Throws `not_found` for one that the meter does not have. */
    setDiscarded(
      meterId: number,
      evidenceId: number,
      { isDiscarded, actor }: { readonly isDiscarded: boolean; readonly actor?: Actor | undefined },
      now: Moment,
    ): MeterKnowledge {
      return change(parts, () => {
        const meter = requireMeter(meterId);
        const evidence = store.taps.meterEvidence.byId(evidenceId);
        if (evidence === null || evidence.meterId !== meterId)
          throw new AppError('not_found', `Meter "${meter.name}" has no evidence ${evidenceId}.`, {
            reason: { name: 'not_found' },
          });
        if (evidence.isDiscarded !== isDiscarded) {
          store.taps.meterEvidence.setDiscarded(evidenceId, isDiscarded);
          const entry = {
            actor: actor ?? systemActor,
            action: isDiscarded ? 'meter.evidence_discarded' : 'meter.evidence_restored',
            subject: { kind: 'flow_meter', id: meterId },
            before: { evidence: evidenceId, is_discarded: evidence.isDiscarded },
            after: { evidence: evidenceId, is_discarded: isDiscarded },
          };
          writeAudit(store, entry, now);
        }
        return get(meterId, now);
      });
    },

    /**
     * Calibrates the meter with what it has learned; with a keg, its drinks are recomputed. Throws `conflict` without evidence, and
     * where another factor than `expected` was learned since.
     */
    apply(
      meterId: number,
      options: {
        readonly kegId: number | null;
        readonly expectedTicksPerMl?: number | undefined;
        readonly actor?: Actor | undefined;
      },
      now: Moment,
    ): AppliedCalibration {
      return change(parts, () => {
        const found = get(meterId, now);
        const { expectedTicksPerMl: expected } = options;
        const learned = found.learned?.ticksPerMl;
        if (expected !== undefined && learned !== undefined && Math.abs(expected / learned - 1) > sameFactor)
          throw learnedSinceError(found.meter);
        return apply(found, { ...options, keepsChart: false }, now);
      });
    },

    /**
     * If the site allows it, calibrates the meters whose learned factor is offered and within the interval of the present one, once for
     * each piece of evidence, so that it stays undone when it is undone. Returns the names of these meters.
     */
    applyByThemselves(now: Moment): readonly string[] {
      if (!store.site.read().applyLearnedFactors) return [];
      const due = list().filter((one) => isDue(parts, one));
      for (const one of due) apply(one, { kegId: null, keepsChart: true }, now);
      return due.map(({ meter }) => meter.name);
    },
  };
}

/** The mean pour of the kegs from which a factor was learned; undefined without any. */
function readMeasuredBy(
  { store }: EngineParts,
  meter: FlowMeter,
  evidence: readonly EvidenceItem[],
): MeasuredBy | undefined {
  const kegs = evidence.flatMap(({ state, kegId }) => (state === 'used' && kegId !== null ? [kegId] : []));
  const sums = kegs
    .flatMap((kegId) => store.drinks.meterTotals.ofKeg(kegId))
    .filter((one) => one.meter === meter.name && one.beerTicks > 0);
  const total = (of: (one: (typeof sums)[number]) => number) => sums.reduce((sum, one) => sum + of(one), 0);
  const [ticks, flowMs, riseHz] = [
    total(({ beerTicks }) => beerTicks),
    total((one) => one.flowMs),
    total((one) => one.riseHz),
  ];
  if (flowMs <= 0 || riseHz <= 0) return undefined;
  const hz = (ticks * 1_000) / flowMs;
  return { hz, ticks: (hz * ticks) / riseHz };
}

/** A factor that was rounded for the page is the same. */
const sameFactor = 1e-4;
const factorDigits = 6;
/** The factor that is applied; the page shows fewer digits. */
export const roundFactor = (ticksPerMl: number): number => Number(ticksPerMl.toPrecision(factorDigits));

function isDue({ store }: EngineParts, { meter, prior, learned, drift, evidence }: MeterKnowledge): boolean {
  if (learned === null || !learned.isOffered || drift !== null || !meter.calibrated) return false;
  const newest = evidence.findLast(({ state }) => state === 'used')?.id ?? 0;
  if (newest <= store.taps.meterEvidence.state(meter.id)!.appliedEvidence) return false;
  const interval = coverage * (meter.uFactor ?? prior.uFactor);
  return Math.abs(learned.ticksPerMl / meter.ticksPerMl - 1) <= interval;
}

/** What a meter learns from, and its newest keg if that is incomplete only for doubtful pours. */
const readInput = ({ store }: EngineParts, meter: FlowMeter) => {
  const stored = store.taps.meterEvidence.newest(meter.id, maxEvidence);
  const newest = stored.at(-1);
  const isIncomplete = newest !== undefined && !newest.isFit && !newest.isDiscarded && newest.kegId !== null;
  const measured = isIncomplete ? measureDespiteDoubts(store, newest.kegId!) : null;
  return {
    stored,
    doubtful: measured && { ...newest!, ...measured },
    prior: readPrior(store, meter),
    state: store.taps.meterEvidence.state(meter.id)!,
  };
};

const readKnowledge = (parts: EngineParts, meter: FlowMeter, nowMs: number | undefined): MeterKnowledge =>
  computeKnowledge(meter, readInput(parts, meter), nowMs);

function computeKnowledge(
  meter: FlowMeter,
  { stored, doubtful, prior, state: { evidenceAfter, chartAfter } }: ReturnType<typeof readInput>,
  nowMs: number | undefined,
): MeterKnowledge {
  const usable = stored.filter(isUsable(evidenceAfter));
  const learned = usable.length === 0 ? null : learnMeter(usable, prior, nowMs);
  const steps = new Map(learned?.steps.map((step) => [step.evidence.id, step]));
  const isCharted = ({ evidence }: AssessedEvidence<StoredEvidence>) => evidence.id > chartAfter;
  const charted = (learned?.steps ?? []).filter(isCharted);
  // Nothing is learned from it, but it may contradict.
  const isChecked = doubtful !== null && doubtful.id > evidenceAfter;
  const checked = isChecked ? learnMeter([...usable, doubtful], prior).steps.filter(isCharted) : charted;
  const deviations = charted.map(({ deviation }) => deviation);
  const points = driftChart(deviations);
  const chart = new Map(charted.map(({ evidence }, i) => [evidence.id, points[i]!]));
  return {
    meter,
    prior,
    learned: learned && {
      ticksPerMl: learned.ticksPerMl,
      uFactor: learned.uFactor,
      isOffered: isOffered(learned, meter.ticksPerMl),
    },
    drift: toDrift(findContradiction(checked) === null ? charted : checked),
    evidence: stored.map((one) => {
      const step = steps.get(one.id);
      return {
        ...one,
        state: toState(one, step),
        deviation: step?.deviation ?? null,
        chart: chart.get(one.id) ?? null,
      };
    }),
  };
}

/** A contradiction comes first: what wears and dirt do is not known beside it. */
function toDrift(charted: readonly AssessedEvidence[]): MeterDrift | null {
  const contradiction = findContradiction(charted);
  const found = contradiction ?? findDrift(charted.map(({ deviation }) => deviation));
  if (found === null) return null;
  const findCause = contradiction === null ? findDriftCause : findContradictionCause;
  return {
    direction: found.direction,
    cause: findCause(charted, found),
    sinceMs: charted[found.at]!.evidence.timeMs,
  };
}

function toState(
  { isFit, isDiscarded }: StoredEvidence,
  step: { readonly isAccepted: boolean } | undefined,
): EvidenceState {
  if (isDiscarded) return 'discarded';
  if (!isFit) return 'incomplete';
  if (step === undefined) return 'outdated';
  return step.isAccepted ? 'used' : 'rejected';
}

const nothingLearnedError = ({ name }: FlowMeter) =>
  new AppError('conflict', `There is no evidence from which meter "${name}" has learned.`, {
    reason: { name: 'nothing_learned', meter: name },
  });

const learnedSinceError = ({ name }: FlowMeter) =>
  new AppError('conflict', `Meter "${name}" has learned another factor since.`, {
    reason: { name: 'learned_since', meter: name },
  });
