import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { LiveTap, SnapshotMessage } from '../../../../http/live/shapes.ts';
import { request } from '../../../api/client.ts';
import type {
  CalibrationEstimate,
  CalibrationPreview,
  FlowMeter,
  Operations,
} from '../../../api/generated.ts';
import type { DisplayText } from '../../../app/error-text.ts';
import { formatFineVolume } from '../../../app/format.ts';
import { ErrorMessage } from '../../../components/action.tsx';
import { showToast } from '../../../components/toast.tsx';
import { undoCorrection } from '../../../components/undo.ts';
import { invalidate } from '../../../components/use-resource.ts';
import { locale, t } from '../../../locales/locale.ts';
import { EstimateInterval, EstimateSpread } from './estimate-quality.tsx';
import { ManualFactor } from './manual-factor.tsx';
import { parseDecimal } from './measurement.ts';
import { useDebouncedRequest } from './use-debounced-request.ts';

/** Smaller changes are not visible on a glass. */
const negligibleChange = 0.0005;

const factorFormat = new Intl.NumberFormat(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const percentFormat = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });

/** A measured pour, with its measured volume. */
export interface MeasuredDrink {
  readonly id: number;
  readonly isValid: boolean;
  readonly volumeMl: number;
}

interface ApplyCalibrationProps {
  readonly meter: FlowMeter;
  readonly tap: LiveTap;
  readonly snapshot: SnapshotMessage;
  readonly estimate: CalibrationEstimate | null;
  /** False while a newer estimate is being loaded. */
  readonly isCurrent: boolean;
  readonly error: DisplayText | null;
  readonly measuredDrinks: readonly MeasuredDrink[];
  onDone(): void;
}

/** The estimated calibration factor, a preview of its effect, and the button that applies it. */
export function ApplyCalibration(props: ApplyCalibrationProps) {
  const { meter, tap, snapshot, estimate, isCurrent, error, measuredDrinks, onDone } = props;
  const manualFactor = useSignal('');
  const applyToKeg = useSignal(true);
  const recordAsSpilled = useSignal(true);
  const isBusy = useSignal(false);
  const applyError = useSignal<DisplayText | null>(null);
  const isManual = manualFactor.value.trim() !== '';
  const factor = isManual ? parseDecimal(manualFactor.value) : (estimate?.ticks_per_ml ?? null);
  const kegId = applyToKeg.value ? (tap.keg?.id ?? null) : null;
  const path = { id: meter.id };
  const preview = useDebouncedRequest(
    factor === null ? null : { ticks_per_ml: factor, apply_to_keg: tap.keg?.id ?? null },
    (body) => request('POST /flow-meters/{id}/calibration-preview', { path, body }),
  );
  // What the factor does is seen before it is used, and the button does not move under a finger.
  const isDisabled = isBusy.value || !preview.isCurrent || (!isCurrent && !isManual);

  async function apply(ticksPerMl: number) {
    if (isDisabled) return;
    isBusy.value = true;
    applyError.value =
      (recordAsSpilled.value ? await recordSpills(measuredDrinks) : null) ??
      (await calibrate(meter.id, {
        ticks_per_ml: ticksPerMl,
        apply_to_keg: kegId,
        ...(isManual || estimate === null ? {} : toMeasured(estimate)),
      }));
    isBusy.value = false;
    if (applyError.value !== null) return;
    manualFactor.value = '';
    onDone();
  }

  return (
    <section class="group" aria-labelledby="calibration-result">
      <h3 id="calibration-result">3. {t('calibration.result')}</h3>
      <div class="card group">
        <div aria-live="polite" class="group">
          <ErrorMessage>{applyError.value ?? error ?? preview.error}</ErrorMessage>
          {factor === null && !isManual && <p class="soft">{t('calibration.nothingYet')}</p>}
          {estimate !== null && !isManual && (
            <>
              <EstimateSpread estimate={estimate} />
              <EstimateInterval estimate={estimate} />
            </>
          )}
          {factor !== null && <FactorChange before={meter.ticks_per_ml} after={factor} />}
        </div>
        <ManualFactor value={manualFactor.value} onInput={(text) => (manualFactor.value = text)} />
        {factor !== null && tap.keg !== null && (
          <>
            <Checkbox
              label={t('calibration.recalculateKeg')}
              isSet={applyToKeg.value}
              onSet={(on) => (applyToKeg.value = on)}
            />
            {applyToKeg.value && preview.result && <KegEffect preview={preview.result} snapshot={snapshot} />}
          </>
        )}
        {measuredDrinks.length > 0 && (
          <Checkbox
            label={t('calibration.spill')}
            isSet={recordAsSpilled.value}
            onSet={(on) => (recordAsSpilled.value = on)}
          />
        )}
        {factor !== null && (
          <button
            type="button"
            class="button apply-calibration"
            aria-disabled={isDisabled}
            onClick={() => apply(factor)}
          >
            {t('calibration.apply', { figure: factorFormat.format(factor) })}
          </button>
        )}
      </div>
    </section>
  );
}

/** Sets each measured pour to its measured volume and records it as spilled; returns the first error. */
export async function recordSpills(measuredDrinks: readonly MeasuredDrink[]): Promise<DisplayText | null> {
  for (const { id, isValid, volumeMl } of measuredDrinks) {
    const path = { id };
    if (!isValid) {
      const discarded = await request('POST /held-pours/{id}/discard', { path });
      if (!discarded.ok) return discarded.sentence;
      continue;
    }
    const updated = await request('PATCH /drinks/{id}', { path, body: { volume_ml: volumeMl } });
    if (!updated.ok) return updated.sentence;
    const spilled = await request('DELETE /drinks/{id}', { path, query: { spilled: true } });
    if (!spilled.ok) return spilled.sentence;
  }
  return null;
}

type CalibrationBody = Operations['POST /flow-meters/{id}/calibrate']['body'];

/** What the meter keeps of the estimate besides the factor. */
function toMeasured({
  uncertainty,
  pours,
  hz,
  offset_ticks: offsetTicks,
  offset_uncertainty: offsetUncertainty,
}: CalibrationEstimate): Partial<CalibrationBody> {
  const sum = (field: 'ticks' | 'volume_ml') => pours.reduce((total, pour) => total + pour[field], 0);
  return {
    method: 'pours',
    uncertainty: Math.min(1, uncertainty),
    measured: {
      pours: pours.length,
      ticks: sum('ticks'),
      volume_ml: sum('volume_ml'),
      ...(hz === null ? {} : { hz }),
      ...(offsetTicks === null || offsetUncertainty === null
        ? {}
        : { offset: { ticks: offsetTicks, uncertainty: offsetUncertainty } }),
    },
  };
}

async function calibrate(meterId: number, body: CalibrationBody): Promise<DisplayText | null> {
  const answer = await request('POST /flow-meters/{id}/calibrate', { path: { id: meterId }, body });
  if (!answer.ok) return answer.sentence;
  const { correction_id: id } = answer.result;
  invalidate();
  showToast(
    t('calibration.applied', { figure: factorFormat.format(body.ticks_per_ml) }),
    id === null ? null : () => void undoCorrection(id),
  );
  return null;
}

/** The factor before and after, and what that makes of a pour. */
export function FactorChange({ before, after }: { readonly before: number; readonly after: number }) {
  // Volume is ticks / factor: a smaller factor makes the same ticks a larger volume.
  const change = before / after - 1;
  const share = percentFormat.format(Math.abs(change));
  return (
    <>
      <p class="calibration-change">
        {t('calibration.fromTo', { before: factorFormat.format(before), after: factorFormat.format(after) })}
      </p>
      <p>
        {Math.abs(change) < negligibleChange
          ? t('calibration.same')
          : change > 0
            ? t('calibration.more', { share })
            : t('calibration.less', { share })}
      </p>
    </>
  );
}

/** What a new factor makes of a keg's past drinks. */
export function KegEffect({
  preview,
  snapshot,
}: {
  readonly preview: CalibrationPreview;
  readonly snapshot: SnapshotMessage;
}) {
  const formatAmount = (ml: number) => formatFineVolume(ml, snapshot);
  const { drink_count: count, volume_ml_before: before, volume_ml: after, keg } = preview;
  return (
    <p class="soft">
      {t('calibration.kegEffect', {
        drinks: count,
        before: formatAmount(before),
        after: formatAmount(after),
      })}{' '}
      {keg &&
        count > 0 &&
        t('calibration.kegLeft', {
          before: formatAmount(keg.volume_ml_remain),
          after: formatAmount(keg.volume_ml_remain + before - after),
        })}
    </p>
  );
}

interface CheckboxProps {
  readonly label: string;
  readonly isSet: boolean;
  onSet(on: boolean): void;
}

export function Checkbox({ label, isSet, onSet }: CheckboxProps) {
  const id = useId();
  return (
    <label class="flag" for={id}>
      <input
        id={id}
        type="checkbox"
        checked={isSet}
        onChange={(event) => onSet(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
