import { fromCelsius, temperatureSign, toCelsius } from '../../../core/temperatures/temperature-units.ts';
import type { Units } from '../../app/format.ts';
import { listFieldLabels, type SchemaField, toFieldSpec } from '../../components/form/schema-fields.ts';
import { SettingsForm } from '../../components/form/settings-form.tsx';
import { t } from '../../locales/locale.ts';

const warmField = 'too_warm_c';

/** Alarm thresholds; the temperature is shown in the site's unit. */
export function Alarms({ units }: { readonly units: Units }) {
  const fieldLabels = listFieldLabels('notifications.labels', 'notifications.choices');
  const { temperature_units: scale } = units;
  const isFahrenheit = scale === 'f';
  const toTyped = (celsius: unknown) =>
    typeof celsius === 'number' ? roundToTenth(fromCelsius(celsius, scale)) : celsius;
  const toC = (typed: unknown) =>
    typeof typed === 'number' ? Math.round(toCelsius(typed, scale) * 1_000) / 1_000 : null;
  return (
    <section class="group" aria-labelledby="alarms">
      <h3 id="alarms">{t('alarms.title')}</h3>
      <p class="soft">{t('alarms.why')}</p>
      <SettingsForm
        path="/admin/alarms"
        resultKey="alarms"
        fieldLabels={fieldLabels}
        toField={(schemaField, values) => {
          if (schemaField.name !== warmField) return null;
          const labels = {
            [warmField]: `${t(`notifications.labels.${warmField}`)} (${temperatureSign(scale)})`,
          };
          const field = isFahrenheit ? inFahrenheit(schemaField) : schemaField;
          return toFieldSpec(field, isFahrenheit ? toTyped(values[warmField]) : values[warmField], {
            ...fieldLabels,
            labels,
          });
        }}
        toBody={(values) => (isFahrenheit ? { ...values, [warmField]: toC(values[warmField]) } : values)}
      />
    </section>
  );
}

/** The field with its bounds in °F. */
const inFahrenheit = ({ minimum, maximum, ...field }: SchemaField): SchemaField => ({
  ...field,
  ...(minimum !== undefined && { minimum: fromCelsius(minimum, 'f') }),
  ...(maximum !== undefined && { maximum: fromCelsius(maximum, 'f') }),
});

const roundToTenth = (value: number): number => Math.round(value * 10) / 10;
