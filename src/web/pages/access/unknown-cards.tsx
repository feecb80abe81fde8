import { useSignal } from '@preact/signals';
import { request } from '../../api/client.ts';
import type { AuthToken, UnknownToken } from '../../api/generated.ts';
import { barTime, formatBarTime, type Units } from '../../app/format.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { showToast } from '../../components/toast.tsx';
import { undo } from '../../components/undo.ts';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import { AssignCard } from './assign-card.tsx';
import { deviceName } from './card-names.ts';

const refreshMs = 3_000;

const cardName = ({ nice_name: name, token_value: value }: AuthToken): string => name || value;

interface UnknownCardsProps {
  readonly units: Units;
  /** Part of the value; lower case. */
  readonly search?: string;
}

/** Cards that were presented or sent with pours lately and are in no list; each can be assigned to a person. */
export function UnknownCards({ units, search = '' }: UnknownCardsProps) {
  const { result, error } = useResource('GET /admin/unknown-tokens', {}, { intervalMs: refreshMs });
  const selected = useSignal<UnknownToken | null>(null);
  const action = useAction();
  const forget = ({ id, token_value: value }: UnknownToken) =>
    action.runAction(
      () => request('DELETE /admin/unknown-tokens/{token}', { path: { token: id } }),
      t('tokens.forgotten', { card: value }),
    );
  const link = ({ token_value: value }: UnknownToken, token: AuthToken) => {
    const before = token.other_values;
    const send = (other_values: readonly string[]) =>
      request('PATCH /auth-tokens/{token}', {
        path: { token: token.id },
        body: { other_values: [...other_values] },
      });
    return action.runAction(
      () => send([...before, value]),
      () =>
        showToast(t('tokens.linked', { value, card: cardName(token) }), () => void undo(() => send(before))),
    );
  };
  const cards = result?.unknown_tokens.filter(({ token_value: value }) =>
    value.toLowerCase().includes(search.toLowerCase()),
  );
  return (
    <section class="group" aria-labelledby="unknown-cards">
      <h3 id="unknown-cards">{t('controllers.unknownTokens')}</h3>
      <div class="card" aria-live="polite">
        <ErrorMessage>{error ?? action.error}</ErrorMessage>
        {cards?.length === 0 && (
          <p class="soft">{search === '' ? t('tokens.noUnknown') : t('tokens.noneFound')}</p>
        )}
        <ul class="rows" aria-labelledby="unknown-cards">
          {cards?.map((card) => (
            <li key={card.id}>
              <div class="row-text">
                <p class="row-name">{card.token_value}</p>
                <p class="soft">
                  {[
                    card.auth_device !== '' && deviceName(card.auth_device),
                    t('tokens.lastSeen', {
                      time: formatBarTime(barTime(card.last_seen, units)),
                      where: card.device,
                    }),
                    t('tokens.seenTimes', { times: card.times }),
                    card.raw !== null && t('tokens.raw', { text: card.raw }),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </div>
              <div class="row-actions">
                {card.looks_like.map((token) => (
                  <button
                    key={token.id}
                    type="button"
                    class="chip"
                    aria-disabled={action.isBusy}
                    aria-label={t('tokens.sameCardTitle', {
                      value: card.token_value,
                      card: token.user_id ?? cardName(token),
                    })}
                    onClick={() => void link(card, token)}
                  >
                    {t('tokens.sameCard', { card: token.user_id ?? cardName(token) })}
                  </button>
                ))}
                <button
                  type="button"
                  class="chip"
                  aria-label={t('tokens.assignTitle', { card: card.token_value })}
                  onClick={() => (selected.value = card)}
                >
                  {t('tokens.assign')}
                </button>
                <button
                  type="button"
                  class="chip"
                  aria-disabled={action.isBusy}
                  aria-label={t('tokens.deleteOf', { card: card.token_value })}
                  onClick={() => void forget(card)}
                >
                  {t('common.remove')}
                </button>
              </div>
            </li>
          ))}
        </ul>
      </div>
      {selected.value && (
        <AssignCard card={selected.value} isUnknown={true} onClose={() => (selected.value = null)} />
      )}
    </section>
  );
}
