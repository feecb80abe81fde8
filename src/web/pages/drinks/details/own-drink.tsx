import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { type Answer, pictureTimeoutMs, request } from '../../../api/client.ts';
import type { Drink, Picture } from '../../../api/generated.ts';
import { toHref } from '../../../app/routing.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { Form } from '../../../components/form/form.tsx';
import { showToast } from '../../../components/toast.tsx';
import { t } from '../../../locales/locale.ts';

/** Longest comment, characters, as in the API. */
const maxShoutLength = 1_000;

/** The picture of a drink; a touch opens it in full size. */
export function DrinkPicture({ picture }: { readonly picture: Picture }) {
  return (
    <a class="drink-picture" href={toHref(picture.resized_url)}>
      <img src={toHref(picture.resized_url)} alt={picture.caption || t('drinkPage.picture')} />
    </a>
  );
}

interface OwnDrinkProps {
  readonly drink: Drink;
  readonly hasPicture: boolean;
}

/** What the drinker of a drink and staff add to it: a shout and a picture. */
export function OwnDrink({ drink, hasPicture }: OwnDrinkProps) {
  const path = { id: drink.id };
  return (
    <section class="group">
      <h3>{t('drinkPage.add')}</h3>
      <div class="card own-drink">
        <Form
          key={drink.shout ?? ''}
          fields={[
            {
              kind: 'text',
              name: 'shout',
              label: t('drinkPage.shout'),
              value: drink.shout ?? '',
              maxLength: maxShoutLength,
              optional: 'empty',
            },
          ]}
          submit={t('common.save')}
          send={({ shout }) => request('PATCH /drinks/{id}', { path, body: { shout } })}
          onDone={() => showToast(t('common.saved'))}
        />
        <PictureButtons id={drink.id} hasPicture={hasPicture} />
      </div>
    </section>
  );
}

function PictureButtons({ id, hasPicture }: { readonly id: number; readonly hasPicture: boolean }) {
  const isBusy = useSignal(false);
  const { runAction, error } = useAction();
  const fileInput = useRef<HTMLInputElement>(null);
  const path = { id };

  async function run(send: () => Promise<Answer<unknown>>, message: string) {
    isBusy.value = true;
    await runAction(send, message);
    isBusy.value = false;
    if (fileInput.current) fileInput.current.value = '';
  }

  function upload(file: File | undefined) {
    if (!file || isBusy.value) return;
    const body = new FormData();
    body.set('image', file);
    void run(
      () => request('POST /drinks/{id}/picture', { path, body }, { timeoutMs: pictureTimeoutMs }),
      t('drinkPage.pictureSaved'),
    );
  }

  return (
    <div aria-busy={isBusy.value}>
      <div class="row-actions">
        <label class="chip file-chip">
          {hasPicture ? t('drinkPage.changePicture') : t('drinkPage.addPicture')}
          <input
            ref={fileInput}
            type="file"
            accept="image/*"
            onChange={(event) => upload(event.currentTarget.files?.[0])}
          />
        </label>
        {hasPicture && (
          <button
            type="button"
            class="chip"
            onClick={() =>
              void run(() => request('DELETE /drinks/{id}/picture', { path }), t('drinkPage.pictureRemoved'))
            }
          >
            {t('drinkPage.removePicture')}
          </button>
        )}
      </div>
      {isBusy.value && <p role="status">{t('drinkPage.uploading')}</p>}
      <ErrorMessage>{error}</ErrorMessage>
    </div>
  );
}
