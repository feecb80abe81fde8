import { useSignal } from '@preact/signals';
import type { LiveTap, SnapshotMessage } from '../../../../http/live/shapes.ts';
import { request } from '../../../api/client.ts';
import type {
  CalibrationEstimate,
  FlowMeter,
  FlowMeterCurve,
  MeterCurve,
  Operations,
} from '../../../api/generated.ts';
import type { DisplayText } from '../../../app/error-text.ts';
import { ErrorMessage } from '../../../components/action.tsx';
import { Choice } from '../../../components/form/choice.tsx';
import { showUndoable } from '../../../components/undo.ts';
import { invalidate, useResource } from '../../../components/use-resource.ts';
import { locale, t } from '../../../locales/locale.ts';
import { Checkbox, KegEffect, type MeasuredDrink, recordSpills } from './apply-calibration.tsx';
import { CurveTable } from './curve-table.tsx';
import { useDebouncedRequest } from './use-debounced-request.ts';

const factorFormat = new Intl.NumberFormat(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 });

type CurveBody = Operations['PUT /flow-meters/{id}/curve']['body'];

/** What can be used: the present curve, none, that of the measured pours, or that of the data sheet. */
interface Option {
  readonly name: 'current' | 'none' | 'measured' | 'sheet';
  readonly label: string;
  readonly curve: MeterCurve | null;
  /** Factor of the meter with it. */
  readonly factor: number;
  /** What is stored besides the points. */
  readonly origin?: Omit<CurveBody, 'points' | 'offset_ticks'>;
}

interface MeterCurveProps {
  readonly meter: FlowMeter;
  readonly tap: LiveTap;
  readonly snapshot: SnapshotMessage;
  readonly estimate: CalibrationEstimate | null;
  readonly measuredDrinks: readonly MeasuredDrink[];
  onDone(): void;
}

/** The factor over the flow: what the measured pours say, and the choice of a curve. */
export function MeterCurveSection(props: MeterCurveProps) {
  const { meter, estimate } = props;
  const { result, error } = useResource('GET /flow-meters/{id}/curve', { path: { id: meter.id } });
  return (
    <section class="group" aria-labelledby="calibration-curve">
      <h3 id="calibration-curve">4. {t('calibration.curve.title')}</h3>
      <div class="card group">
        <ErrorMessage>{error}</ErrorMessage>
        <p class="soft">{t('calibration.curve.what')}</p>
        {estimate !== null && <RateNote estimate={estimate} />}
        {result !== null && !result.is_used && <p class="soft">{t('calibration.curve.noPins')}</p>}
        {result?.is_used && <CurveChoice {...props} current={result} />}
      </div>
    </section>
  );
}

function RateNote({ estimate: { rates } }: { readonly estimate: CalibrationEstimate }) {
  if (rates === null) return <p>{t('calibration.curve.oneFlow')}</p>;
  if (!rates.is_different) return <p>{t('calibration.curve.suffices')}</p>;
  const [low, high] = [rates.low, rates.high].map((one) => factorFormat.format(one.ticks_per_ml));
  return (
    <p>
      <strong>{t('calibration.curve.differ', { low: low!, high: high! })}</strong>
    </p>
  );
}

function CurveChoice({
  meter,
  tap,
  snapshot,
  estimate,
  measuredDrinks,
  current,
  onDone,
}: MeterCurveProps & { readonly current: FlowMeterCurve }) {
  const options = listOptions(current, estimate);
  const present = current.curve === null ? 'none' : 'current';
  const chosenName = useSignal<Option['name']>(present);
  const applyToKeg = useSignal(true);
  const recordAsSpilled = useSignal(true);
  const isBusy = useSignal(false);
  const applyError = useSignal<DisplayText | null>(null);
  const chosen =
    options.find(({ name }) => name === chosenName.value) ?? options.find(({ name }) => name === present)!;
  const isNew = chosen.name !== present;
  const kegId = tap.keg?.id ?? null;
  const { ticks_per_ml } = chosen.origin ?? {};
  const preview = useDebouncedRequest(
    isNew
      ? {
          points: chosen.curve?.points ?? null,
          apply_to_keg: kegId,
          ...(ticks_per_ml === undefined ? {} : { ticks_per_ml }),
        }
      : null,
    (body) => request('POST /flow-meters/{id}/curve-preview', { path: { id: meter.id }, body }),
  );
  const spills = chosen.name === 'measured' && recordAsSpilled.value ? measuredDrinks : [];

  async function apply() {
    if (isBusy.value) return;
    isBusy.value = true;
    applyError.value =
      (await recordSpills(spills)) ?? (await setCurve(meter.id, chosen, applyToKeg.value ? kegId : null));
    isBusy.value = false;
    if (applyError.value !== null) return;
    if (chosen.name === 'measured') onDone();
    chosenName.value = chosen.curve === null ? 'none' : 'current';
  }

  return (
    <>
      <fieldset class="choice">
        <legend>{t('calibration.curve.use')}</legend>
        {options.map(({ name, label }) => (
          <Choice key={name} isChosen={name === chosen.name} onChoose={() => (chosenName.value = name)}>
            {label}
          </Choice>
        ))}
      </fieldset>
      {chosen.curve && <CurveTable curve={chosen.curve} factor={chosen.factor} snapshot={snapshot} />}
      <ErrorMessage>{applyError.value ?? (isNew ? preview.error : null)}</ErrorMessage>
      {isNew && tap.keg !== null && (
        <>
          <Checkbox
            label={t('calibration.recalculateKeg')}
            isSet={applyToKeg.value}
            onSet={(on) => (applyToKeg.value = on)}
          />
          {applyToKeg.value && preview.result && <KegEffect preview={preview.result} snapshot={snapshot} />}
        </>
      )}
      {chosen.name === 'measured' && measuredDrinks.length > 0 && (
        <Checkbox
          label={t('calibration.spill')}
          isSet={recordAsSpilled.value}
          onSet={(on) => (recordAsSpilled.value = on)}
        />
      )}
      {isNew && (
        <button type="button" class="button apply-calibration" aria-disabled={isBusy.value} onClick={apply}>
          {chosen.curve === null ? t('calibration.curve.remove') : t('calibration.curve.apply')}
        </button>
      )}
    </>
  );
}

function listOptions(
  { curve, data_sheet: sheet, ticks_per_ml: factor }: FlowMeterCurve,
  estimate: CalibrationEstimate | null,
): readonly Option[] {
  const options: Option[] = [{ name: 'none', label: t('calibration.curve.oneNumber'), curve: null, factor }];
  if (curve !== null) options.push({ name: 'current', label: t('calibration.curve.current'), curve, factor });
  const rates = estimate?.rates;
  if (rates?.is_different) {
    options.push({
      name: 'measured',
      label: t('calibration.curve.measured'),
      curve: rates.curve,
      factor: rates.ticks_per_ml,
      origin: {
        method: 'pours',
        ticks_per_ml: rates.ticks_per_ml,
        uncertainty: Math.min(1, rates.uncertainty),
      },
    });
  }
  if (sheet !== null) {
    options.push({
      name: 'sheet',
      label: t('calibration.curve.sheet', { model: sheet.model }),
      curve: sheet.curve,
      factor,
      origin: { method: 'sheet' },
    });
  }
  return options;
}

async function setCurve(
  meterId: number,
  { curve, origin }: Option,
  kegId: number | null,
): Promise<DisplayText | null> {
  const path = { id: meterId };
  const answer =
    curve === null
      ? await request('DELETE /flow-meters/{id}/curve', {
          path,
          query: kegId === null ? {} : { apply_to_keg: kegId },
        })
      : await request('PUT /flow-meters/{id}/curve', {
          path,
          body: { ...curve, ...origin, apply_to_keg: kegId },
        });
  if (!answer.ok) return answer.sentence;
  invalidate();
  showUndoable(
    curve === null ? t('calibration.curve.removed') : t('calibration.curve.applied'),
    answer.result,
  );
  return null;
}
