import { type Signal, useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { ebcToSrm, srmToEbc, srmToHex } from '../../../../core/kegs/beer-color.ts';
import type { BeerType } from '../../../api/generated.ts';
import { locale, t } from '../../../locales/locale.ts';
import { beerColor } from '../keg-drawing.tsx';

/** Largest colour in EBC units; the darkest beers have about 200. */
export const maxEbc = 300;

/** Swatches of the usual colours, SRM. */
const swatches = [
  { name: 'straw', srm: 3 },
  { name: 'gold', srm: 5 },
  { name: 'amber', srm: 9 },
  { name: 'copper', srm: 14 },
  { name: 'brown', srm: 20 },
  { name: 'darkBrown', srm: 28 },
  { name: 'black', srm: 40 },
] as const;

/** The colour of a beer while it is edited: one number, typed as EBC or SRM, and the colour on the screen. */
export interface BeerColorState {
  readonly ebc: Signal<string>;
  readonly srm: Signal<string>;
  readonly hex: Signal<string>;
}

const formatNumber = (value: number): string =>
  value.toLocaleString(locale, { maximumFractionDigits: 2, useGrouping: false });

const parseNumber = (text: string): number | null => {
  const value = Number(text.trim().replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(value) ? null : value;
};

/** Creates the state from a beer. */
export function useBeerColor(beer: BeerType | null): BeerColorState {
  const srm = beer?.srm ?? null;
  return {
    ebc: useSignal(srm === null ? '' : formatNumber(srmToEbc(srm))),
    srm: useSignal(srm === null ? '' : formatNumber(srm)),
    hex: useSignal(beerColor(beer?.color_hex)),
  };
}

/** Puts the colour of a beer in place of what was typed. */
export function takeBeerColor({ ebc, srm, hex }: BeerColorState, beer: BeerType | null) {
  const value = beer?.srm ?? null;
  ebc.value = value === null ? '' : formatNumber(srmToEbc(value));
  srm.value = value === null ? '' : formatNumber(value);
  hex.value = beerColor(beer?.color_hex);
}

/** A colour as one text, to be compared. */
export const describeBeerColor = (
  color: { readonly srm?: number | null; readonly color_hex?: string } | null,
): string =>
  color === null ? '' : `${color.srm == null ? '–' : formatNumber(color.srm)} ${beerColor(color.color_hex)}`;

/** Returns the values to store, or the fault of what was typed. */
export function readBeerColor({ ebc, srm, hex }: BeerColorState) {
  const value = parseNumber(srm.value);
  const isWrong =
    (value === null && (srm.value.trim() !== '' || ebc.value.trim() !== '')) || (value ?? 0) < 0;
  if (isWrong || srmToEbc(value ?? 0) > maxEbc)
    return { fault: t('beers.colorRange', { most: maxEbc }) } as const;
  return { values: { srm: value, color_hex: hex.value } } as const;
}

interface BeerColorFieldProps {
  readonly state: BeerColorState;
  readonly fault: string | undefined;
}

/** Edits the colour of a beer: swatches, a number in EBC or SRM, and the colour on the screen. */
export function BeerColorField({ state, fault }: BeerColorFieldProps) {
  const id = useId();
  const { ebc, srm, hex } = state;

  function showColor() {
    const value = parseNumber(srm.value);
    if (value !== null && value >= 0) hex.value = srmToHex(value);
  }
  function setEbc(text: string) {
    const value = parseNumber(text);
    ebc.value = text;
    srm.value = value === null ? '' : formatNumber(ebcToSrm(value));
    showColor();
  }
  function setSrm(text: string) {
    const value = parseNumber(text);
    srm.value = text;
    ebc.value = value === null ? '' : formatNumber(srmToEbc(value));
    showColor();
  }

  const numbers = [
    { key: 'ebc', label: t('beers.ebc'), text: ebc.value, set: setEbc },
    { key: 'srm', label: t('beers.srm'), text: srm.value, set: setSrm },
  ];
  return (
    <fieldset class="color-field">
      <legend>{t('beers.color')}</legend>
      <div class="swatches">
        {swatches.map(({ name, srm: value }) => (
          <button
            key={name}
            type="button"
            class="swatch"
            aria-pressed={parseNumber(srm.value) === value}
            onClick={() => setSrm(formatNumber(value))}
          >
            <svg viewBox="0 0 10 10" aria-hidden="true" preserveAspectRatio="none">
              <rect width="10" height="10" fill={srmToHex(value)} />
            </svg>
            {t(`beers.colors.${name}`)}
          </button>
        ))}
      </div>
      <div class="color-numbers">
        {numbers.map(({ key, label, text, set }) => (
          <label key={key} class="field" for={`${id}-${key}`}>
            {label}
            <input
              id={`${id}-${key}`}
              type="text"
              inputmode="decimal"
              autocomplete="off"
              maxLength={10}
              value={text}
              aria-invalid={fault !== undefined}
              aria-describedby={fault === undefined ? undefined : `${id}-fault`}
              onInput={(event) => set(event.currentTarget.value)}
            />
          </label>
        ))}
        <label class="field" for={`${id}-hex`}>
          {t('beers.screenColor')}
          <input
            id={`${id}-hex`}
            type="color"
            // Without a default the form's reset would leave no valid colour.
            defaultValue={toLongHex(hex.value)}
            value={toLongHex(hex.value)}
            onInput={(event) => (hex.value = event.currentTarget.value)}
          />
        </label>
      </div>
      {fault !== undefined && (
        <span class="refusal" id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </fieldset>
  );
}

/** Colour inputs take `#rrggbb` only. */
const toLongHex = (hex: string): string =>
  hex.length === 4 ? hex.replace(/[0-9a-f]/gi, '$&$&').toLowerCase() : hex.toLowerCase();
