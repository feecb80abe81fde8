import { mlPerOz, mlPerUkPint, type VolumeUnits } from './volume-units.ts';

/** A size in which a site sells drinks. */
export interface ServingSize {
  readonly id: number;
  readonly volumeMl: number;
  /** Empty: the volume is its name. */
  readonly name: string;
  /** Names in further languages, by language tag. */
  readonly names: Readonly<Record<string, string>>;
}

type NewServingSize = Omit<ServingSize, 'id'>;

const unnamed = (volumeMl: number): NewServingSize => ({ volumeMl, name: '', names: {} });

/** The sizes of a site that has not chosen its own. UK: the measures in which draught beer may be sold there. */
export const defaultServingSizes: Readonly<Record<VolumeUnits, readonly NewServingSize[]>> = {
  metric: [200, 300, 400, 500].map(unnamed),
  us: [
    { volumeMl: 4 * mlPerOz, name: 'Taster', names: { de: 'Probierglas' } },
    unnamed(10 * mlPerOz),
    { volumeMl: 16 * mlPerOz, name: 'Pint', names: {} },
  ],
  uk: [1 / 3, 1 / 2, 2 / 3, 1].map((pints) => unnamed(pints * mlPerUkPint)),
};

/** Most sizes of a site; more would not fit beside each other on a menu. */
export const maxServingSizes = 12;

/** Most languages of a size's name. */
export const maxNameLanguages = 12;

/** A language tag that can have a name of its own. */
export const languageTagPattern = '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$';
