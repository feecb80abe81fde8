import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { type Answer, request } from '../../api/client.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { type PictureChange, PictureField } from '../../components/picture/picture-field.tsx';
import { showUndoable, type Undoable } from '../../components/undo.ts';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';

/** Long, since the Pi has to resize the picture. */
const timeoutMs = 120_000;

/** The pictures of the site: the logo, and what is behind the taps, the menu and the kiosk. */
const pictures = {
  logo: { path: '/site/logo', field: 'logo_url', shapes: ['original', 'square', 'wide'] },
  background: {
    path: '/site/background-image',
    field: 'background_image_url',
    shapes: ['wide', 'portrait', 'square'],
  },
} as const;

/** One picture of the site: chosen, cropped, replaced and removed, with undo. */
export function SitePicture({ kind }: { readonly kind: keyof typeof pictures }) {
  const id = useId();
  const { path, field, shapes } = pictures[kind];
  const url = useResource('GET /site').result?.site[field] ?? null;
  const change = useSignal<PictureChange>(null);
  const { runAction, error, isBusy } = useAction();

  async function save() {
    const changed = change.value;
    if (changed === null) return;
    await runAction(
      () => sendPicture(path, changed === 'removed' ? null : changed.cropped),
      (result) => {
        change.value = null;
        showUndoable(
          t(changed === 'removed' ? `sitePictures.${kind}.removed` : `sitePictures.${kind}.set`),
          result,
        );
      },
    );
  }

  return (
    <section class="group" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{t(`sitePictures.${kind}.title`)}</h3>
      <div class="card group">
        <p class="soft">{t(`sitePictures.${kind}.why`)}</p>
        <PictureField
          label={t(`sitePictures.${kind}.title`)}
          current={url}
          alt={t(`sitePictures.${kind}.title`)}
          change={change}
          shapes={shapes}
        />
        <ErrorMessage>{error}</ErrorMessage>
        {change.value !== null && (
          <div class="form-buttons">
            <button
              type="button"
              class="button"
              aria-label={t(`sitePictures.${kind}.save`)}
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
function sendPicture(
  path: (typeof pictures)[keyof typeof pictures]['path'],
  picture: Blob | null,
): Promise<Answer<Undoable>> {
  if (picture === null) return request(`DELETE ${path}`);
  const body = new FormData();
  body.set('image', picture, 'picture');
  return request(`POST ${path}`, { body }, { timeoutMs });
}
