import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { formatQuantity, type Units, volume } from '../../app/format.ts';
import { servingsMl, servingUnit } from '../../app/volume-units.ts';
import { Choice } from '../../components/choice.tsx';
import { t } from '../../locales/locale.ts';

/** Largest volume that can be typed, millilitres: a large keg. */
const maxMl = 100_000;

interface VolumePickerProps {
  readonly currentMl: number | null;
  readonly units: Units;
  onChoose(ml: number): void;
}

/** Chooses a volume: a usual serving, or a typed figure. */
export function VolumePicker({ currentMl, units, onChoose }: VolumePickerProps) {
  const id = useId();
  const text = useSignal('');
  const { unit, ml: mlPerUnit } = servingUnit(units);
  const typed = Number(text.value.replace(',', '.'));
  const isValid = text.value.trim() !== '' && typed >= 0 && typed * mlPerUnit <= maxMl;
  return (
    <fieldset class="choice">
      <legend>{t('drinks.howMuch')}</legend>
      {servingsMl[units.volume_units].map((ml) => (
        <Choice
          key={ml}
          isChosen={currentMl !== null && Math.abs(ml - currentMl) < 0.5}
          onChoose={() => onChoose(ml)}
        >
          {formatQuantity(volume(ml, units))}
        </Choice>
      ))}
      <form
        class="chip-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isValid) onChoose(typed * mlPerUnit);
        }}
      >
        <label class="visually-hidden" for={id}>
          {t('drinks.otherVolume', { unit })}
        </label>
        <input
          id={id}
          class="chip-input"
          inputmode="decimal"
          autocomplete="off"
          placeholder={unit}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        <button type="submit" class="chip" aria-disabled={!isValid}>
          {t('drinks.set')}
        </button>
      </form>
    </fieldset>
  );
}
