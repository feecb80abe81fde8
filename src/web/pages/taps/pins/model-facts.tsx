import type { MeterModel } from '../../../api/generated.ts';
import { formatDecimal } from '../../../app/format.ts';
import { locale, t } from '../../../locales/locale.ts';

const percentFormat = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });

/** What a person should know of a meter model before it is chosen and connected. */
export function ModelFacts({ model }: { readonly model: MeterModel }) {
  const { supply_wire: supply, ground_wire: ground, signal_wire: signal } = model;
  const figures = [
    formatRange(model),
    model.accuracy_percent === null
      ? null
      : t('pins.facts.accuracy', { percent: `±${percentFormat.format(model.accuracy_percent / 100)}` }),
    model.min_supply_v === null || model.max_supply_v === null
      ? null
      : t('pins.facts.supply', {
          min: formatDecimal(model.min_supply_v),
          max: formatDecimal(model.max_supply_v),
        }),
  ].filter(Boolean);
  return (
    <>
      {model.too_small && <p class="refusal">{t('pins.facts.tooSmall')}</p>}
      {(model.output === 'measure-first' || model.output === 'push-pull') && (
        <p class="refusal">{t('pins.facts.measureFirst')}</p>
      )}
      {figures.length > 0 && <p class="soft">{figures.join(' · ')}</p>}
      {supply !== null && ground !== null && signal !== null && (
        <p class="soft">
          {t('pins.facts.wires', {
            supply: t(`pins.colours.${supply}`),
            ground: t(`pins.colours.${ground}`),
            signal: t(`pins.colours.${signal}`),
          })}
        </p>
      )}
    </>
  );
}

function formatRange({ min_l_per_min: min, max_l_per_min: max }: MeterModel): string | null {
  if (max === null) return null;
  return min === null
    ? t('pins.facts.rangeTo', { max: formatDecimal(max) })
    : t('pins.facts.range', { min: formatDecimal(min), max: formatDecimal(max) });
}
