import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { toHref } from '../../app/routing.ts';
import { t } from '../../locales/locale.ts';
import { ErrorMessage } from '../action.tsx';
import { FileButton } from './file-button.tsx';
import { PictureCrop, type PictureShape } from './picture-crop.tsx';
import '../../styles/shared/picture-field.css';

/** A change of a picture that has not been sent yet: a new one, its removal, or null. */
export type PictureChange = { readonly cropped: Blob; readonly preview: ImageBitmap } | 'removed' | null;

interface PictureFieldProps {
  readonly label: string;
  /** Address of the stored picture; null without one. */
  readonly current: string | null;
  /** Description of the picture for screen readers. */
  readonly alt: string;
  readonly change: Signal<PictureChange>;
  /** The shapes that it can have, the usual one first; a square or 3:4 unless given. */
  readonly shapes?: readonly PictureShape[];
}

/**
 * A picture of a form: dropped, chosen from files or taken with the camera of a phone, then cropped. It is sent by the form,
 * with the other fields.
 */
export function PictureField({
  label,
  current,
  alt,
  change,
  shapes = ['square', 'portrait'],
}: PictureFieldProps) {
  const chosen = useSignal<{ readonly picture: ImageBitmap; readonly type: string } | null>(null);
  const isOver = useSignal(false);
  const error = useSignal<string | null>(null);
  const removed = change.value === 'removed';
  const hasPicture = change.value === null ? current !== null : !removed;

  async function take(file: File | undefined) {
    if (!file) return;
    try {
      chosen.value = { picture: await createImageBitmap(file), type: file.type };
      error.value = null;
    } catch {
      error.value = t('pictures.unreadable');
    }
  }

  return (
    <fieldset
      class={isOver.value ? 'picture-field is-over' : 'picture-field'}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        void take(event.dataTransfer?.files[0]);
      }}
    >
      <legend>{label}</legend>
      <div class="picture-frame">
        {change.value !== null && change.value !== 'removed' ? (
          <PendingPicture picture={change.value.preview} alt={alt} />
        ) : (
          current !== null && !removed && <img src={toHref(current)} alt={alt} />
        )}
        {!hasPicture && <p class="soft">{t('pictures.none')}</p>}
      </div>
      <div class="picture-actions">
        <p class="soft picture-drop">{t('pictures.dropHere')}</p>
        <div class="row-actions">
          <FileButton label={t('pictures.choose')} onChoose={take} />
          <FileButton label={t('pictures.takePhoto')} isCamera onChoose={take} />
          {hasPicture && (
            <button
              type="button"
              class="chip"
              onClick={() => (change.value = current === null ? null : 'removed')}
            >
              {t('pictures.remove')}
            </button>
          )}
        </div>
        <ErrorMessage>{error.value}</ErrorMessage>
      </div>
      {chosen.value && (
        <PictureCrop
          {...chosen.value}
          shapes={shapes}
          onCancel={() => (chosen.value = null)}
          onCropped={(cropped) => {
            chosen.value = null;
            void createImageBitmap(cropped).then((preview) => {
              change.value = { cropped, preview };
            });
          }}
        />
      )}
    </fieldset>
  );
}

/** Drawn, since the content policy of the page allows no pictures from memory. */
function PendingPicture({ picture, alt }: { readonly picture: ImageBitmap; readonly alt: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    canvas.current?.getContext('2d')?.drawImage(picture, 0, 0);
  }, [picture]);
  return <canvas ref={canvas} role="img" aria-label={alt} width={picture.width} height={picture.height} />;
}
