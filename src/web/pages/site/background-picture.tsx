import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { type Answer, request } from '../../api/client.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { type PictureChange, PictureField } from '../../components/picture/picture-field.tsx';
import { showToast } from '../../components/toast.tsx';
import { undo } from '../../components/undo.ts';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import { loadPicture } from '../kegs/beers/catalogue-pictures.ts';

/** Long, since the Pi has to resize the picture. */
const timeoutMs = 120_000;

/** The picture behind the taps, the menu and the kiosk: chosen, cropped, replaced and removed, with undo. */
export function BackgroundPicture() {
  const id = useId();
  const url = useResource('GET /site').result?.site.background_image_url ?? null;
  const change = useSignal<PictureChange>(null);
  const { runAction, error, isBusy } = useAction();

  async function save() {
    const changed = change.value;
    if (changed === null) return;
    const before = await loadPicture(url === null ? null : { resized_url: url });
    await runAction(
      () => sendBackground(changed === 'removed' ? null : changed.cropped),
      () => {
        change.value = null;
        showToast(
          t(changed === 'removed' ? 'background.removed' : 'background.set'),
          () => void undo(() => sendBackground(before)),
        );
      },
    );
  }

  return (
    <section class="group" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{t('background.title')}</h3>
      <div class="card group">
        <p class="soft">{t('background.why')}</p>
        <PictureField
          label={t('background.title')}
          current={url}
          alt={t('background.title')}
          change={change}
          shapes={['wide', 'portrait', 'square']}
        />
        <ErrorMessage>{error}</ErrorMessage>
        {change.value !== null && (
          <div class="form-buttons">
            <button
              type="button"
              class="button"
              aria-label={t('background.save')}
              aria-disabled={isBusy || undefined}
              onClick={() => void save()}
            >
              {t('common.save')}
            </button>
            <button type="button" class="chip" onClick={() => (change.value = null)}>
              {t('common.cancel')}
            </button>
          </div>
        )}
      </div>
    </section>
  );
}

/** Sets the picture, or removes it. */
function sendBackground(picture: Blob | null): Promise<Answer<unknown>> {
  if (picture === null) return request('DELETE /site/background-image');
  const body = new FormData();
  body.set('image', picture, 'background');
  return request('POST /site/background-image', { body }, { timeoutMs });
}
