import {
  formatOpeningHours,
  type OpeningHours,
  parseOpeningHours,
} from '../../../core/clock/opening-hours.ts';

/** Parts of the kiosk that can be hidden. */
export const kioskParts = [
  'pictures',
  'description',
  'price',
  'level',
  'pours',
  'next',
  'temperature',
  'logo',
] as const;
export type KioskPart = (typeof kioskParts)[number];

/** Options in the query of a kiosk's URL. */
export interface KioskOptions {
  /** `taps=1,3`: ids of the taps to show; null for all. */
  readonly taps: readonly string[] | null;
  /** `columns=3`: number of columns, 1…8; null to choose it by the screen. */
  readonly columns: number | null;
  /** `open=16:00-02:00`: the screen is dimmed outside these hours, `open=off`: never; null for the site's opening hours. */
  readonly open: OpeningHours | 'off' | null;
  /** `menu=off`, or another URL for the QR code; null for this site's menu. */
  readonly menu: string | null;
  /** `hide=price,next`: parts that are not shown. */
  readonly hide: ReadonlySet<KioskPart>;
  /** `drinkers=on`: shows who poured last, if the site shows drinkers. */
  readonly drinkers: boolean;
  /** `theme=dark`; null for that of the device. */
  readonly theme: 'light' | 'dark' | null;
  /** `lang=de`; null for that of the device. */
  readonly lang: string | null;
}

export const maxColumns = 8;

/** Parses the options; invalid values are ignored. */
export function parseKioskOptions(query: URLSearchParams): KioskOptions {
  const columns = Number(query.get('columns'));
  const menu = query.get('menu');
  const open = query.get('open');
  const theme = query.get('theme');
  const lang = query.get('lang');
  const taps = listOf(query.get('taps'));
  const hidden = listOf(query.get('hide'));
  return {
    taps: taps.length > 0 ? taps : null,
    columns: Number.isInteger(columns) && columns >= 1 && columns <= maxColumns ? columns : null,
    open: open === 'off' ? 'off' : parseOpeningHours(open),
    menu: menu === 'off' || (menu !== null && /^https?:\/\/\S{1,500}$/.test(menu)) ? menu : null,
    hide: new Set(kioskParts.filter((part) => hidden.includes(part))),
    drinkers: query.get('drinkers') === 'on',
    theme: theme === 'light' || theme === 'dark' ? theme : null,
    lang: lang !== null && /^[a-z]{2}$/.test(lang) ? lang : null,
  };
}

/** Formats options as a query, with `?` unless it is empty; the inverse of `parseKioskOptions`. */
export function formatKioskOptions(options: KioskOptions): string {
  const { taps, columns, open, menu, hide, drinkers, theme, lang } = options;
  const query = new URLSearchParams();
  const set = (name: string, value: string | null) => value !== null && query.set(name, value);
  set('taps', taps?.join(',') ?? null);
  set('columns', columns === null ? null : String(columns));
  set('hide', hide.size > 0 ? [...hide].join(',') : null);
  set('drinkers', drinkers ? 'on' : null);
  set('theme', theme);
  set('lang', lang);
  set('open', open === 'off' ? 'off' : open && formatOpeningHours(open));
  set('menu', menu);
  // Commas and colons are allowed in a query, and are easier to read and to type than their codes.
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return text === '' ? '' : `?${text}`;
}

/** The hours outside which a screen is dimmed: those of its address, else the site's; null for never. */
export const hoursOfScreen = ({ open }: KioskOptions, siteHours: string): OpeningHours | null =>
  open === 'off' ? null : (open ?? parseOpeningHours(siteHours));

const listOf = (text: string | null): readonly string[] => text?.split(',').filter(Boolean) ?? [];
