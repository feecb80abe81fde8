import { t } from '../../../web/locales/locale.ts';
import { fitText, type TextBox } from './fit-text.ts';
import { descriptionLineEm, type KioskLayout } from './kiosk-layout.ts';
import { arrangePrices, type PriceBox, type PriceGrid } from './tile-prices.ts';
import type { TileTexts } from './tile-texts.ts';
import type { Fonts } from './use-screen.ts';

/** Sizes of a tile's texts, in em of its ordinary text, the number of lines for the description, and the prices. */
export interface TileSizes
  extends Readonly<
    Record<'descriptionLines' | 'name' | 'maker' | 'facts' | 'tapName' | 'level' | 'foot' | 'pouring', number>
  > {
  /** Null without prices. */
  readonly prices: PriceGrid | null;
}

/** Widths of the tap's number and of the running odometer with their distances, in em. The style sheet has sizes to match. */
const numberEm = 2.5;
const odometerEm = 8.8;
const apartEm = 0.8;
/** Share of a line that prices may fill in any case, and the width that several leave to what stands beside them. */
const priceShare = 0.5;
const besidePricesEm = { name: 4.5, level: 6 } as const;
/** Largest size of prices in one line, and in two lines of 1.1 in the height of the tap's number. */
const maxPricesEm = { row: [1.25], other: [1.5, 0.95] } as const;

interface SizeInput {
  readonly texts: TileTexts;
  readonly tapName: string;
  readonly layout: KioskLayout;
  readonly fonts: Fonts;
}

/** Computes the size of each text of a tile, so that all fit. */
export function sizeTile({ texts, tapName, layout, fonts }: SizeInput): TileSizes {
  const { shape, textEm, headEm, name, maker } = layout;
  const isRow = shape === 'row';
  const sizeOf = (text: string | null, box: Partial<TextBox> & { readonly widthEm: number }) =>
    text === null ? 1 : fitText(text, { ...oneLine, ...box }, fonts.body).sizeEm;
  const prices = arrangePrices(texts.prices, toPriceBox({ texts, tapName, layout }), fonts.body);
  const besidePrice = prices === null ? 0 : prices.widthEm + apartEm;
  const levelText = texts.level && `${texts.level.left}${isRow ? '' : `  ${texts.level.note}`}`;
  const fittedName = fitText(texts.name, name, fonts.display);
  const fittedMaker = fitText(texts.maker ?? '', maker, fonts.body);
  const spareEm = name.heightEm - fittedName.heightEm + maker.heightEm - fittedMaker.heightEm;
  const spareLines = Math.max(0, Math.floor(spareEm / descriptionLineEm));
  return {
    name: fittedName.sizeEm,
    maker: fittedMaker.sizeEm,
    descriptionLines: layout.descriptionLines === 0 ? 0 : layout.descriptionLines + spareLines,
    facts: sizeOf(texts.facts, { widthEm: textEm, minSizeEm: 0.6 }),
    tapName: sizeOf(tapName, { widthEm: headEm - numberEm - besidePrice, heightEm: 2.1, maxLines: 2 }),
    prices,
    level: sizeOf(levelText, { widthEm: isRow ? textEm - besidePrice : textEm - apartEm }),
    foot: sizeOf(texts.foot, { widthEm: textEm, heightEm: 2.6, maxLines: 2 }),
    pouring: sizeOf(t('taps.pouring'), { widthEm: textEm - odometerEm, maxSizeEm: 1.2 }),
  };
}

const oneLine = {
  heightEm: 1.5,
  maxLines: 1,
  lineHeight: 1.25,
  maxSizeEm: 1,
  minSizeEm: 0.5,
} as const;

function toPriceBox({ texts, tapName, layout }: Omit<SizeInput, 'fonts'>): PriceBox {
  const { shape, textEm, headEm } = layout;
  const isRow = shape === 'row';
  const lineEm = isRow ? textEm : headEm;
  const levelEm = texts.level === null ? 0 : besidePricesEm.level + apartEm;
  const tapEm = numberEm + apartEm + (tapName === '' ? 0 : besidePricesEm.name);
  return {
    singleWidthEm: lineEm * priceShare,
    severalWidthEm: Math.max(lineEm * priceShare, lineEm - (isRow ? levelEm : tapEm)),
    maxSizesEm: isRow ? maxPricesEm.row : maxPricesEm.other,
  };
}
