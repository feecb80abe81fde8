import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { LiveTap, SnapshotMessage } from '../../../http/live/shapes.ts';
import { formatQuantity, volume } from '../../app/format.ts';
import { servingSizesAt, servingText } from '../../app/serving-sizes.ts';
import { servingUnit } from '../../app/volume-units.ts';
import { Choice } from '../../components/form/choice.tsx';
import {
  decideTyped,
  decideVolume,
  type VolumeDecision,
  type VolumeLimits,
  volumeHint,
} from '../../components/form/typed-volume.ts';
import { t } from '../../locales/locale.ts';

interface VolumePickerProps {
  readonly currentMl: number | null;
  readonly limits: VolumeLimits;
  /** Null: the sizes of the site are offered. */
  readonly tap: LiveTap | null;
  readonly snapshot: SnapshotMessage;
  onChoose(ml: number): void;
}

/**
 * Chooses a volume: a serving size of the tap, or a typed one. A volume above what the keg has left must be confirmed, one above its
 * size is refused.
 */
export function VolumePicker({ currentMl, limits, tap, snapshot, onChoose }: VolumePickerProps) {
  const id = useId();
  const text = useSignal('');
  const decision = useSignal<VolumeDecision | null>(null);
  const { unit } = servingUnit(snapshot);

  function choose(next: VolumeDecision) {
    decision.value = next.kind === 'take' ? null : next;
    if (next.kind === 'take') onChoose(next.ml);
  }

  const asked = decision.value?.kind === 'ask' ? decision.value : null;
  const refused = decision.value?.kind === 'refuse' ? decision.value : null;
  return (
    <fieldset class="choice">
      <legend>{t('drinks.howMuch')}</legend>
      {servingSizesAt(tap, snapshot).map((size) => (
        <Choice
          key={servingText(size, snapshot)}
          isChosen={currentMl !== null && Math.abs(size.volume_ml - currentMl) < 0.5}
          onChoose={() => choose(decideVolume(size.volume_ml, limits, snapshot))}
        >
          {servingText(size, snapshot)}
        </Choice>
      ))}
      <form
        class="chip-form"
        onSubmit={(event) => {
          event.preventDefault();
          choose(decideTyped(text.value, limits, snapshot));
        }}
      >
        <label class="visually-hidden" for={id}>
          {t('drinks.otherVolume', { unit })}
        </label>
        <input
          id={id}
          class="chip-input"
          autocomplete="off"
          placeholder={unit}
          maxLength={20}
          value={text.value}
          aria-invalid={refused !== null}
          aria-describedby={`${id}-hint`}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            decision.value = null;
          }}
        />
        <button type="submit" class="chip">
          {t('drinks.set')}
        </button>
      </form>
      <p class="choice-why" id={`${id}-hint`}>
        {volumeHint(limits.maxMl, snapshot)}
      </p>
      <p class="refusal" role="alert">
        {asked?.question ?? refused?.sentence}
      </p>
      {asked && (
        <Choice onChoose={() => onChoose(asked.ml)}>
          {t('volume.confirm', { volume: formatQuantity(volume(asked.ml, snapshot)) })}
        </Choice>
      )}
    </fieldset>
  );
}
