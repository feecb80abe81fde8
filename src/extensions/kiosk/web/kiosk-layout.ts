import type { TextBox } from './fit-text.ts';

/** Size in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Parts of a tile that the options or the data leave out. */
export interface TileParts {
  readonly pictures: boolean;
  readonly descriptions: boolean;
  readonly level: boolean;
  /** The line that shows the running pour, the next beer or the last pour. */
  readonly foot: boolean;
}

/** `tall`: the picture above the text. `wide`: beside it. `row`: small, without description. */
export type TileShape = 'tall' | 'wide' | 'row';

/** Where everything is on a kiosk screen. Lengths named `Em` are in units of `unitPx`. */
export interface KioskLayout {
  readonly shape: TileShape;
  readonly columns: number;
  readonly rows: number;
  /** Margin of the screen and distance between tiles. */
  readonly gapPx: number;
  readonly headPx: number;
  readonly tile: Size;
  /** Size of the ordinary text of a tile. */
  readonly unitPx: number;
  /** Height of the picture of a tall tile, width of the column for it of the others; 0 without one. */
  readonly pictureEm: number;
  readonly descriptionLines: number;
  readonly hasFoot: boolean;
  /** Width of the beer's texts. */
  readonly textEm: number;
  /** Width of the line with the tap's number and the price. */
  readonly headEm: number;
  readonly name: TextBox;
  readonly maker: TextBox;
}

interface LayoutInput {
  readonly taps: number;
  readonly screen: Size;
  readonly parts: TileParts;
  /** Number of columns; null to choose it. */
  readonly columns: number | null;
}

/** Smallest size of a beer's name as a share of the smaller side of the screen: readable from across a bar. */
export const minNameShare = 0.016;
/** Width of a long name, some 50 characters of a wide font, in em of its size. */
const longNameEm = 35;
/** Size of ordinary text that is readable without effort, as a share of the smaller side, and in pixels. */
const comfortableShare = 0.0145;
const comfortablePx = 12;
/** Largest ordinary text: a single tap does not fill a wall. */
const maxUnitShare = 0.045;
const headShare = 0.11;
const gapShare = 0.015;
const maxDescriptionLines = 5;

/** Margins and heights inside a tile, in em. The style sheet has the same figures. */
const paddingEm = { tall: 0.9, wide: 0.9, row: 0.5 } as const;
const blockGapEm = 0.45;
const headLineEm = 2.1;
const factsEm = 1.3;
const levelEm = 2.1;
const footEm = 2.6;
export const descriptionLineEm = 1.3;
/** Last line of a row with what is left and the price, the bar below it, and the distance between the lines. */
const rowFootEm = 1.8;
const levelBarEm = 0.5;
const rowGapEm = 0.2;
const pictureGapEm = 0.9;
/** Smallest and largest pictures, in em. */
const minPictureEm = { tall: 6, wide: 6, row: 5 } as const;
const maxWidePictureEm = 16;
const rowNumberEm = 2;
/** Smallest width of the text, in em. */
const minTextEm = { tall: 12.5, wide: 17, row: 19 } as const;
/** How much a shape tells compared with the others, for equally readable text. */
const shapeValue = { tall: 1, wide: 1, row: 0.75 } as const;

const nameBoxes = {
  tall: { heightEm: 4.35, maxSizeEm: 1.95 },
  wide: { heightEm: 4.35, maxSizeEm: 1.95 },
  row: { heightEm: 3.3, maxSizeEm: 1.5 },
} as const;
const makerBoxes = {
  tall: { heightEm: 2.5, maxSizeEm: 1 },
  wide: { heightEm: 2.5, maxSizeEm: 1 },
  row: { heightEm: 2, maxSizeEm: 1 },
} as const;

/** Aspect of a tile below which it looks like a strip, and below which a picture beside the text leaves much empty. */
const minAspect = 0.42;
const minWideAspect = 1.15;

const shapes: readonly TileShape[] = ['tall', 'wide', 'row'];

/** Chooses columns, rows, the shape of the tiles and the size of the text so that all taps fit on the screen. */
export function computeKioskLayout({ taps, screen, parts, columns }: LayoutInput): KioskLayout {
  const count = Math.max(1, taps);
  const columnChoices = columns === null ? range(1, count) : [Math.min(columns, count)];
  const candidates = columnChoices.flatMap((choice) =>
    shapes.map((shape) => toCandidate({ shape, columns: choice, count, screen, parts })),
  );
  return completeLayout(
    candidates.reduce((best, one) => (one.score > best.score ? one : best)),
    parts,
  );
}

interface CandidateInput {
  readonly shape: TileShape;
  readonly columns: number;
  readonly count: number;
  readonly screen: Size;
  readonly parts: TileParts;
}

type Candidate = ReturnType<typeof toCandidate>;

/** A grid with the text size that it allows, and its score. */
function toCandidate({ shape, columns, count, screen, parts }: CandidateInput) {
  const side = Math.min(screen.width, screen.height);
  const gapPx = Math.round(side * gapShare);
  const headPx = Math.round(side * headShare);
  const rows = Math.ceil(count / columns);
  const tile = {
    width: (screen.width - gapPx * (columns + 1)) / columns,
    height: (screen.height - headPx - gapPx * (rows + 2)) / rows,
  };
  const unitPx = Math.min(
    tile.width / minWidthEm(shape, parts),
    tile.height / minHeightEm(shape, parts),
    side * maxUnitShare,
  );
  const comfort = Math.max(comfortablePx, side * comfortableShare);
  const readable = Math.min(1, unitPx / comfort) ** 1.5;
  const textPx =
    tile.width - (2 * paddingEm[shape] + besideEm(shape, minPictureOf(shape, parts.pictures))) * unitPx;
  const large = 1 + 0.1 * Math.min(1, unitPx / (3 * comfort)) + 0.1 * Math.min(1, textPx / (0.4 * side));
  // A long name must fit into two lines at its smallest size.
  const named = Math.min(1, (2 * textPx) / (longNameEm * minNameShare * side)) ** 4;
  const filled = 1 - 0.15 * (1 - count / (rows * columns));
  const aspect = tile.width / tile.height;
  const isOdd = aspect < minAspect || (shape === 'wide' && aspect < minWideAspect);
  const proportion = isOdd ? 0.85 : 1;
  const score = shapeValue[shape] * readable * large * filled * proportion * named;
  return { shape, columns, rows, gapPx, headPx, tile, unitPx, side, score };
}

function minWidthEm(shape: TileShape, { pictures }: TileParts): number {
  return 2 * paddingEm[shape] + besideEm(shape, minPictureOf(shape, pictures)) + minTextEm[shape];
}

/** Smallest picture; without pictures a row has the number of its tap in their place. */
const minPictureOf = (shape: TileShape, pictures: boolean): number =>
  pictures ? minPictureEm[shape] : shape === 'row' ? rowNumberEm : 0;

/** Width of what stands beside the text. */
const besideEm = (shape: TileShape, pictureEm: number): number =>
  shape === 'tall' || pictureEm === 0 ? 0 : pictureEm + pictureGapEm;

function minHeightEm(shape: TileShape, parts: TileParts): number {
  const description = parts.descriptions && shape !== 'row' ? 2 * descriptionLineEm : 0;
  const picture = parts.pictures && shape === 'tall' ? minPictureEm.tall : 0;
  return textHeightEm(shape, parts) + description + picture;
}

/** Height of everything in a tile except the picture and the description. */
function textHeightEm(shape: TileShape, { level, foot, descriptions }: TileParts): number {
  const texts = nameBoxes[shape].heightEm + makerBoxes[shape].heightEm;
  if (shape === 'row') return 2 * paddingEm.row + texts + rowFootEm + levelBarEm + 3 * rowGapEm;
  const blocks = headLineEm + factsEm + (level ? levelEm : 0) + (foot ? footEm : 0);
  // Between the areas of the grid, also empty ones, and between the beer's texts.
  const gaps = (shape === 'tall' ? 4 : 3) + 2 + (descriptions ? 1 : 0);
  return 2 * paddingEm[shape] + texts + blocks + gaps * blockGapEm;
}

function completeLayout(candidate: Candidate, parts: TileParts): KioskLayout {
  const { shape, columns, rows, gapPx, headPx, tile, unitPx, side } = candidate;
  const widthEm = tile.width / unitPx;
  const spareEm = tile.height / unitPx - textHeightEm(shape, parts);
  const descriptionLines =
    shape === 'row' || !parts.descriptions ? 0 : countDescriptionLines(shape, spareEm, parts);
  const pictureEm = parts.pictures
    ? sizePicture(shape, { widthEm, spareEm: spareEm - descriptionLines * descriptionLineEm })
    : minPictureOf(shape, false);
  const textEm = widthEm - 2 * paddingEm[shape] - besideEm(shape, pictureEm);
  const minNameEm = (side * minNameShare) / unitPx;
  return {
    shape,
    columns,
    rows,
    gapPx,
    headPx,
    tile,
    unitPx,
    pictureEm,
    descriptionLines,
    hasFoot: parts.foot && shape !== 'row',
    textEm,
    headEm: shape === 'wide' ? textEm : widthEm - 2 * paddingEm[shape],
    name: {
      ...nameBoxes[shape],
      widthEm: textEm,
      maxLines: 2,
      lineHeight: 1.1,
      minSizeEm: Math.min(nameBoxes[shape].maxSizeEm, Math.max(0.65, minNameEm)),
    },
    maker: { ...makerBoxes[shape], widthEm: textEm, maxLines: 2, lineHeight: 1.25, minSizeEm: 0.5 },
  };
}

/** A tall tile gives its spare height to the picture first; a wide one to the description. */
function countDescriptionLines(shape: TileShape, spareEm: number, { pictures }: TileParts): number {
  const forPicture = shape === 'tall' && pictures ? Math.max(minPictureEm.tall, spareEm * 0.6) : 0;
  const lines = Math.floor((spareEm - forPicture) / descriptionLineEm + 1e-6);
  return Math.min(maxDescriptionLines, Math.max(shape === 'tall' ? 2 : 0, lines));
}

function sizePicture(shape: TileShape, { widthEm, spareEm }: { widthEm: number; spareEm: number }): number {
  if (shape === 'tall') return spareEm;
  if (shape === 'row') return minPictureEm.row;
  const spareWidthEm = widthEm - 2 * paddingEm.wide - pictureGapEm - minTextEm.wide;
  return Math.min(maxWidePictureEm, spareWidthEm, Math.max(minPictureEm.wide, widthEm * 0.3));
}

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
