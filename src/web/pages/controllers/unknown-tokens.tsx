import { useSignal } from '@preact/signals';
import { request } from '../../api/client.ts';
import type { UnknownToken } from '../../api/generated.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import { UserPicker } from '../drinks/user-picker.tsx';

const refreshMs = 3_000;

/** Recently presented tokens without an owner; each can be assigned to a user. */
export function UnknownTokens() {
  const { result, error } = useResource('GET /admin/unknown-tokens', {}, { intervalMs: refreshMs });
  const selected = useSignal<UnknownToken | null>(null);
  const tokens = result?.unknown_tokens ?? [];
  return (
    <section class="group" aria-labelledby="unknown-tokens">
      <h3 id="unknown-tokens">{t('controllers.unknownTokens')}</h3>
      <div class="card" aria-live="polite">
        <ErrorMessage>{error}</ErrorMessage>
        {tokens.length === 0 && <p class="soft">{t('controllers.noUnknown')}</p>}
        <ul class="rows">
          {tokens.map((token) => (
            <li key={`${token.auth_device}|${token.token_value}`}>
              <div class="row-text">
                <p class="row-name">{token.token_value}</p>
                <p class="soft">
                  {token.auth_device !== '' && `${token.auth_device} · `}
                  {t('controllers.presented', { times: token.times, where: token.device })}
                </p>
              </div>
              <button
                type="button"
                class="chip"
                aria-label={`${t('controllers.assignTo')} ${token.token_value}`}
                onClick={() => (selected.value = token)}
              >
                {t('controllers.assignTo')}
              </button>
            </li>
          ))}
        </ul>
      </div>
      {selected.value && <AssignDialog token={selected.value} onClose={() => (selected.value = null)} />}
    </section>
  );
}

function AssignDialog({ token, onClose }: { readonly token: UnknownToken; onClose(): void }) {
  const { runAction, error } = useAction();
  async function assign(username: string | null) {
    if (username === null) return onClose();
    const { token_value } = token;
    // A value that came alone matches a token of any kind.
    const body = { auth_device: token.auth_device || 'core.rfid', token_value, user: username };
    const answer = await runAction(
      () => request('POST /auth-tokens', { body }),
      t('controllers.assignedTo', { who: username }),
    );
    if (answer?.ok) onClose();
  }
  return (
    <Dialog title={`${t('controllers.assignTo')} ${token.token_value}`} onClose={onClose}>
      <UserPicker current={null} onChoose={assign} />
      <ErrorMessage>{error}</ErrorMessage>
    </Dialog>
  );
}
