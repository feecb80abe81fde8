import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Result } from '../../api/client.ts';
import { requestWithPin } from '../../api/request-with-pin.ts';
import { toHref } from '../../app/current-path.ts';
import { barTime, type Units } from '../../app/format.ts';
import { sendsMail } from '../../app/me.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { type FieldSpec, Form, type FormValues } from '../../components/form.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { dataVersion, showToast } from '../../components/toast.tsx';
import { words as ownWords } from '../../words/account.ts';
import { words } from '../../words/pages.ts';
import { say } from '../../words/say.ts';
import { Choice } from '../drinks/drink-dialog.tsx';
import { Invitations } from './invitations.tsx';
import { UserState } from './user-state.tsx';

interface User {
  readonly username: string;
  readonly display_name: string;
  readonly joined_time: string;
  readonly is_active: boolean;
  readonly is_staff: boolean;
  readonly is_superuser: boolean;
}

const passwordField: FieldSpec = {
  kind: 'password',
  name: 'password',
  label: words.newPassword,
  minLength: 8,
  maxLength: 1024,
  autocomplete: 'new-password',
};

/** With a mail server the password is optional: the new user can choose it by the mailed link. */
const newUserFields = (hasMail: boolean): readonly FieldSpec[] => [
  { kind: 'text', name: 'username', label: say.username, maxLength: 30 },
  { kind: 'text', name: 'display_name', label: words.displayName, maxLength: 127, optional: 'omit' },
  { kind: 'text', name: 'email', label: words.email, maxLength: 254, optional: 'omit' },
  hasMail ? { ...passwordField, label: ownWords.firstPassword, optional: 'omit' } : passwordField,
  { kind: 'flag', name: 'is_staff', label: words.staff },
];

/** All accounts: search, add, make staff, deactivate, set a password. */
export function UsersPage({ snapshot }: PageProps) {
  const id = useId();
  const query = useSignal('');
  const selected = useSignal<User | null>(null);
  const isNew = useSignal(false);
  const search = query.value.trim();
  return (
    <Page title={words.users} requiredRole="staff">
      <div class="filters">
        <label class="field" for={id}>
          {words.find}
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
          {words.addUser}
        </button>
      </p>
      <div class="card">
        <PagedList<User>
          path={search === '' ? '/users' : `/users?search=${encodeURIComponent(search)}`}
          itemsKey="users"
          label={words.users}
          empty={words.noUsers}
          reloadKey={dataVersion.value}
          renderItem={(user) => (
            <UserRow
              key={user.username}
              user={user}
              units={snapshot}
              onManage={() => (selected.value = user)}
            />
          )}
        />
      </div>
      <Invitations units={snapshot} />
      {selected.value && (
        <UserDialog user={selected.value} units={snapshot} onClose={() => (selected.value = null)} />
      )}
      {isNew.value && (
        <Dialog title={words.addUser} onClose={() => (isNew.value = false)}>
          <Form<CreateUserReply>
            fields={newUserFields(sendsMail.value)}
            submit={words.addUser}
            send={(values) => requestWithPin('POST', '/users', values)}
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
  values: FormValues,
): string {
  if (isActivationSent) return ownWords.addedWithLink(username);
  if (values.password !== undefined) return words.added(username);
  return values.email === undefined
    ? ownWords.addedWithoutLogIn(username)
    : ownWords.addedWithoutLink(username);
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
      <div class="row-words">
        <p class="row-name">{user.display_name || user.username}</p>
        <p class="soft">
          {[
            user.username,
            (user.is_staff || user.is_superuser) && words.staff,
            !user.is_active && words.switchedOff,
            words.joined(day ?? clock),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <button type="button" class="chip" aria-label={words.manageUser(user.username)} onClick={onManage}>
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
  const path = `/users/${encodeURIComponent(username)}`;
  async function change(body: object) {
    const answer = await runAction({ method: 'PATCH', path, body, successMessage: words.saved });
    if (answer?.ok) onClose();
  }
  return (
    <Dialog title={user.display_name || username} onClose={onClose}>
      <UserState path={path} units={units} />
      <div class="choice">
        <Choice onChoose={() => change({ is_staff: !isStaff })}>
          {isStaff ? words.removeStaff : words.makeStaff}
        </Choice>
        <Choice onChoose={() => change({ is_active: !isActive })}>
          {isActive ? words.switchOff : words.switchOn}
        </Choice>
      </div>
      <p>
        <a href={toHref(`/drinks?user=${encodeURIComponent(username)}`)}>{words.drinksOf(username)}</a>
      </p>
      <ErrorMessage>{error}</ErrorMessage>
      <Form
        fields={[passwordField]}
        submit={words.setPassword}
        send={(values) => requestWithPin('POST', `${path}/set-password`, values)}
        onDone={() => {
          showToast(words.passwordSet);
          onClose();
        }}
      />
    </Dialog>
  );
}
