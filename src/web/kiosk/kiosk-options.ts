/** What a kiosk's address may say after its question mark. */
export interface KioskOptions {
  /** `taps=1,3`: only these, by id. */
  readonly taps: readonly string[] | null;
  /** `columns=3`: cards beside each other, 1…8. */
  readonly columns: number | null;
  /** `night=23-8`: whole hours between which the board is dimmed; `night=off` never. */
  readonly night: { readonly from: number; readonly until: number } | null;
  /** `menu=off`, or another address for the QR code. */
  readonly menu: string | null;
  /** `hide=price,next,logo`: what this board does not show. */
  readonly hide: ReadonlySet<string>;
}

const defaultNight = { from: 1, until: 9 };

/** Reads a kiosk's options; what cannot be read is as if it were not there. */
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

/** Whether `clock`, as `HH:MM`, lies in the night, which may go over midnight. */
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
