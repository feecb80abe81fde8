import type { BalanceFinding } from '../../../../web/api/generated.ts';
import {
  barTime,
  formatBarTime,
  formatQuantity,
  formatServing,
  formatShare,
  type Units,
  volume,
} from '../../../../web/app/format.ts';
import { t } from '../../../../web/locales/locale.ts';
import { formatHours } from './verdict-text.ts';

/** What to check, as one sentence. */
export function findingText(finding: BalanceFinding, units: Units): string {
  const beverage = finding.beverage ?? '';
  const count = finding.count ?? 0;
  const time = (iso: string | null) => (iso === null ? '' : formatBarTime(barTime(iso, units)));
  const span = { from: time(finding.since), to: time(finding.until) };
  switch (finding.kind) {
    case 'unmapped':
      return t('balance.findings.unmapped', { item: finding.item ?? '', count });
    case 'not_sold':
      return t('balance.findings.notSold', { beverage });
    case 'till_silent':
      return t('balance.findings.tillSilent', span);
    case 'meter_silent':
      return t('balance.findings.meterSilent', { beverage, ...span });
    case 'not_poured_at_all':
      return t('balance.findings.notPouredAtAll', { beverage });
    case 'missed_ticks':
      return t('balance.findings.missedTicks', { beverage });
    case 'held':
      return t('balance.findings.held', { count });
    case 'cleaning':
      return t('balance.findings.cleaning', { beverage, time: span.from });
    case 'overpour':
    case 'short_pour':
      return t('balance.findings.fill', {
        beverage,
        size: formatServing(finding.liquid_ml ?? 0, units),
        mean: formatQuantity(volume(finding.mean_ml ?? 0, units)),
      });
    case 'not_rung':
      return withHours(t('balance.findings.notRung', { beverage }), finding);
    case 'not_poured':
      return withHours(t('balance.findings.notPoured', { beverage }), finding);
    case 'foam':
      return t('balance.findings.foam', { beverage, share: formatShare(finding.share ?? 0) });
    case 'till_offset':
      return (finding.minutes ?? 0) > 0
        ? t('balance.findings.tillLate', { count: finding.minutes ?? 0 })
        : t('balance.findings.tillEarly', { count: -(finding.minutes ?? 0) });
  }
}

function withHours(text: string, { weekday, since_hour, until_hour }: BalanceFinding): string {
  if (weekday === null || since_hour === null || until_hour === null) return text;
  return `${text} ${t('balance.mostly', { hours: formatHours({ weekday, since_hour, until_hour }) })}`;
}

/** The page on which a finding is mended; null where there is none. */
export function findingPath({ kind, tap_id: tapId }: BalanceFinding): string | null {
  switch (kind) {
    case 'unmapped':
    case 'not_sold':
    case 'till_silent':
      return '/sales';
    case 'held':
      return '/held';
    case 'cleaning':
      return tapId === null ? null : `/taps/${tapId}`;
    case 'meter_silent':
    case 'missed_ticks':
      return '/meters';
    default:
      return null;
  }
}
