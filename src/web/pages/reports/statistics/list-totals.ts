import type { Statistics } from '../../../api/generated.ts';
import { formatQuantity, type Units, volume } from '../../../app/format.ts';
import { locale, t } from '../../../locales/locale.ts';
import type { Total } from './totals.tsx';

const integerFormat = new Intl.NumberFormat(locale);

/** The figures of statistics. */
export function listTotals(stats: Statistics, units: Units): readonly Total[] {
  const formatAmount = (ml = 0) => formatQuantity(volume(ml, units));
  return [
    { value: formatAmount(stats.total_volume_ml), label: t('statistics.total') },
    { value: integerFormat.format(stats.total_pours ?? 0), label: t('statistics.pours') },
    { value: formatAmount(stats.average_volume_ml), label: t('statistics.average') },
    {
      value: formatAmount(stats.greatest_volume_ml),
      label: t('statistics.largest'),
      path: `/drinks/${stats.greatest_volume_id}`,
    },
    { value: integerFormat.format(stats.sessions_count ?? 0), label: t('statistics.sessionCount') },
  ];
}
