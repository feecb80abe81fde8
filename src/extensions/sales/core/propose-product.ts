import { parseVolume, type VolumeWriting } from '../../../core/kegs/parse-volume.ts';

/** What a product could contain. */
export interface KnownBeverage {
  readonly id: number;
  readonly name: string;
  readonly producer: string;
}

export interface KnownSize {
  readonly id: number;
  readonly volumeMl: number;
  readonly names: readonly string[];
}

export interface ItemTexts {
  readonly name: string;
  readonly variant: string;
  readonly category: string;
}

/** The beverage and the size that the texts of a product name; either may be unknown. */
export interface ProposedProduct {
  readonly beverageId: number | null;
  readonly sizeId: number | null;
}

/** A volume in the name differs less than this from that of its serving size, as a share. */
const tolerance = 0.03;

const draughtWords =
  /\b(?:draft|draught|draughts|on tap|tap beer|pint|pints|fass|fassbier|vom fass|offen|offene|gezapft|pression|barril|cañas?|tap|getapt)\b/iu;
const packagedWords =
  /\b(?:bottle|bottled|can|cans|canned|flasche|fl\.|dose|bouteille|canette|botella|lata|fles|blik)\b/iu;
const volumeText = /(?:[\d.,]+|[½⅓⅔¼¾])\s?(?:ml|cl|dl|l|ltr|liter|litre|oz|fl\.? ?oz|pint|pt)\b/giu;

const toWords = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}½⅓⅔¼¾]+/u)
    .filter((word) => word !== '');

/**
 * Returns the function that finds the beverage whose name has most words in common with a product, all of its own words at best, and
 * the size that the product names.
 */
export function createProductFinder(
  {
    beverages,
    sizes,
  }: { readonly beverages: readonly KnownBeverage[]; readonly sizes: readonly KnownSize[] },
  writing: VolumeWriting,
): (item: ItemTexts) => ProposedProduct {
  const known = beverages.map(({ id, name, producer }) => ({
    id,
    words: toWords(name),
    producerWords: toWords(producer),
  }));
  return (item) => ({
    beverageId: isPackaged(item) ? null : findBeverage(item, known),
    sizeId: isPackaged(item) ? null : findSize(item, sizes, writing),
  });
}

const isPackaged = ({ name, variant }: ItemTexts): boolean => packagedWords.test(`${name} ${variant}`);

function findBeverage(
  item: ItemTexts,
  known: readonly {
    readonly id: number;
    readonly words: readonly string[];
    readonly producerWords: readonly string[];
  }[],
): number | null {
  const words = new Set(toWords(`${item.name} ${item.variant}`));
  let best: { readonly id: number; readonly score: number } | null = null;
  let isTie = false;
  for (const { id, words: own, producerWords } of known) {
    if (own.length === 0 || !own.every((word) => words.has(word))) continue;
    const brewery = producerWords.filter((word) => words.has(word)).length;
    const score = own.length * 10 + brewery;
    isTie = best !== null && score === best.score;
    if (best === null || score > best.score) best = { id, score };
  }
  return best === null || isTie ? null : best.id;
}

function findSize(
  { name, variant }: ItemTexts,
  sizes: readonly KnownSize[],
  writing: VolumeWriting,
): number | null {
  const text = `${variant} ${name}`;
  for (const [written] of text.matchAll(volumeText)) {
    const parsed = parseVolume(written, writing);
    if (parsed.kind !== 'volume') continue;
    const found = sizes.find(({ volumeMl }) => Math.abs(parsed.ml - volumeMl) <= tolerance * volumeMl);
    if (found !== undefined) return found.id;
  }
  const words = new Set(toWords(text));
  const named = sizes.find(({ names }) =>
    names.some((one) => one !== '' && toWords(one).every((word) => words.has(word))),
  );
  if (named !== undefined) return named.id;
  // Litres without their unit, as German tills print them: `Helles 0,5`.
  for (const [, litres] of text.matchAll(/(?:^|\s)(0[.,]\d{1,2}|1[.,]0)(?=\s|$)/g)) {
    const ml = Number(litres!.replace(',', '.')) * 1_000;
    const found = sizes.find(({ volumeMl }) => Math.abs(ml - volumeMl) <= tolerance * volumeMl);
    if (found !== undefined) return found.id;
  }
  return null;
}

/** True for a category whose name says draught. */
export const isDraughtCategory = (category: string): boolean =>
  draughtWords.test(category) && !packagedWords.test(category);
