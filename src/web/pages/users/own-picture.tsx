import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { requestWithPin } from '../../api/request-with-pin.ts';
import { toHref } from '../../app/current-path.ts';
import type { DisplayText } from '../../app/error-text.ts';
import { loadMe, me } from '../../app/me.ts';
import { ErrorMessage } from '../../components/action.tsx';
import { showToast } from '../../components/toast.tsx';
import { words } from '../../words/account.ts';

/** Long, since a phone's picture is some megabytes on a slow network and the Pi has to resize it. */
const timeoutMs = 120_000;

/** The user's own picture: uploaded as soon as a file is chosen, and removed. */
export function OwnPicture() {
  const error = useSignal<DisplayText | null>(null);
  const isBusy = useSignal(false);
  const fileInput = useRef<HTMLInputElement>(null);
  const picture = me.value?.mugshot_url ?? '';

  async function send(method: 'POST' | 'DELETE', successMessage: string, body?: FormData) {
    if (isBusy.value) return;
    isBusy.value = true;
    const answer = await requestWithPin(method, '/account/mugshot', body, timeoutMs);
    isBusy.value = false;
    error.value = answer.ok ? null : answer.sentence;
    if (fileInput.current) fileInput.current.value = '';
    if (!answer.ok) return;
    showToast(successMessage);
    await loadMe();
  }

  return (
    <section class="group" aria-labelledby="own-picture">
      <h3 id="own-picture">{words.picture}</h3>
      <div class="card own-picture" aria-busy={isBusy.value}>
        {picture === '' ? (
          <p class="soft">{words.noPicture}</p>
        ) : (
          <img src={toHref(picture)} alt={words.yourPicture} width={128} height={128} />
        )}
        <div class="row-actions">
          <label class="chip file-chip">
            {words.choosePicture}
            <input
              ref={fileInput}
              type="file"
              accept="image/*"
              onChange={(event) => {
                const file = event.currentTarget.files?.[0];
                if (!file) return;
                const formData = new FormData();
                formData.set('image', file);
                void send('POST', words.pictureSet, formData);
              }}
            />
          </label>
          {picture !== '' && (
            <button type="button" class="chip" onClick={() => void send('DELETE', words.pictureRemoved)}>
              {words.removePicture}
            </button>
          )}
        </div>
        <ErrorMessage>{error.value}</ErrorMessage>
      </div>
    </section>
  );
}
