import { useSignal } from '@preact/signals';
import { temperatureSign } from '../../../core/temperatures/temperature-units.ts';
import { request } from '../../api/client.ts';
import type { ThermoSensorItem } from '../../api/generated.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form/form.tsx';
import { showToast } from '../../components/toast.tsx';
import { undoCorrection } from '../../components/undo.ts';
import { t } from '../../locales/locale.ts';
import { maxTypedOffset, toOffsetC, toTypedOffset } from './offset.ts';

/** A thermometer with the taps that it measures. */
export interface Thermometer extends ThermoSensorItem {
  readonly taps: readonly { readonly id: string; readonly name: string }[];
}

interface ThermometerDialogProps {
  readonly thermometer: Thermometer;
  readonly taps: readonly { readonly id: string; readonly name: string }[];
  readonly units: 'c' | 'f';
  onClose(): void;
}

/** The names of these taps as one text. */
const listTaps = (ids: readonly string[], taps: ThermometerDialogProps['taps']): string =>
  taps
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name)
    .join(', ');

/** Name, place, taps and offset of a thermometer. */
export function ThermometerDialog({ thermometer, taps, units, onClose }: ThermometerDialogProps) {
  const { id, name, nice_name: niceName, place } = thermometer;
  const storedTaps = thermometer.taps.map((tap) => tap.id);
  const tapIds = useSignal<readonly string[]>(storedTaps);
  const most = maxTypedOffset(units);
  const offset = toTypedOffset(thermometer.offset_c, units);
  return (
    <Dialog title={t('thermometers.editOf', { name: niceName || name })} onClose={onClose}>
      <p class="soft">{t('thermometers.source', { name })}</p>
      <Form
        fields={[
          {
            kind: 'text',
            name: 'nice_name',
            label: t('thermometers.name'),
            value: niceName,
            maxLength: 128,
            optional: 'empty',
          },
          {
            kind: 'custom',
            name: 'tap_ids',
            label: t('thermometers.taps'),
            optional: 'omit',
            edit: {
              stored: listTaps(storedTaps, taps),
              typed: listTaps(tapIds.value, taps),
              take() {
                tapIds.value = storedTaps;
              },
            },
            render: () => (
              <fieldset class="choice">
                <legend>{t('thermometers.taps')}</legend>
                {taps.length === 0 && <p class="soft">{t('controllers.noTaps')}</p>}
                {taps.map((tap) => (
                  <label key={tap.id} class="flag">
                    <input
                      type="checkbox"
                      checked={tapIds.value.includes(tap.id)}
                      onChange={({ currentTarget: { checked } }) => {
                        const others = tapIds.value.filter((one) => one !== tap.id);
                        tapIds.value = checked ? [...others, tap.id] : others;
                      }}
                    />
                    <span>{tap.name}</span>
                  </label>
                ))}
              </fieldset>
            ),
          },
          {
            kind: 'text',
            name: 'place',
            label: t('thermometers.place'),
            value: place,
            maxLength: 128,
            optional: 'empty',
            hint: t('thermometers.placeHint'),
          },
          {
            kind: 'number',
            name: 'offset_c',
            label: t('thermometers.offset'),
            value: offset,
            unit: temperatureSign(units),
            min: -most,
            max: most,
            hint: t('thermometers.offsetHint', { most: String(most), unit: temperatureSign(units) }),
          },
        ]}
        submit={t('common.save')}
        isEdit
        send={(_values, { changes: { offset_c: typed, ...texts } }) =>
          request('PATCH /thermo-sensors/{sensor}', {
            path: { sensor: id },
            body: {
              ...texts,
              // A value that was only shown rounded stays as it is.
              ...(typed !== undefined && { offset_c: toOffsetC(typed, units) }),
              ...(listTaps(tapIds.value, taps) !== listTaps(storedTaps, taps) && { tap_ids: tapIds.value }),
            },
          })
        }
        onDone={({ correction_id: correctionId }) => {
          onClose();
          showToast(
            t('common.saved'),
            correctionId === null ? null : () => void undoCorrection(correctionId),
          );
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}
