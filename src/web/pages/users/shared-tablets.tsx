import { useSignal } from '@preact/signals';
import { type Result, request } from '../../api/client.ts';
import type { Tablet } from '../../api/generated.ts';
import { barTime, formatBarTime, type Units } from '../../app/format.ts';
import { loadMe } from '../../app/me.ts';
import { useNavigate } from '../../app/routing.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import type { FieldSpec } from '../../components/form/field-spec.ts';
import { Form } from '../../components/form/form.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { showToast } from '../../components/toast.tsx';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';

/** The user's own PIN and the shared tablets that accept it. For staff. */
export function SharedTablets({ units }: { readonly units: Units }) {
  return (
    <div class="two">
      <OwnPin />
      <Tablets units={units} />
    </div>
  );
}

const pinFields = () =>
  [
    {
      kind: 'password',
      name: 'pin',
      label: t('tablets.newPin'),
      hint: t('tablets.pinRule'),
      minLength: 4,
      maxLength: 8,
    },
    { kind: 'password', name: 'again', label: t('tablets.pinAgain'), minLength: 4, maxLength: 8 },
    {
      kind: 'password',
      name: 'current_password',
      label: t('tablets.password'),
      maxLength: 1024,
      autocomplete: 'current-password',
    },
  ] as const satisfies readonly FieldSpec[];

function OwnPin() {
  const changedState = useSignal<Result<'GET /account/pin'> | null>(null);
  const { result } = useResource('GET /account/pin');
  const { runAction, error } = useAction();
  const state = changedState.value ?? result;

  async function remove() {
    const answer = await runAction(() => request('DELETE /account/pin'), t('tablets.pinRemoved'));
    if (answer?.ok) changedState.value = answer.result;
  }

  return (
    <section class="group" aria-labelledby="own-pin">
      <h3 id="own-pin">{t('tablets.pin')}</h3>
      <div class="card group">
        <p class="soft">{t('tablets.pinWhy')}</p>
        {state && (
          <p>
            {state.is_set ? t('tablets.hasPin') : t('tablets.noPin')}
            {state.is_locked && <strong class="refusal"> {t('tablets.pinLocked')}</strong>}
          </p>
        )}
        <Form
          fields={pinFields()}
          submit={t('tablets.setPin')}
          send={async ({ pin, again, current_password }) =>
            pin === again
              ? request('POST /account/pin', { body: { pin, current_password } })
              : { ok: false, status: 0, sentence: '', fields: { again: t('tablets.notTheSame') } }
          }
          onDone={(now) => {
            changedState.value = now;
            showToast(t('tablets.pinSet'));
          }}
        />
        {state?.is_set && (
          <p>
            <button type="button" class="chip" onClick={() => void remove()}>
              {t('tablets.removePin')}
            </button>
          </p>
        )}
        <ErrorMessage>{error}</ErrorMessage>
      </div>
    </section>
  );
}

function Tablets({ units }: { readonly units: Units }) {
  const navigate = useNavigate();
  return (
    <section class="group" aria-labelledby="tablets">
      <h3 id="tablets">{t('tablets.tablets')}</h3>
      <div class="card group">
        <p class="soft">{t('tablets.tabletsWhy')}</p>
        <PagedList
          operation="GET /tablets"
          itemsKey="tablets"
          label={t('tablets.tablets')}
          empty={t('tablets.noTablets')}
          renderItem={(tablet) => <TabletRow key={tablet.id} tablet={tablet} units={units} />}
        />
        <Form
          fields={[{ kind: 'text', name: 'name', label: t('tablets.thisDevice'), maxLength: 64 }]}
          submit={t('tablets.enrol')}
          send={(body) => request('POST /tablets', { body })}
          onDone={({ tablet }) => {
            void loadMe().then(() => {
              navigate('/');
              showToast(t('tablets.enrolled', { name: tablet.name }));
            });
          }}
        />
        <p class="soft">{t('tablets.enrolWhy')}</p>
      </div>
    </section>
  );
}

function TabletRow({ tablet, units }: { readonly tablet: Tablet; readonly units: Units }) {
  const { runAction, error } = useAction();
  const formatTime = (time: string) => formatBarTime(barTime(time, units));
  return (
    <li>
      <div class="row-text">
        <p class="row-name">{tablet.name}</p>
        <p class="soft">
          {t('tablets.enrolledBy', {
            name: tablet.enrolled_by ?? t('tablets.somebody'),
            time: formatTime(tablet.created_time),
          })}{' '}
          · {t('tablets.seen', { time: formatTime(tablet.seen_time) })}
        </p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <button
        type="button"
        class="chip"
        aria-label={t('tablets.removeOf', { name: tablet.name })}
        onClick={() =>
          runAction(() => request('DELETE /tablets/{id}', { path: { id: tablet.id } }), t('tablets.removed'))
        }
      >
        {t('tablets.remove')}
      </button>
    </li>
  );
}
