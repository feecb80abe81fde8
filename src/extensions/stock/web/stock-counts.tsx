import { fileHref } from '../../../web/api/client.ts';
import type { StockCount } from '../../../web/api/generated.ts';
import { barTime, formatBarTime, formatPriceMinor, type Units } from '../../../web/app/format.ts';
import { useResource } from '../../../web/components/use-resource.ts';
import { findText, t } from '../../../web/locales/locale.ts';

interface StockCountsProps {
  readonly units: Units;
  readonly currency: string;
}

/** The last counts of the stock, with what was missing or found; renders nothing before the first one. */
export function StockCounts({ units, currency }: StockCountsProps) {
  const { result } = useResource('GET /stock-counts', { query: { limit: 20 } });
  if (!result || result.stock_counts.length === 0) return null;
  return (
    <section class="group" aria-labelledby="stock-counts">
      <h3 id="stock-counts">{t('stockCount.counts')}</h3>
      <ul class="rows">
        {result.stock_counts.map((count) => (
          <CountRow key={count.id} count={count} units={units} currency={currency} />
        ))}
      </ul>
      <p>
        <a class="chip" href={fileHref('GET /stock-counts/csv')} download>
          {t('reports.downloadCsv')}
          <span class="visually-hidden"> {t('stockCount.counts')}</span>
        </a>
      </p>
    </section>
  );
}

interface CountRowProps extends StockCountsProps {
  readonly count: StockCount;
}

function CountRow({ count, units, currency }: CountRowProps) {
  const { missing, found, value_minor: valueMinor } = count;
  const sum = formatPriceMinor(Math.abs(valueMinor), currency);
  const result = [
    missing > 0 && t('stockCount.missing', { count: missing }),
    found > 0 && t('stockCount.found', { count: found }),
    valueMinor < 0 && t('stockCount.less', { sum }),
    valueMinor > 0 && t('stockCount.more', { sum }),
  ].filter(Boolean);
  const differing = count.lines.filter(({ expected, counted }) => expected !== counted);
  return (
    <li>
      <div class="row-text">
        <p class="row-name">{result.length === 0 ? t('stockCount.agrees') : result.join(' · ')}</p>
        {differing.map(({ beverage, size, expected, counted, reason }) => (
          <p key={`${beverage} ${size}`}>
            {beverage} · {size}: {expected} → {counted}
            {reason !== null && ` · ${findText('stockCount.reasons', reason)}`}
          </p>
        ))}
        {count.note !== '' && <p>{count.note}</p>}
        <p class="soft">
          {[
            formatBarTime(barTime(count.time, units)),
            count.username,
            !count.is_adjusted && differing.length > 0 && t('stockCount.notAdjusted'),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
    </li>
  );
}
