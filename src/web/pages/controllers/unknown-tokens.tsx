import { useSignal } from '@preact/signals';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useResource } from '../../components/use-resource.ts';
import { words } from '../../words/pages.ts';
import { UserPicker } from '../drinks/user-picker.tsx';

const refreshMs = 3_000;

interface Token {
  readonly auth_device: string;
  readonly token_value: string;
  readonly device: string;
  readonly times: number;
}

/** Recently presented tokens without an owner; each can be assigned to a user. */
export function UnknownTokens() {
  const { result, error } = useResource<{ readonly unknown_tokens: readonly Token[] }>(
    '/admin/unknown-tokens',
    refreshMs,
  );
  const selected = useSignal<Token | null>(null);
  const tokens = result?.unknown_tokens ?? [];
  return (
    <section class="group" aria-labelledby="unknown-tokens">
      <h3 id="unknown-tokens">{words.unknownTokens}</h3>
      <div class="card" aria-live="polite">
        <ErrorMessage>{error}</ErrorMessage>
        {tokens.length === 0 && <p class="soft">{words.noUnknown}</p>}
        <ul class="rows">
          {tokens.map((token) => (
            <li key={`${token.auth_device}|${token.token_value}`}>
              <div class="row-words">
                <p class="row-name">{token.token_value}</p>
                <p class="soft">
                  {token.auth_device} · {words.presented(token.times, token.device)}
                </p>
              </div>
              <button
                type="button"
                class="chip"
                aria-label={`${words.assignTo} ${token.token_value}`}
                onClick={() => (selected.value = token)}
              >
                {words.assignTo}
              </button>
            </li>
          ))}
        </ul>
      </div>
      {selected.value && <AssignDialog token={selected.value} onClose={() => (selected.value = null)} />}
    </section>
  );
}

function AssignDialog({ token, onClose }: { readonly token: Token; onClose(): void }) {
  const { runAction, error } = useAction();
  async function assign(username: string | null) {
    if (username === null) return onClose();
    const { auth_device, token_value } = token;
    const answer = await runAction({
      method: 'POST',
      path: '/auth-tokens',
      body: { auth_device, token_value, user: username },
      successMessage: words.assignedTo(username),
    });
    if (answer?.ok) onClose();
  }
  return (
    <Dialog title={`${words.assignTo} ${token.token_value}`} onClose={onClose}>
      <UserPicker current={null} onChoose={assign} />
      <ErrorMessage>{error}</ErrorMessage>
    </Dialog>
  );
}
