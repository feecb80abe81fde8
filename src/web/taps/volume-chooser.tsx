import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { formatQuantity, type Units, volume } from '../format.ts';
import { say } from '../words/say.ts';
import { Choice } from './drink-dialog.tsx';

const mlPerOz = 29.5735295625;
/** Glasses of the two worlds, millilitres. */
const glassesMl = {
  metric: [100, 200, 250, 300, 330, 400, 500],
  imperial: [4, 8, 10, 12, 16, 20].map((oz) => oz * mlPerOz),
} as const;
/** The most that can be typed: a large keg, millilitres. */
const mostMl = 100_000;

interface VolumeChooserProps {
  readonly currentMl: number | null;
  readonly units: Units;
  onChoose(ml: number): void;
}

/** How much it was: one of the house's glasses, or a figure. */
export function VolumeChooser({ currentMl, units, onChoose }: VolumeChooserProps) {
  const id = useId();
  const figure = useSignal('');
  const [unit, mlPerUnit] =
    units.volume_units === 'imperial' ? (['oz', mlPerOz] as const) : (['mL', 1] as const);
  const typed = Number(figure.value.replace(',', '.'));
  const isGood = figure.value.trim() !== '' && typed >= 0 && typed * mlPerUnit <= mostMl;
  return (
    <fieldset class="choice">
      <legend>{say.howMuch}</legend>
      {glassesMl[units.volume_units].map((ml) => (
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
          if (isGood) onChoose(typed * mlPerUnit);
        }}
      >
        <label class="unseen" for={id}>
          {say.otherVolume(unit)}
        </label>
        <input
          id={id}
          class="chip-input"
          inputmode="decimal"
          autocomplete="off"
          placeholder={unit}
          value={figure.value}
          onInput={(event) => {
            figure.value = event.currentTarget.value;
          }}
        />
        <button type="submit" class="chip" aria-disabled={!isGood}>
          {say.set}
        </button>
      </form>
    </fieldset>
  );
}
