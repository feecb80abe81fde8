import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { type Answer, pictureTimeoutMs, request } from '../../api/client.ts';
import { loadMe, me } from '../../app/me.ts';
import { toHref } from '../../app/routing.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { t } from '../../locales/locale.ts';

/** The user's own picture: uploaded as soon as a file is chosen, and removed. */
export function OwnPicture() {
  const isBusy = useSignal(false);
  const { runAction, error } = useAction();
  const fileInput = useRef<HTMLInputElement>(null);
  const picture = me.value?.mugshot_url ?? '';

  async function run(send: () => Promise<Answer<unknown>>, successMessage: string) {
    if (isBusy.value) return;
    isBusy.value = true;
    const answer = await runAction(send, successMessage);
    isBusy.value = false;
    if (fileInput.current) fileInput.current.value = '';
    if (answer?.ok) await loadMe();
  }

  return (
    <section class="group" aria-labelledby="own-picture">
      <h3 id="own-picture">{t('account.picture')}</h3>
      <div class="card own-picture" aria-busy={isBusy.value}>
        {picture === '' ? (
          <p class="soft">{t('account.noPicture')}</p>
        ) : (
          <img src={toHref(picture)} alt={t('account.yourPicture')} width={128} height={128} />
        )}
        <div class="row-actions">
          <label class="chip file-chip">
            {t('account.choosePicture')}
            <input
              ref={fileInput}
              type="file"
              accept="image/*"
              onChange={(event) => {
                const file = event.currentTarget.files?.[0];
                if (!file) return;
                const body = new FormData();
                body.set('image', file);
                void run(
                  () => request('POST /account/mugshot', { body }, { timeoutMs: pictureTimeoutMs }),
                  t('account.pictureSet'),
                );
              }}
            />
          </label>
          {picture !== '' && (
            <button
              type="button"
              class="chip"
              onClick={() => void run(() => request('DELETE /account/mugshot'), t('account.pictureRemoved'))}
            >
              {t('account.removePicture')}
            </button>
          )}
        </div>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
    </section>
  );
}
