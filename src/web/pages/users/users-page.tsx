import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { type Result, request } from '../../api/client.ts';
import type { Operations, User } from '../../api/generated.ts';
import { barTime, type Units } from '../../app/format.ts';
import { isSuperuser, me, sendsMail } from '../../app/me.ts';
import { toHref } from '../../app/routing.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { Choice } from '../../components/choice.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { drinkerPath } from '../../components/drinker-link.tsx';
import { type FieldSpec, Form } from '../../components/form.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { showToast } from '../../components/toast.tsx';
import { t } from '../../locales/locale.ts';
import { EraseUser } from './erase-account.tsx';
import { Invitations } from './invitations.tsx';
import { UserState } from './user-state.tsx';

const passwordField = () =>
  ({
    kind: 'password',
    name: 'password',
    label: t('users.newPassword'),
    minLength: 8,
    maxLength: 1024,
    autocomplete: 'new-password',
  }) as const satisfies FieldSpec;

/** With a mail server the password is optional: the new user can choose it by the mailed link. */
const newUserFields = (hasMail: boolean) =>
  [
    { kind: 'text', name: 'username', label: t('auth.username'), maxLength: 30 },
    { kind: 'text', name: 'display_name', label: t('users.displayName'), maxLength: 127, optional: 'omit' },
    { kind: 'text', name: 'email', label: t('users.email'), maxLength: 254, optional: 'omit' },
    hasMail ? { ...passwordField(), label: t('users.firstPassword'), optional: 'omit' } : passwordField(),
    { kind: 'flag', name: 'is_staff', label: t('users.staff') },
  ] as const satisfies readonly FieldSpec[];

/** All accounts: search, add, make staff, deactivate, set a password. */
export function UsersPage({ snapshot }: PageProps) {
  const id = useId();
  const query = useSignal('');
  const selected = useSignal<User | null>(null);
  const isNew = useSignal(false);
  const search = query.value.trim();
  return (
    <Page title={t('users.title')} requiredRole="staff">
      <div class="filters">
        <label class="field" for={id}>
          {t('users.find')}
          <input
            id={id}
            type="search"
            maxLength={128}
            value={query.value}
            onInput={(event) => (query.value = event.currentTarget.value)}
          />
        </label>
      </div>
      <p>
        <button type="button" class="button" onClick={() => (isNew.value = true)}>
          {t('users.addUser')}
        </button>
      </p>
      <div class="card">
        <PagedList
          operation="GET /users"
          input={search === '' ? {} : { query: { search } }}
          itemsKey="users"
          label={t('users.title')}
          empty={t('users.noUsers')}
          renderItem={(user) =>
            'is_staff' in user && (
              <UserRow
                key={user.username}
                user={user}
                units={snapshot}
                onManage={() => (selected.value = user)}
              />
            )
          }
        />
      </div>
      <Invitations units={snapshot} />
      {selected.value && (
        <UserDialog user={selected.value} units={snapshot} onClose={() => (selected.value = null)} />
      )}
      {isNew.value && (
        <Dialog title={t('users.addUser')} onClose={() => (isNew.value = false)}>
          <Form
            fields={newUserFields(sendsMail.value)}
            submit={t('users.addUser')}
            send={(body) => request('POST /users', { body })}
            onDone={(reply, values) => {
              isNew.value = false;
              showToast(formatAdded(reply, values));
            }}
          />
        </Dialog>
      )}
    </Page>
  );
}

type CreateUserReply = Result<'POST /users'>;

/** Says how the new user can log in; without password and address only pours by token are possible. */
function formatAdded(
  { user: { username }, activation_sent: isActivationSent }: CreateUserReply,
  values: { readonly password?: string; readonly email?: string },
): string {
  if (isActivationSent) return t('users.addedWithLink', { who: username });
  if (values.password !== undefined) return t('users.added', { who: username });
  return values.email === undefined
    ? t('users.addedWithoutLogIn', { who: username })
    : t('users.addedWithoutLink', { who: username });
}

interface UserRowProps {
  readonly user: User;
  readonly units: Units;
  onManage(): void;
}

function UserRow({ user, units, onManage }: UserRowProps) {
  const { clock, day } = barTime(user.joined_time, units);
  return (
    <li>
      <div class="row-text">
        <p class="row-name">
          <a href={toHref(drinkerPath(user.username))}>{user.display_name || user.username}</a>
        </p>
        <p class="soft">
          {[
            user.username,
            (user.is_staff || user.is_superuser) && t('users.staff'),
            !user.is_active && t('users.switchedOff'),
            t('users.joined', { day: day ?? clock }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <button
        type="button"
        class="chip"
        aria-label={t('users.manageUser', { who: user.username })}
        onClick={onManage}
      >
        <span aria-hidden="true">•••</span>
      </button>
    </li>
  );
}

interface UserDialogProps {
  readonly user: User;
  readonly units: Units;
  onClose(): void;
}

function UserDialog({ user, units, onClose }: UserDialogProps) {
  const { runAction, error } = useAction();
  const { username, is_staff: isStaff, is_active: isActive } = user;
  const path = { username };
  async function change(body: Operations['PATCH /users/{username}']['body']) {
    const answer = await runAction(
      () => request('PATCH /users/{username}', { path, body }),
      t('common.saved'),
    );
    if (answer?.ok) onClose();
  }
  return (
    <Dialog title={user.display_name || username} onClose={onClose}>
      <UserState username={username} units={units} />
      <div class="choice">
        <Choice onChoose={() => change({ is_staff: !isStaff })}>
          {isStaff ? t('users.removeStaff') : t('users.makeStaff')}
        </Choice>
        <Choice onChoose={() => change({ is_active: !isActive })}>
          {isActive ? t('users.switchOff') : t('users.switchOn')}
        </Choice>
      </div>
      <p>
        <a href={toHref(`/drinks?user=${encodeURIComponent(username)}`)}>
          {t('users.drinksOf', { who: username })}
        </a>
      </p>
      <ErrorMessage>{error}</ErrorMessage>
      <Form
        fields={[passwordField()]}
        submit={t('users.setPassword')}
        send={(body) => request('POST /users/{username}/set-password', { path, body })}
        onDone={() => {
          showToast(t('users.passwordSet'));
          onClose();
        }}
      />
      <Form
        fields={[
          { kind: 'text', name: 'username', label: t('users.newName'), value: username, maxLength: 30 },
        ]}
        submit={t('users.rename')}
        send={(body) => request('PATCH /users/{username}', { path, body })}
        onDone={(_reply, { username: who }) => {
          showToast(t('users.renamed', { who }));
          onClose();
        }}
      />
      {isSuperuser.value && me.value?.username !== username && (
        <EraseUser username={username} onDone={onClose} />
      )}
    </Dialog>
  );
}
