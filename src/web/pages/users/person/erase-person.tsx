import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { request } from '../../../api/client.ts';
import { useNavigate } from '../../../app/routing.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { showToast } from '../../../components/toast.tsx';
import { t } from '../../../locales/locale.ts';

/** Thousands of drinks lose their drinker in small steps before the answer. */
const timeoutMs = 60_000;

/** Erases a person after the name was typed; for superusers. */
export function ErasePerson({ username }: { readonly username: string }) {
  const isOpen = useSignal(false);
  return (
    <>
      <p>
        <button type="button" class="chip" onClick={() => (isOpen.value = true)}>
          {t('users.erase')}
        </button>
      </p>
      {isOpen.value && <EraseDialog username={username} onClose={() => (isOpen.value = false)} />}
    </>
  );
}

function EraseDialog({ username, onClose }: { readonly username: string; onClose(): void }) {
  const id = useId();
  const typed = useSignal('');
  const navigate = useNavigate();
  const { runAction, error, isBusy } = useAction();
  const isConfirmed = typed.value.trim() === username;

  async function erase(event: SubmitEvent) {
    event.preventDefault();
    if (!isConfirmed) return;
    await runAction(
      () => request('POST /users/{username}/erase', { path: { username } }, { timeoutMs }),
      () => {
        onClose();
        navigate('/users');
        showToast(t('users.erased', { who: username }));
      },
    );
  }

  return (
    <Dialog title={t('person.eraseTitle', { who: username })} onClose={onClose}>
      <form class="form" onSubmit={erase}>
        <p>{t('users.eraseWarning', { who: username })}</p>
        <p>{t('person.eraseInstead')}</p>
        <label class="field" for={id}>
          {t('person.eraseType', { who: username })}
          <input
            id={id}
            type="text"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            maxLength={128}
            value={typed.value}
            onInput={(event) => (typed.value = event.currentTarget.value)}
          />
        </label>
        <ErrorMessage>{error}</ErrorMessage>
        <p role="status">{isBusy && t('person.erasing')}</p>
        <div class="form-buttons">
          <button type="submit" class="button" aria-disabled={!isConfirmed || isBusy}>
            {t('account.eraseForGood')}
          </button>
          <button type="button" class="chip" onClick={onClose}>
            {t('common.cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
