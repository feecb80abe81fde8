import { useSignal } from '@preact/signals';
import { request } from '../../api/client.ts';
import type { AuthToken } from '../../api/generated.ts';
import { barTime, formatBarDay, formatBarTime, type Units } from '../../app/format.ts';
import { toHref } from '../../app/routing.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { showToast } from '../../components/toast.tsx';
import { undo, undoCorrection } from '../../components/undo.ts';
import { t } from '../../locales/locale.ts';
import { personPath } from '../users/person/person-path.ts';
import { AssignCard } from './assign-card.tsx';
import { CardDialog } from './card-dialog.tsx';
import { deviceName } from './card-names.ts';

/** What a card can do, as the filter of the list has it. */
export type CardState = 'assigned' | 'unassigned' | 'disabled' | 'expired';

const stateOf = ({ enabled, expire_time: end, user_id: owner }: AuthToken): CardState => {
  if (!enabled) return 'disabled';
  if (end !== null && Date.parse(end) <= Date.now()) return 'expired';
  return owner === null ? 'unassigned' : 'assigned';
};

interface CardRowProps {
  readonly card: AuthToken;
  readonly units: Units;
  /** False where the list is that of one person. */
  readonly showsOwner?: boolean;
}

/** One card with its actions: history and details, assign, disable, delete. */
export function CardRow({ card, units, showsOwner = true }: CardRowProps) {
  const { runAction, error, isBusy } = useAction();
  const open = useSignal<'details' | 'assign' | null>(null);
  const { token_value: value, nice_name: name, user_id: owner, enabled, expire_time: end } = card;
  const lastSeen = card.last_seen;
  const path = { token: card.id };
  const state = stateOf(card);
  const label = name || value;
  const close = () => (open.value = null);

  const setEnabled = (isEnabled: boolean) =>
    request('PATCH /auth-tokens/{token}', { path, body: { enabled: isEnabled } });
  const toggle = () =>
    runAction(
      () => setEnabled(!enabled),
      () =>
        showToast(
          t(enabled ? 'tokens.disabledDone' : 'tokens.enabledDone', { card: label }),
          () => void undo(() => setEnabled(enabled)),
        ),
    );
  const remove = () =>
    runAction(
      () => request('DELETE /auth-tokens/{token}', { path }),
      ({ correction_id: id }) =>
        showToast(t('tokens.deleted', { card: label }), id === null ? null : () => void undoCorrection(id)),
    );

  return (
    <li>
      <div class="row-text">
        <p class="row-name">
          {label}
          {showsOwner && owner !== null && (
            <>
              {' · '}
              <a href={toHref(personPath(owner))}>{owner}</a>
            </>
          )}
        </p>
        <p class="soft">
          {[
            name !== '' && value,
            deviceName(card.auth_device),
            state !== 'assigned' && t(`tokens.states.${state}`),
            end !== null && state !== 'expired' && t('tokens.validUntil', { day: formatBarDay(end, units) }),
            lastSeen !== null &&
              t('tokens.lastSeen', {
                time: formatBarTime(barTime(lastSeen, units)),
                where: card.last_seen_device ?? '',
              }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <div class="row-actions">
        {owner === null && (
          <button
            type="button"
            class="chip"
            aria-label={t('tokens.assignTitle', { card: label })}
            onClick={() => (open.value = 'assign')}
          >
            {t('tokens.assign')}
          </button>
        )}
        <button
          type="button"
          class="chip"
          aria-label={t('tokens.detailsOf', { card: label })}
          onClick={() => (open.value = 'details')}
        >
          {t('tokens.details')}
        </button>
        <button
          type="button"
          class="chip"
          aria-disabled={isBusy}
          aria-label={t(enabled ? 'tokens.disableOf' : 'tokens.enableOf', { card: label })}
          onClick={() => void toggle()}
        >
          {enabled ? t('tokens.disable') : t('tokens.enable')}
        </button>
        <button
          type="button"
          class="chip"
          aria-disabled={isBusy}
          aria-label={t('tokens.deleteOf', { card: label })}
          onClick={() => void remove()}
        >
          {t('common.remove')}
        </button>
      </div>
      {open.value === 'assign' && <AssignCard card={card} isUnknown={false} onClose={close} />}
      {open.value === 'details' && <CardDialog card={card} units={units} onClose={close} />}
    </li>
  );
}
