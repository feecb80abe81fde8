import { type Signal, useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Keg, KegSize } from '../../../api/generated.ts';
import type { DisplayText } from '../../../app/error-text.ts';
import { formatQuantity, type Units, volume } from '../../../app/format.ts';
import { decideTyped, volumeHint } from '../../../components/form/typed-volume.ts';
import { t } from '../../../locales/locale.ts';
import { litre, maxOtherMl, sortBySize } from '../keg-fill.tsx';

/** Size and starting volume of a keg in a form. */
interface KegVolumeState {
  readonly sizes: readonly KegSize[];
  readonly sizeKey: Signal<string>;
  readonly text: Signal<string>;
  /** The volume that the text stands for, millilitres; null once it is typed. */
  readonly shownMl: Signal<number | null>;
  readonly currentMl: number;
  /** The size that the keg has. */
  readonly currentKey: string;
}

const formatMl = (ml: number, units: Units) => formatQuantity(volume(ml, units));

/** Creates the state with the values of a keg. */
export function useKegVolume(keg: Keg, sizes: readonly KegSize[], units: Units): KegVolumeState {
  const currentKey = sizes.find(({ id }) => id === keg.size_id)?.key ?? 'other';
  return {
    sizes: sortBySize(sizes),
    sizeKey: useSignal(currentKey),
    currentKey,
    text: useSignal(formatMl(keg.full_volume_ml, units)),
    shownMl: useSignal<number | null>(keg.full_volume_ml),
    currentMl: keg.full_volume_ml,
  };
}

/** Size and volume as the form edits them. */
export function editKegVolume(state: KegVolumeState, units: Units) {
  const { sizes, sizeKey, text, shownMl, currentKey, currentMl } = state;
  const nameOf = (key: string) => sizes.find((size) => size.key === key)?.name ?? key;
  const describe = (key: string, volume: string) => `${nameOf(key)}, ${volume}`;
  const stored = formatMl(currentMl, units);
  return {
    stored: describe(currentKey, stored),
    typed: describe(sizeKey.value, shownMl.value === currentMl ? stored : text.value),
    take() {
      sizeKey.value = currentKey;
      text.value = stored;
      shownMl.value = currentMl;
    },
  };
}

type KegVolume =
  | { readonly kind: 'keep' }
  | { readonly kind: 'take'; readonly ml: number }
  | { readonly kind: 'refuse'; readonly sentence: string };

/** The starting volume of the form; a text that nobody typed keeps its exact volume. */
export function readKegVolume({ text, shownMl, currentMl }: KegVolumeState, units: Units): KegVolume {
  const shown = shownMl.value;
  if (shown !== null) return shown === currentMl ? { kind: 'keep' } : { kind: 'take', ml: shown };
  const decision = decideTyped(text.value, { leftMl: maxOtherMl, maxMl: maxOtherMl }, units, litre);
  return decision.kind === 'refuse' ? decision : { kind: 'take', ml: decision.ml };
}

interface KegVolumeFieldsProps {
  readonly state: KegVolumeState;
  readonly units: Units;
  readonly fault: DisplayText | undefined;
}

/** Size and starting volume; another size offers its volume. */
export function KegVolumeFields({ state, units, fault }: KegVolumeFieldsProps) {
  const id = useId();
  const { sizes, sizeKey, text, shownMl } = state;
  return (
    <>
      <label class="field" for={`${id}-size`}>
        {t('kegs.kegSize')}
        <select
          id={`${id}-size`}
          value={sizeKey.value}
          onChange={(event) => {
            sizeKey.value = event.currentTarget.value;
            const ml = sizes.find(({ key }) => key === sizeKey.value)?.volume_ml ?? 0;
            if (ml === 0) return;
            shownMl.value = ml;
            text.value = formatMl(ml, units);
          }}
        >
          {sizes.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field" for={`${id}-volume`}>
        {t('kegs.startingVolume')}
        <input
          id={`${id}-volume`}
          autocomplete="off"
          maxLength={20}
          required
          value={text.value}
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-hint${fault === undefined ? '' : ` ${id}-fault`}`}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            shownMl.value = null;
          }}
        />
        <span class="soft" id={`${id}-hint`}>
          {volumeHint(maxOtherMl, units, litre)}
        </span>
        {fault !== undefined && (
          <span class="refusal" id={`${id}-fault`}>
            {fault}
          </span>
        )}
      </label>
    </>
  );
}
