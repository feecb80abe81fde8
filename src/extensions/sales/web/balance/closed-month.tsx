import { request } from '../../../../web/api/client.ts';
import type { MonthBalance } from '../../../../web/api/generated.ts';
import { barTime, formatBarTime, formatQuantity, type Units, volume } from '../../../../web/app/format.ts';
import { ActionGroup, useAction } from '../../../../web/components/action.tsx';
import { t } from '../../../../web/locales/locale.ts';

interface ClosedMonthProps {
  readonly month: MonthBalance;
  readonly units: Units;
}

/** Whether a month is closed, what was corrected since, and the buttons to close and reopen it. */
export function ClosedMonth({ month: { month, is_over: isOver, closed }, units }: ClosedMonthProps) {
  const action = useAction();
  const path = { path: { month } };
  if (!isOver) return null;
  return (
    <section class="group card balance-closing" aria-labelledby="closing">
      <h3 id="closing">{t('balance.closing')}</h3>
      <p class="soft">
        {closed === null
          ? t('balance.closeWhy')
          : t('balance.closedAt', { time: formatBarTime(barTime(closed.closed_at, units)) })}
      </p>
      {closed !== null && closed.corrections.length > 0 && (
        <>
          <h4>{t('balance.corrections')}</h4>
          <ul class="rows">
            {closed.corrections.map((one) => (
              <li key={one.beverage_id}>
                {t('balance.correction', {
                  beverage: one.name,
                  poured: change(one.poured_ml, units),
                  rung: change(one.rung_ml, units),
                })}
              </li>
            ))}
          </ul>
        </>
      )}
      <ActionGroup action={action} class="row-actions">
        {closed === null ? (
          <button
            type="button"
            class="button"
            onClick={() =>
              action.runAction(() => request('POST /sales/months/{month}/close', path), t('balance.closed'))
            }
          >
            {t('balance.close')}
          </button>
        ) : (
          <button
            type="button"
            class="chip"
            onClick={() =>
              action.runAction(
                () => request('POST /sales/months/{month}/reopen', path),
                t('balance.reopened'),
              )
            }
          >
            {t('balance.reopen')}
          </button>
        )}
      </ActionGroup>
    </section>
  );
}

/** A change needs its sign: it is no difference between poured and sold. */
const change = (ml: number, units: Units): string =>
  `${ml < 0 ? '−' : '+'}${formatQuantity(volume(Math.abs(ml), units))}`;
