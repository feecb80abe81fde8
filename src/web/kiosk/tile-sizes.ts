import { t } from '../locales/locale.ts';
import { fitText, type Measure, type TextBox } from './fit-text.ts';
import { descriptionLineEm, type KioskLayout } from './kiosk-layout.ts';
import type { TileTexts } from './tile-texts.ts';
import type { Fonts } from './use-screen.ts';

/** Sizes of a tile's texts, in em of its ordinary text, and the number of lines for the description. */
export type TileSizes = Readonly<
  Record<
    'descriptionLines' | 'name' | 'maker' | 'facts' | 'tapName' | 'price' | 'level' | 'foot' | 'pouring',
    number
  >
>;

/** Widths of the tap's number and of the running odometer with their distances, in em. The style sheet has sizes to match. */
const numberEm = 2.5;
const odometerEm = 8.8;
const apartEm = 0.8;
/** Size of the serving beside a price. The style sheet has the same figure. */
const servingSize = 0.6;
/** Share of a line that a price may fill. */
const priceShare = 0.5;

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
  const priceWidth = texts.price ? measurePrice(texts.price, fonts.body) : 0;
  const maxPrice = isRow ? 1.25 : 1.5;
  const price =
    priceWidth > 0 ? Math.min(maxPrice, ((isRow ? textEm : headEm) * priceShare) / priceWidth) : maxPrice;
  const besidePrice = priceWidth > 0 ? price * priceWidth + apartEm : 0;
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
    price,
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

const measurePrice = ({ sum, serving }: NonNullable<TileTexts['price']>, measure: Measure): number =>
  measure(sum) + measure(' ') + measure(serving) * servingSize;
