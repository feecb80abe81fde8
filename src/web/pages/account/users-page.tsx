import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Result } from '../../api/call.ts';
import { ask } from '../../ask.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { type FieldSpec, Form, type FormValues } from '../../components/form.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { toHref } from '../../current-path.ts';
import { barTime, type Units } from '../../format.ts';
import { sendsMail } from '../../me.ts';
import { Sheet } from '../../sheet.tsx';
import { Choice } from '../../taps/drink-sheet.tsx';
import { doings, tell } from '../../toast.tsx';
import { words } from '../../words/house.ts';
import { words as ownWords } from '../../words/own.ts';
import { say } from '../../words/say.ts';
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

const password: FieldSpec = {
  kind: 'password',
  name: 'password',
  label: words.newPassword,
  minLength: 8,
  maxLength: 1024,
  autocomplete: 'new-password',
};

/** Where mails leave, its owner may choose the password. */
const newUser = (mailLeaves: boolean): readonly FieldSpec[] => [
  { kind: 'text', name: 'username', label: say.username, maxLength: 30 },
  { kind: 'text', name: 'display_name', label: words.displayName, maxLength: 127, optional: 'left out' },
  { kind: 'text', name: 'email', label: words.email, maxLength: 254, optional: 'left out' },
  mailLeaves ? { ...password, label: ownWords.firstPassword, optional: 'left out' } : password,
  { kind: 'flag', name: 'is_staff', label: words.staff },
];

/** Everybody with an account: found by a few letters, added, made staff, switched off, given a new password. */
export function UsersPage({ house }: PageProps) {
  const id = useId();
  const letters = useSignal('');
  const open = useSignal<User | null>(null);
  const isNew = useSignal(false);
  const sought = letters.value.trim();
  return (
    <Page title={words.users} requiredRole="staff">
      <div class="filters">
        <label class="field" for={id}>
          {words.find}
          <input
            id={id}
            type="search"
            maxLength={128}
            value={letters.value}
            onInput={(event) => (letters.value = event.currentTarget.value)}
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
          path={sought === '' ? '/users' : `/users?search=${encodeURIComponent(sought)}`}
          itemsKey="users"
          label={words.users}
          empty={words.noUsers}
          reloadKey={doings.value}
          renderItem={(user) => (
            <UserRow key={user.username} user={user} units={house} onManage={() => (open.value = user)} />
          )}
        />
      </div>
      <Invitations units={house} />
      {open.value && <UserSheet user={open.value} units={house} onClose={() => (open.value = null)} />}
      {isNew.value && (
        <Sheet title={words.addUser} onClose={() => (isNew.value = false)}>
          <Form<Added>
            fields={newUser(sendsMail.value)}
            submit={words.addUser}
            send={(values) => ask('POST', '/users', values)}
            onDone={(added, sent) => {
              isNew.value = false;
              tell(sentenceOf(added, sent));
            }}
          />
        </Sheet>
      )}
    </Page>
  );
}

type Added = Result<'POST /users'>;

/** How whoever was added comes in, if at all: with neither password nor address they only drink, by token. */
function sentenceOf({ user: { username }, activation_sent: isLinkMailed }: Added, sent: FormValues): string {
  if (isLinkMailed) return ownWords.addedWithLink(username);
  if (sent.password !== undefined) return words.added(username);
  return sent.email === undefined
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

interface UserSheetProps {
  readonly user: User;
  readonly units: Units;
  onClose(): void;
}

function UserSheet({ user, units, onClose }: UserSheetProps) {
  const { runAction, error } = useAction();
  const { username, is_staff: staff, is_active: active } = user;
  const path = `/users/${encodeURIComponent(username)}`;
  async function change(body: object) {
    const answer = await runAction({ method: 'PATCH', path, body, successMessage: words.saved });
    if (answer?.ok) onClose();
  }
  return (
    <Sheet title={user.display_name || username} onClose={onClose}>
      <UserState path={path} units={units} />
      <div class="choice">
        <Choice onChoose={() => change({ is_staff: !staff })}>
          {staff ? words.unmakeStaff : words.makeStaff}
        </Choice>
        <Choice onChoose={() => change({ is_active: !active })}>
          {active ? words.switchOff : words.switchOn}
        </Choice>
      </div>
      <p>
        <a href={toHref(`/drinks?user=${encodeURIComponent(username)}`)}>{words.drinksOf(username)}</a>
      </p>
      <ErrorMessage>{error}</ErrorMessage>
      <Form
        fields={[password]}
        submit={words.setPassword}
        send={(values) => ask('POST', `${path}/set-password`, values)}
        onDone={() => {
          tell(words.passwordSet);
          onClose();
        }}
      />
    </Sheet>
  );
}
