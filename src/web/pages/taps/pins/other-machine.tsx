import { request } from '../../../api/client.ts';
import type { Hardware, RelayDecision } from '../../../api/generated.ts';
import { isSuperuser } from '../../../app/me.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { t } from '../../../locales/locale.ts';
import { showChange } from './show-change.ts';

/** Asks what becomes of relays that were wired to another machine; they are not driven until a superuser decides. */
export function OtherMachine({ relays }: Pick<Hardware, 'relays'>) {
  const { runAction, error, isBusy } = useAction();
  const left = relays.filter(({ state }) => state === 'other_machine');
  if (left.length === 0) return null;
  const decide = (decision: RelayDecision['decision'], done: string) =>
    void runAction(
      () => request('POST /hardware/other-machine', { body: { decision } }),
      (result) => showChange(done, result),
    );
  return (
    <section class="card other-machine" aria-labelledby="other-machine">
      <h3 id="other-machine">{t('pins.otherMachine.title')}</h3>
      <p>{t('pins.otherMachine.question')}</p>
      <ul>
        {left.map(({ name, pin, header_pin: headerPin }) => (
          <li key={name}>
            {[
              name,
              t('wiring.gpio', { pin }),
              headerPin === null ? null : t('wiring.headerPin', { pin: headerPin }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </li>
        ))}
      </ul>
      <ErrorMessage>{error}</ErrorMessage>
      {isSuperuser.value ? (
        <div class="row-actions">
          <button
            type="button"
            class="button"
            aria-disabled={isBusy || undefined}
            onClick={() => decide('use_here', t('pins.otherMachine.used'))}
          >
            {t('pins.otherMachine.use')}
          </button>
          <button
            type="button"
            class="chip is-danger"
            aria-disabled={isBusy || undefined}
            onClick={() => decide('remove', t('pins.otherMachine.removed'))}
          >
            {t('pins.otherMachine.remove')}
          </button>
        </div>
      ) : (
        <p class="soft">{t('pins.otherMachine.superusers')}</p>
      )}
    </section>
  );
}
