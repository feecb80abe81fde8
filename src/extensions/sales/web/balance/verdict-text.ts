import type { BalanceVerdict } from '../../../../web/api/generated.ts';
import {
  formatMoney,
  formatQuantity,
  formatUncertainVolume,
  type Units,
  volume,
} from '../../../../web/app/format.ts';
import { locale, t } from '../../../../web/locales/locale.ts';

/** A Monday. */
const mondayMs = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;
const weekdayFormat = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });

/** A weekday and hours of the clock: `Friday 22–24 h`. */
export function formatHours({
  weekday,
  since_hour: from,
  until_hour: to,
}: {
  readonly weekday: number;
  readonly since_hour: number;
  readonly until_hour: number;
}): string {
  return t('balance.hours', {
    weekday: weekdayFormat.format(mondayMs + (weekday - 1) * dayMs),
    from: String(from),
    to: String(to === 0 ? 24 : to),
  });
}

/** The difference in words, never with a sign: `12.4 ± 1.1 L poured, not rung`. */
export function verdictText(
  { kind, volume_ml: ml, uncertainty_ml: uncertaintyMl }: BalanceVerdict,
  units: Units,
): string {
  switch (kind) {
    case 'poured_not_rung':
      return t('balance.pouredNotRung', { volume: formatUncertainVolume(ml, uncertaintyMl, units) });
    case 'rung_not_poured':
      return t('balance.rungNotPoured', { volume: formatUncertainVolume(ml, uncertaintyMl, units) });
    case 'not_compared':
      return t('balance.notCompared');
    case 'agrees':
      return t('balance.agrees', { volume: formatQuantity(volume(uncertaintyMl, units)) });
  }
}

/** What the difference is worth, in whole units: it is not known better. Null where there is none, or nothing was sold. */
export const verdictMoney = ({ kind, value }: BalanceVerdict, currency: string): string | null =>
  kind === 'agrees' || kind === 'not_compared' || value === null ? null : formatWholeMoney(value, currency);

function formatWholeMoney(sum: number, currency: string): string {
  try {
    const style = { style: 'currency', currency, maximumFractionDigits: 0 } as const;
    return new Intl.NumberFormat(locale, style).format(sum);
  } catch {
    // A currency that the browser does not know.
    return formatMoney(Math.round(sum), currency);
  }
}
