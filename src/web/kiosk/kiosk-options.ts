/** Options in the query of a kiosk's URL. */
export interface KioskOptions {
  /** `taps=1,3`: ids of the taps to show; null for all. */
  readonly taps: readonly string[] | null;
  /** `columns=3`: number of columns, 1…8. */
  readonly columns: number | null;
  /** `night=23-8`: whole hours between which the screen is dimmed; `night=off` for never. */
  readonly night: { readonly from: number; readonly until: number } | null;
  /** `menu=off`, or another URL for the QR code. */
  readonly menu: string | null;
  /** `hide=price,next,logo`: parts that are not shown. */
  readonly hide: ReadonlySet<string>;
}

const defaultNight = { from: 1, until: 9 };

/** Parses the options; invalid values are ignored. */
export function parseKioskOptions(query: URLSearchParams): KioskOptions {
  const columns = Number(query.get('columns'));
  const menu = query.get('menu');
  return {
    taps: query.get('taps')?.split(',').filter(Boolean) ?? null,
    columns: Number.isInteger(columns) && columns >= 1 && columns <= 8 ? columns : null,
    night: parseNight(query.get('night')),
    menu: menu === 'off' || (menu !== null && /^https?:\/\/\S{1,500}$/.test(menu)) ? menu : null,
    hide: new Set(query.get('hide')?.split(',')),
  };
}

/** Whether `clock` (`HH:MM`) lies in the night; a night may cross midnight. */
export function isNight(night: KioskOptions['night'], clock: string): boolean {
  if (night === null) return false;
  const hour = Number(clock.slice(0, 2));
  return night.from <= night.until
    ? hour >= night.from && hour < night.until
    : hour >= night.from || hour < night.until;
}

function parseNight(text: string | null): KioskOptions['night'] {
  if (text === null) return defaultNight;
  const [, from, until] = /^(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  if (from === undefined || until === undefined) return null;
  return Number(from) < 24 && Number(until) < 24 ? { from: Number(from), until: Number(until) } : null;
}
