import type { ComponentChildren } from 'preact';
import type { StockKeg } from '../../../web/api/generated.ts';
import {
  formatPriceMinor,
  formatQuantity,
  formatUncertainVolume,
  type Units,
  volume,
} from '../../../web/app/format.ts';
import { toHref } from '../../../web/app/routing.ts';
import { locale, t } from '../../../web/locales/locale.ts';

const dateFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** A day that belongs to no time zone. */
export const formatDate = (date: string): string => dateFormat.format(Date.parse(date));

interface StockKegRowProps {
  readonly keg: StockKeg;
  readonly units: Units;
  readonly currency: string;
  /** Whether it should be used before the others of its beverage. */
  readonly isFirst?: boolean;
  readonly action?: ComponentChildren;
}

/** A keg with what is left of it, its dates and its cost. */
export function StockKegRow({ keg, units, currency, isFirst = false, action }: StockKegRowProps) {
  const { purchase, warning, tap, days_on_tap: days, cost_left_minor: costMinor } = keg;
  const left =
    keg.state === 'available'
      ? formatQuantity(volume(keg.left_ml, units))
      : formatUncertainVolume(keg.left_ml, keg.left_uncertainty_ml, units);
  return (
    <li>
      <div class="row-text">
        <p>
          <a class="row-name" href={toHref(`/kegs/${keg.keg_id}`)}>
            {keg.beverage} · {t('kegs.keg', { id: keg.keg_id })}
          </a>
        </p>
        <p>
          {[
            keg.state === 'finished' ? null : left,
            tap,
            days === null ? null : t('stock.daysOnTap', { count: days }),
            costMinor === null || keg.state === 'finished' ? null : formatPriceMinor(costMinor, currency),
            keg.state === 'finished' && purchase.deposit_minor !== null
              ? t('stock.depositOf', { sum: formatPriceMinor(purchase.deposit_minor, currency) })
              : null,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <p class="soft">
          {[
            keg.size,
            purchase.location,
            purchase.supplier,
            purchase.best_before && t('stock.bestBeforeOf', { day: formatDate(purchase.best_before) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {isFirst && <p class="soft">{t('stock.useFirst')}</p>}
        {warning !== null && <p class="refusal">{warningText(warning)}</p>}
      </div>
      {action && <div class="row-actions">{action}</div>}
    </li>
  );
}

function warningText(warning: NonNullable<StockKeg['warning']>): string {
  switch (warning) {
    case 'past_best_before':
      return t('stock.pastBestBefore');
    case 'best_before_soon':
      return t('stock.bestBeforeSoon');
    case 'long_on_tap':
      return t('stock.longOnTap');
    case 'old':
      return t('stock.old');
  }
}
