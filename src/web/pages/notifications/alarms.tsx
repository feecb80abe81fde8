import type { Units } from '../../app/format.ts';
import { toFieldSpec } from '../../components/schema-fields.ts';
import { SettingsForm } from '../../components/settings-form.tsx';
import { words } from '../../words/notifications.ts';

const warmField = 'too_warm_c';

/** Alarm thresholds; the temperature is shown in the site's unit. */
export function Alarms({ units }: { readonly units: Units }) {
  const isFahrenheit = units.temperature_units === 'f';
  const toF = (celsius: unknown) =>
    typeof celsius === 'number' ? roundToTenth(celsius * 1.8 + 32) : celsius;
  const toC = (fahrenheit: unknown) =>
    typeof fahrenheit === 'number' ? Math.round(((fahrenheit - 32) / 1.8) * 1_000) / 1_000 : null;
  return (
    <section class="group" aria-labelledby="alarms">
      <h3 id="alarms">{words.alarms}</h3>
      <p class="soft">{words.alarmsWhy}</p>
      <SettingsForm
        path="/admin/alarms"
        resultKey="alarms"
        words={words}
        toField={(schemaField, values) => {
          if (schemaField.name !== warmField) return null;
          const labels = { [warmField]: `${words.labels[warmField]} (${isFahrenheit ? '°F' : '°C'})` };
          return toFieldSpec(schemaField, isFahrenheit ? toF(values[warmField]) : values[warmField], {
            ...words,
            labels,
          });
        }}
        toBody={(values) => (isFahrenheit ? { ...values, [warmField]: toC(values[warmField]) } : values)}
      />
    </section>
  );
}

const roundToTenth = (value: number): number => Math.round(value * 10) / 10;
