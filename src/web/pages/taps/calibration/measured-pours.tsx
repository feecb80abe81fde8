import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { temperatureSign } from '../../../../core/temperatures/temperature-units.ts';
import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import type { CalibrationEstimate, MeteredPour } from '../../../api/generated.ts';
import { barTime, formatBarTime, formatQuantity, temperature, volume } from '../../../app/format.ts';
import { jugUnit } from '../../../app/volume-units.ts';
import { Choice } from '../../../components/form/choice.tsx';
import { locale, t } from '../../../locales/locale.ts';
import { explainDecimal, type MeasuringMethod, readMeasurement } from './measurement.ts';

const integerFormat = new Intl.NumberFormat(locale);
const factorFormat = new Intl.NumberFormat(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const percentFormat = new Intl.NumberFormat(locale, {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 1,
});

type PourEstimate = CalibrationEstimate['pours'][number];

interface MeasuredPoursProps {
  readonly pours: readonly MeteredPour[];
  readonly snapshot: SnapshotMessage;
  readonly method: MeasuringMethod;
  /** Text typed next to each pour, by drink id. */
  readonly inputs: Readonly<Record<number, string>>;
  /** The daemon's estimates for the measured pours, by drink id. */
  readonly estimates: ReadonlyMap<number, PourEstimate>;
  onMethodChange(method: MeasuringMethod): void;
  onInput(id: number, text: string): void;
}

/** The meter's last pours, each with a field for its measured volume or weight. */
export function MeasuredPours(props: MeasuredPoursProps) {
  const { pours, snapshot, method, onMethodChange } = props;
  return (
    <section class="group" aria-labelledby="calibration-measure">
      <h3 id="calibration-measure">2. {t('calibration.measure')}</h3>
      <div class="card group">
        <fieldset class="choice">
          <legend>{t('calibration.measuredWith')}</legend>
          <Choice
            isChosen={method.tool === 'jug'}
            onChoose={() => onMethodChange({ ...method, tool: 'jug' })}
          >
            {t('calibration.jug')}
          </Choice>
          <Choice
            isChosen={method.tool === 'scale'}
            onChoose={() => onMethodChange({ ...method, tool: 'scale' })}
          >
            {t('calibration.scale')}
          </Choice>
        </fieldset>
        {method.tool === 'scale' && (
          <ScaleFields snapshot={snapshot} method={method} onMethodChange={onMethodChange} />
        )}
        {pours.length === 0 && <p class="soft">{t('calibration.noPours')}</p>}
        <ul class="rows" aria-label={t('calibration.measure')}>
          {pours.map((pour, i) => (
            <PourRow key={pour.id} {...props} pour={pour} isLatest={i === 0} />
          ))}
        </ul>
      </div>
    </section>
  );
}

function ScaleFields({
  snapshot,
  method,
  onMethodChange,
}: Pick<MeasuredPoursProps, 'snapshot' | 'method' | 'onMethodChange'>) {
  const unit = temperatureSign(snapshot.temperature_units);
  const renderField = (name: 'gravity' | 'temp' | 'tare', label: string) => (
    <DecimalField
      label={label}
      value={method[name]}
      onInput={(text) => onMethodChange({ ...method, [name]: text })}
    />
  );
  return (
    <div class="scale-facts">
      {renderField('gravity', t('calibration.gravity'))}
      {renderField('temp', t('calibration.temp', { unit }))}
      {renderField('tare', `${t('calibration.tare')} (g)`)}
      <p class="soft scale-source">
        {t('calibration.gravityHint')} {t('calibration.densityFrom')}
      </p>
    </div>
  );
}

interface DecimalFieldProps {
  readonly label: string;
  readonly value: string;
  onInput(text: string): void;
}

function DecimalField({ label, value, onInput }: DecimalFieldProps) {
  const id = useId();
  const fault = explainDecimal(value);
  return (
    <label class="field" for={id}>
      {label}
      <input
        id={id}
        type="text"
        inputmode="decimal"
        autocomplete="off"
        maxLength={12}
        value={value}
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : `${id}-fault`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {fault !== null && (
        <span class="refusal" id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </label>
  );
}

interface PourRowProps extends MeasuredPoursProps {
  readonly pour: MeteredPour;
  readonly isLatest: boolean;
}

function PourRow({ pour, isLatest, snapshot, method, inputs, estimates, onInput }: PourRowProps) {
  const id = useId();
  const unit = method.tool === 'scale' ? 'g' : jugUnit(snapshot).unit;
  const time = formatBarTime(barTime(pour.pour_time, snapshot));
  const estimate = estimates.get(pour.id);
  const input = inputs[pour.id] ?? '';
  // A text is judged when it is complete: "0." is the start of a number.
  const isTyping = useSignal(false);
  const typed = readMeasurement(pour.ticks, input, method, snapshot);
  const fault = typed.kind === 'refused' && !isTyping.value ? typed.sentence : null;
  return (
    <li>
      <div class="row-text">
        <p class="row-name">
          {time}
          {isLatest && <span class="soft"> · {t('calibration.latest')}</span>}
        </p>
        <p>
          {t('calibration.countedAs', {
            ticks: integerFormat.format(pour.ticks),
            volume: formatQuantity(volume(pour.volume_ml, snapshot)),
          })}
        </p>
        <p class="soft">{formatWarnings(pour)}</p>
        {pour.has_gas && <p class="refusal">{t('calibration.gas')}</p>}
        {pour.is_warm && pour.temp_c !== null && pour.usual_temp_c !== null && (
          <p class="refusal">
            {t('calibration.warm', {
              temp: formatQuantity(temperature(pour.temp_c, snapshot)),
              usual: formatQuantity(temperature(pour.usual_temp_c, snapshot)),
            })}
          </p>
        )}
        {estimate && (
          <p id={`${id}-result`} class={estimate.is_outlier ? 'refusal' : 'measured-result'}>
            {estimates.size > 1
              ? t('calibration.measuredFigure', {
                  figure: factorFormat.format(estimate.ticks_per_ml),
                  off: percentFormat.format(estimate.deviation),
                })
              : t('calibration.measuredFigureAlone', { figure: factorFormat.format(estimate.ticks_per_ml) })}
            {estimate.is_outlier && `. ${t('calibration.outlier')}`}
          </p>
        )}
        {fault !== null && (
          <p id={`${id}-fault`} class="refusal" role="alert">
            {fault}
          </p>
        )}
      </div>
      <div class="measured-figure">
        <label class="visually-hidden" for={id}>
          {t('calibration.volumeOfPour', { time, unit })}
        </label>
        <input
          id={id}
          class="chip-input"
          type="text"
          inputmode="decimal"
          autocomplete="off"
          maxLength={20}
          placeholder={unit}
          value={input}
          aria-invalid={fault !== null}
          aria-describedby={estimate ? `${id}-result` : fault === null ? undefined : `${id}-fault`}
          onInput={(event) => {
            isTyping.value = true;
            onInput(pour.id, event.currentTarget.value);
          }}
          onBlur={() => (isTyping.value = false)}
        />
        <span aria-hidden="true">{unit}</span>
      </div>
    </li>
  );
}

function formatWarnings({
  ticks_lost: ticksLost,
  rejected_edges: rejectedEdges,
  is_valid: isValid,
}: MeteredPour): string {
  return [
    isValid ? null : t('calibration.held'),
    ticksLost ? t('calibration.missed', { ticks: ticksLost }) : null,
    rejectedEdges > 0 ? t('calibration.bounced', { edges: rejectedEdges }) : null,
  ]
    .filter(Boolean)
    .join(' · ');
}
