import { toFieldSpec } from '../../components/schema-fields.ts';
import { SettingsForm } from '../../components/settings-form.tsx';
import type { Units } from '../../format.ts';
import { words } from '../../words/office.ts';

const warm = 'too_warm_c';

/** From when on staff are told that beer is warm or a board silent; a warmth in the scale of the house. */
export function Alarms({ units }: { readonly units: Units }) {
  const isF = units.temperature_units === 'f';
  const toF = (celsius: unknown) => (typeof celsius === 'number' ? tenth(celsius * 1.8 + 32) : celsius);
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
        toField={(declared, values) => {
          if (declared.name !== warm) return null;
          const labels = { [warm]: `${words.labels[warm]} (${isF ? '°F' : '°C'})` };
          return toFieldSpec(declared, isF ? toF(values[warm]) : values[warm], { ...words, labels });
        }}
        toBody={(values) => (isF ? { ...values, [warm]: toC(values[warm]) } : values)}
      />
    </section>
  );
}

const tenth = (value: number): number => Math.round(value * 10) / 10;
