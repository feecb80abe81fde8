import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { KegSize, NewKeg } from '../../api/generated.ts';
import { formatQuantity, type Units, volume } from '../../app/format.ts';
import { Choice } from '../../components/form/choice.tsx';
import { decideTyped, volumeHint } from '../../components/form/typed-volume.ts';
import { t } from '../../locales/locale.ts';

/** Largest volume of a keg whose size is unknown, millilitres: a large cask. */
export const maxOtherMl = 500_000;
/** The size that is chosen first: 50 L, in the US 15.5 gallons. */
const usualSizes: Readonly<Record<Units['volume_units'], string>> = {
  metric: 'euro-half',
  uk: 'euro-half',
  us: 'half-barrel',
};
/** The unit in which the volume of a keg is typed. */
export const litre = { unit: 'L', ml: 1_000 };

type KegFill = Pick<NewKeg, 'keg_type' | 'full_volume_ml'>;

/** Size and starting volume in a form for a new keg. */
export interface KegFillState {
  readonly sizes: Signal<readonly KegSize[]>;
  readonly sizeKey: Signal<string>;
  readonly isFull: Signal<boolean>;
  readonly text: Signal<string>;
  readonly error: Signal<string | null>;
}

/** The smallest first; the one without a volume last. */
export const sortBySize = (sizes: readonly KegSize[]): readonly KegSize[] =>
  [...sizes].sort((a, b) => (a.volume_ml || Infinity) - (b.volume_ml || Infinity));

/** Creates the state and loads the keg sizes. */
export function useKegFill({ volume_units: system }: Units): KegFillState {
  const state = {
    sizes: useSignal<readonly KegSize[]>([]),
    sizeKey: useSignal<string>(usualSizes[system]),
    isFull: useSignal(true),
    text: useSignal(''),
    error: useSignal<string | null>(null),
  };
  useEffect(() => {
    void request('GET /keg-sizes').then((answer) => {
      if (answer.ok) state.sizes.value = sortBySize(answer.result.keg_sizes);
    });
  }, []);
  return state;
}

/** Returns size and volume as the API expects them; null when the volume is refused, which is shown then. */
export function readKegFill(state: KegFillState, units: Units): KegFill | null {
  const size = chosenSize(state);
  if (size === undefined) return null;
  const keg_type = size.key as NonNullable<NewKeg['keg_type']>;
  if (isFilledFully(state)) return { keg_type };
  const decision = decideTyped(state.text.value, fillLimits(size), units, litre);
  state.error.value = decision.kind === 'refuse' ? decision.sentence : null;
  return decision.kind === 'refuse' ? null : { keg_type, full_volume_ml: decision.ml };
}

/** Chooses the size of a new keg, then whether it is full or how much is in it. */
export function KegFillFields({ state, units }: { readonly state: KegFillState; readonly units: Units }) {
  const id = useId();
  const { sizes, sizeKey, isFull, text, error } = state;
  const size = chosenSize(state);
  const format = (ml: number) => formatQuantity(volume(ml, units));
  return (
    <>
      <label class="field" for={`${id}-size`}>
        {t('kegs.kegSize')}
        <select
          id={`${id}-size`}
          required
          value={size?.key}
          onChange={(event) => {
            sizeKey.value = event.currentTarget.value;
            error.value = null;
          }}
        >
          {sizes.value.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {size && size.volume_ml > 0 && (
        <fieldset class="choice">
          <legend>{t('kegs.filling')}</legend>
          <Choice isChosen={isFull.value} onChoose={() => (isFull.value = true)}>
            {t('kegs.fillFull', { volume: format(size.volume_ml) })}
          </Choice>
          <Choice isChosen={!isFull.value} onChoose={() => (isFull.value = false)}>
            {t('kegs.fillPart')}
          </Choice>
        </fieldset>
      )}
      {size && !isFilledFully(state) && (
        <label class="field" for={`${id}-volume`}>
          {t('kegs.fillVolume')}
          <input
            id={`${id}-volume`}
            autocomplete="off"
            maxLength={20}
            value={text.value}
            aria-invalid={error.value !== null}
            aria-describedby={`${id}-hint`}
            onInput={(event) => {
              text.value = event.currentTarget.value;
              error.value = null;
            }}
          />
          <span class="soft" id={`${id}-hint`}>
            {volumeHint(fillLimits(size).maxMl, units, litre)}
          </span>
          <span class="refusal" role="alert">
            {error.value}
          </span>
        </label>
      )}
    </>
  );
}

const chosenSize = ({ sizes, sizeKey }: KegFillState): KegSize | undefined =>
  sizes.value.find(({ key }) => key === sizeKey.value) ?? sizes.value[0];

/** A keg without a usual size is never full: its volume is typed. */
const isFilledFully = (state: KegFillState): boolean =>
  state.isFull.value && (chosenSize(state)?.volume_ml ?? 0) > 0;

/** What can be in a new keg of that size. */
function fillLimits({ volume_ml: ml }: KegSize) {
  const maxMl = ml > 0 ? ml : maxOtherMl;
  return { leftMl: maxMl, maxMl };
}
