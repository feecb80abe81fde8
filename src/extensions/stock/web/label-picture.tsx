import { pictureTimeoutMs, type Result, request } from '../../../web/api/client.ts';
import { toHref } from '../../../web/app/routing.ts';
import { ActionGroup, useAction } from '../../../web/components/action.tsx';
import { FileButton } from '../../../web/components/picture/file-button.tsx';
import { showUndoable } from '../../../web/components/undo.ts';
import { t } from '../../../web/locales/locale.ts';
import '../../../web/styles/shared/picture-field.css';

interface LabelPictureProps {
  readonly kegId: number;
  readonly picture: Result<'GET /kegs/{id}/purchase'>['label_picture'];
}

/** The photo of the label of a keg, which is sent as soon as it is taken. */
export function LabelPicture({ kegId, picture }: LabelPictureProps) {
  const action = useAction();
  const path = { id: kegId };
  async function send(file: File | undefined) {
    if (!file) return;
    const body = new FormData();
    body.set('image', file);
    await action.runAction(
      () => request('POST /kegs/{id}/label', { path, body }, { timeoutMs: pictureTimeoutMs }),
      (answer) => showUndoable(t('common.saved'), answer),
    );
  }
  return (
    <ActionGroup action={action} class="group">
      <h4>{t('stock.label')}</h4>
      {picture !== null && (
        <a href={toHref(picture.resized_url)}>
          <img class="label-picture" src={toHref(picture.resized_url)} alt={t('stock.label')} />
        </a>
      )}
      <div class="row-actions">
        <FileButton label={t('pictures.choose')} onChoose={send} />
        <FileButton label={t('pictures.takePhoto')} isCamera onChoose={send} />
        {picture !== null && (
          <button
            type="button"
            class="chip"
            onClick={() =>
              void action.runAction(
                () => request('DELETE /kegs/{id}/label', { path }),
                (answer) => showUndoable(t('stock.labelRemoved'), answer),
              )
            }
          >
            {t('pictures.remove')}
          </button>
        )}
      </div>
    </ActionGroup>
  );
}
