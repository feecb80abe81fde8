import type { Result } from '../../../web/api/client.ts';
import { formatQuantity, percent, type Units, volume } from '../../../web/app/format.ts';
import { t } from '../../../web/locales/locale.ts';

export type Scale = Result<'GET /scales/{id}'>['scale'];
type Finding = Scale['findings'][number];

/** What a finding says, in plain words. Both figures are shown. */
export function findingText({ kind, scale_ml: scaleMl, meter_ml: meterMl, ratio }: Finding, units: Units) {
  const format = (ml: number) => formatQuantity(volume(ml, units));
  const figures = { scale: format(scaleMl), meter: format(meterMl) };
  switch (kind) {
    case 'ticks_missing':
      return t('scales.findings.ticks_missing', figures);
    case 'keg_moved':
      return t('scales.findings.keg_moved');
    case 'leak':
      return t('scales.findings.leak', { scale: figures.scale });
    case 'wrong_factor':
      return t('scales.findings.wrong_factor', {
        share: t('units.percent', { percent: percent(ratio ?? 1) }),
      });
    case 'wrong_keg_size':
      return t('scales.findings.wrong_keg_size', figures);
    default:
      return t('scales.unknownFinding');
  }
}
