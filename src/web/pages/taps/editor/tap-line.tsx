import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { maxLineMl } from '../../../../core/taps/tap-bounds.ts';
import { tapFields } from '../../../../core/taps/tap-record.ts';
import { type Result, request } from '../../../api/client.ts';
import { formatDecimal, type Units } from '../../../app/format.ts';
import { Form } from '../../../components/form/form.tsx';
import { recordInputs } from '../../../components/form/record-fields.ts';
import { showUndoable } from '../../../components/undo.ts';
import { t } from '../../../locales/locale.ts';

type Tap = Result<'GET /taps/{ref}'>['tap'];

const input = recordInputs(tapFields, 'taps.fields');

interface TapLineProps {
  readonly tap: Tap;
  readonly units: Units;
}

/** The beer line from keg to tap: its volume, and the detector that stops the flow of an empty keg. */
export function TapLine({ tap, units }: TapLineProps) {
  const { id, line_volume_ml: volume, line_to_meter_ml: toMeter, has_fob: hasFob } = tap;
  return (
    <section class="card tap-section" aria-labelledby="tap-line">
      <h3 id="tap-line">{t('tapLine.title')}</h3>
      <Form
        fields={[
          input('lineVolumeMl', tap),
          {
            kind: 'custom',
            name: 'line_length',
            label: t('tapLine.calculate'),
            optional: 'omit',
            render: () => <LineCalculator units={units} />,
          },
          { ...input('lineToMeterMl', tap), hint: t('tapLine.toMeterHint') },
          input('hasFob', tap),
        ]}
        submit={t('tapLine.save')}
        isEdit
        send={(values) => {
          const isSameLine = values.line_volume_ml === volume && values.line_to_meter_ml === toMeter;
          return request('PATCH /taps/{ref}', {
            path: { ref: id },
            body: {
              ...(!isSameLine && {
                line_volume_ml: values.line_volume_ml,
                line_to_meter_ml: values.line_to_meter_ml,
              }),
              ...(values.has_fob !== hasFob && { has_fob: values.has_fob }),
            },
          });
        }}
        onDone={(answer) => showUndoable(t('common.saved'), answer)}
      />
    </section>
  );
}

/** Inner diameters of usual beer hoses, millimetres. */
const hoses = { '3/16″': 4.7625, '1/4″': 6.35, '5/16″': 7.9375, '3/8″': 9.525, '7 mm': 7, '10 mm': 10 };
type Hose = keyof typeof hoses;
const mPerFoot = 0.3048;

/** Computes the volume from length and inner diameter of the hose, for the field above it. */
function LineCalculator({ units }: { readonly units: Units }) {
  const id = useId();
  const isUs = units.volume_units === 'us';
  const lengthText = useSignal('');
  const hose = useSignal<Hose>(isUs ? '3/16″' : '7 mm');
  const length = Number(lengthText.value.trim().replace(',', '.'));
  const volumeMl = (Math.PI / 4) * hoses[hose.value] ** 2 * length * (isUs ? mPerFoot : 1);
  const isUsable = lengthText.value.trim() !== '' && volumeMl >= 1 && volumeMl <= maxLineMl;
  const fill = (form: HTMLFormElement | null) => {
    const field = form?.elements.namedItem('line_volume_ml');
    if (field instanceof HTMLInputElement) field.value = formatDecimal(volumeMl, 0);
  };
  return (
    <details class="form-more">
      <summary>{t('tapLine.calculate')}</summary>
      <div class="form">
        <label class="field" for={`${id}-length`}>
          {t('tapLine.length')} ({isUs ? 'ft' : 'm'})
          <input
            id={`${id}-length`}
            type="text"
            inputmode="decimal"
            autocomplete="off"
            maxLength={8}
            value={lengthText.value}
            onInput={(event) => (lengthText.value = event.currentTarget.value)}
          />
        </label>
        <label class="field" for={`${id}-hose`}>
          {t('tapLine.diameter')}
          <select
            id={`${id}-hose`}
            value={hose.value}
            onChange={(event) => (hose.value = event.currentTarget.value as Hose)}
          >
            {Object.keys(hoses).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <p>
          <button
            type="button"
            class="chip"
            disabled={!isUsable}
            onClick={(event) => fill(event.currentTarget.form)}
          >
            {isUsable ? t('tapLine.use', { volume: formatDecimal(volumeMl, 0) }) : t('tapLine.useNone')}
          </button>
        </p>
      </div>
    </details>
  );
}
