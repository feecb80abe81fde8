import { useSignal } from '@preact/signals';
import { requestWithPin } from '../../api/request-with-pin.ts';
import { navigate } from '../../app/current-path.ts';
import { barTime, formatBarTime, type Units } from '../../app/format.ts';
import { loadMe } from '../../app/me.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { type FieldSpec, Form } from '../../components/form.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { dataVersion, showToast } from '../../components/toast.tsx';
import { useResource } from '../../components/use-resource.ts';
import { words } from '../../words/tablet.ts';

interface PinState {
  readonly is_set: boolean;
  readonly is_locked: boolean;
}

interface Tablet {
  readonly id: number;
  readonly name: string;
  readonly enrolled_by: string | null;
  readonly created_time: string;
  readonly seen_time: string;
}

/** The user's own PIN and the shared tablets that accept it. For staff. */
export function SharedTablets({ units }: { readonly units: Units }) {
  return (
    <div class="two">
      <OwnPin />
      <Tablets units={units} />
    </div>
  );
}

const pinFields: readonly FieldSpec[] = [
  { kind: 'password', name: 'pin', label: words.newPin, minLength: 4, maxLength: 8 },
  { kind: 'password', name: 'again', label: words.pinAgain, minLength: 4, maxLength: 8 },
  {
    kind: 'password',
    name: 'current_password',
    label: words.password,
    maxLength: 1024,
    autocomplete: 'current-password',
  },
];

function OwnPin() {
  const changedState = useSignal<PinState | null>(null);
  const { result } = useResource<PinState>('/account/pin');
  const { runAction, error } = useAction();
  const state = changedState.value ?? result;

  async function remove() {
    const answer = await runAction({
      method: 'DELETE',
      path: '/account/pin',
      successMessage: words.pinRemoved,
    });
    if (answer?.ok) changedState.value = { is_set: false, is_locked: false };
  }

  return (
    <section class="group" aria-labelledby="own-pin">
      <h3 id="own-pin">{words.pin}</h3>
      <div class="card group">
        <p class="soft">{words.pinWhy}</p>
        {state && (
          <p>
            {state.is_set ? words.hasPin : words.noPin}
            {state.is_locked && <strong class="refusal"> {words.pinLocked}</strong>}
          </p>
        )}
        <Form<PinState>
          fields={pinFields}
          submit={words.setPin}
          send={async ({ pin, again, current_password }) =>
            pin === again
              ? requestWithPin<PinState>('POST', '/account/pin', { pin, current_password })
              : { ok: false, status: 0, sentence: '', fields: { again: words.notTheSame } }
          }
          onDone={(now) => {
            changedState.value = now;
            showToast(words.pinSet);
          }}
        />
        {state?.is_set && (
          <p>
            <button type="button" class="chip" onClick={() => void remove()}>
              {words.removePin}
            </button>
          </p>
        )}
        <ErrorMessage>{error}</ErrorMessage>
      </div>
    </section>
  );
}

function Tablets({ units }: { readonly units: Units }) {
  return (
    <section class="group" aria-labelledby="tablets">
      <h3 id="tablets">{words.tablets}</h3>
      <div class="card group">
        <p class="soft">{words.tabletsWhy}</p>
        <PagedList<Tablet>
          path="/tablets"
          itemsKey="tablets"
          label={words.tablets}
          empty={words.noTablets}
          reloadKey={dataVersion.value}
          renderItem={(tablet) => <TabletRow key={tablet.id} tablet={tablet} units={units} />}
        />
        <Form<{ readonly tablet: Tablet }>
          fields={[{ kind: 'text', name: 'name', label: words.thisDevice, maxLength: 64 }]}
          submit={words.enrol}
          send={(values) => requestWithPin('POST', '/tablets', values)}
          onDone={({ tablet }) => {
            void loadMe().then(() => {
              navigate('/');
              showToast(words.enrolled(tablet.name));
            });
          }}
        />
        <p class="soft">{words.enrolWhy}</p>
      </div>
    </section>
  );
}

function TabletRow({ tablet, units }: { readonly tablet: Tablet; readonly units: Units }) {
  const { runAction, error } = useAction();
  const formatTime = (time: string) => formatBarTime(barTime(time, units));
  return (
    <li>
      <div class="row-words">
        <p class="row-name">{tablet.name}</p>
        <p class="soft">
          {words.enrolledBy(tablet.enrolled_by ?? words.somebody, formatTime(tablet.created_time))} ·{' '}
          {words.seen(formatTime(tablet.seen_time))}
        </p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <button
        type="button"
        class="chip"
        aria-label={words.removeOf(tablet.name)}
        onClick={() =>
          runAction({ method: 'DELETE', path: `/tablets/${tablet.id}`, successMessage: words.removed })
        }
      >
        {words.remove}
      </button>
    </li>
  );
}
