/** EBC units per SRM unit. */
const ebcPerSrm = 1.97;

/** Colour of a glass of beer by whole SRM units from 1 to 40; darker beer looks the same as 40. */
const colorsBySrm = [
  '#FFE699',
  '#FFD878',
  '#FFCA5A',
  '#FFBF42',
  '#FBB123',
  '#F8A600',
  '#F39C00',
  '#EA8F00',
  '#E58500',
  '#DE7C00',
  '#D77200',
  '#CF6900',
  '#CB6200',
  '#C35900',
  '#BB5100',
  '#B54C00',
  '#B04500',
  '#A63E00',
  '#A13700',
  '#9B3200',
  '#952D00',
  '#8E2900',
  '#882300',
  '#821E00',
  '#7B1A00',
  '#771900',
  '#701400',
  '#6A0E00',
  '#660D00',
  '#5E0B00',
  '#5A0A02',
  '#560A05',
  '#520907',
  '#4C0505',
  '#470606',
  '#440607',
  '#3F0708',
  '#3B0607',
  '#3A070B',
  '#36080A',
] as const;

/** Converts a colour by the European Brewery Convention to the Standard Reference Method, with two decimals. */
export const ebcToSrm = (ebc: number): number => Math.round((ebc / ebcPerSrm) * 100) / 100;

/** Converts a colour by the Standard Reference Method to that of the European Brewery Convention, with one decimal. */
export const srmToEbc = (srm: number): number => Math.round(srm * ebcPerSrm * 10) / 10;

/** Colour of beer on the screen, `#RRGGBB`. */
export function srmToHex(srm: number): string {
  const index = Math.min(Math.max(Math.round(srm), 1), colorsBySrm.length) - 1;
  return colorsBySrm[index]!;
}
