import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { request } from '../../../web/api/client.ts';
import type { Cleaning } from '../../../web/api/generated.ts';
import { barTime, formatBarTime, formatQuantity, volume } from '../../../web/app/format.ts';
import { ActionGroup, useAction } from '../../../web/components/action.tsx';
import { t } from '../../../web/locales/locale.ts';

/** Pours during a cleaning; one that was a drink after all becomes one with one touch. */
export function CleaningPours({
  pours,
  snapshot,
}: {
  readonly pours: Cleaning['pours'];
  readonly snapshot: SnapshotMessage;
}) {
  const action = useAction();
  return (
    <ul class="cleaning-list">
      {pours.map((pour) => {
        const quantity = formatQuantity(volume(pour.volume_ml, snapshot));
        return (
          <li key={pour.drink_id}>
            <ActionGroup action={action} class="cleaning-row">
              <p>
                {pour.guest
                  ? t('cleaning.guestPour', { user: pour.user_id ?? '–', volume: quantity })
                  : `${formatBarTime(barTime(pour.pour_time, snapshot))} · ${quantity}`}
              </p>
              <button
                type="button"
                class="chip"
                onClick={() =>
                  void action.runAction(
                    () => request('POST /held-pours/{id}/keep', { path: { id: pour.drink_id }, body: {} }),
                    t('common.saved'),
                  )
                }
              >
                {t('cleaning.wasDrink')}
              </button>
            </ActionGroup>
          </li>
        );
      })}
    </ul>
  );
}
