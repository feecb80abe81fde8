import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { type Result, request } from '../../api/client.ts';
import type { User } from '../../api/generated.ts';
import { formatBarDay, type Units } from '../../app/format.ts';
import { sendsMail } from '../../app/me.ts';
import { toHref } from '../../app/routing.ts';
import { Dialog } from '../../components/dialog.tsx';
import { drinkerPath } from '../../components/drinker-link.tsx';
import type { FieldSpec } from '../../components/form/field-spec.ts';
import { Form } from '../../components/form/form.tsx';
import { newPassword } from '../../components/form/new-password.ts';
import { SearchField } from '../../components/form/search-field.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { showToast } from '../../components/toast.tsx';
import { useDebounced } from '../../components/use-debounced.ts';
import { t } from '../../locales/locale.ts';
import { Invitations } from './invitations.tsx';
import { personPath } from './person/person-path.ts';
import { type Role, roleOf, roles } from './person/roles.ts';

const passwordField = () =>
  ({
    kind: 'password',
    name: 'password',
    label: t('users.newPassword'),
    ...newPassword(),
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

/** All accounts by search, role and state; adds people, and leads to the page of each. */
export function UsersPage({ snapshot }: PageProps) {
  const search = useSignal('');
  const settled = useDebounced(search.value.trim());
  const role = useSignal<Role | ''>('');
  const state = useSignal<'' | 'active' | 'inactive'>('');
  const isNew = useSignal(false);
  const showAll = () => {
    search.value = '';
    role.value = '';
    state.value = '';
  };
  const query = {
    ...(settled !== '' && { search: settled }),
    ...(role.value !== '' && { role: role.value }),
    ...(state.value !== '' && { is_active: state.value === 'active' }),
  };
  return (
    <Page title={t('users.title')} requiredRole="staff">
      <div class="filters">
        <SearchField label={t('users.find')} search={search} />
        <Filter
          label={t('users.role')}
          value={role.value}
          options={{
            '': t('users.allRoles'),
            ...Object.fromEntries(roles.map((one) => [one, t(`users.roles.${one}`)])),
          }}
          onChange={(value) => (role.value = roles.find((one) => one === value) ?? '')}
        />
        <Filter
          label={t('users.state')}
          value={state.value}
          options={{
            '': t('users.allStates'),
            active: t('users.active'),
            inactive: t('users.inactive'),
          }}
          onChange={(value) => (state.value = value === 'active' || value === 'inactive' ? value : '')}
        />
      </div>
      <p>
        <button type="button" class="button" onClick={() => (isNew.value = true)}>
          {t('users.addUser')}
        </button>
      </p>
      <div class="card">
        <PagedList
          operation="GET /users"
          input={{ query }}
          itemsKey="users"
          label={t('users.title')}
          empty={t('users.noUsers')}
          emptyPicture="people"
          // Without a filter there is at least the reader.
          emptyAction={{ label: t('common.showAll'), onAct: showAll }}
          renderItem={(user) =>
            'is_staff' in user && <UserRow key={user.username} user={user} units={snapshot} />
          }
        />
      </div>
      <Invitations units={snapshot} />
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

interface FilterProps {
  readonly label: string;
  readonly value: string;
  /** Value → label. */
  readonly options: Readonly<Record<string, string>>;
  onChange(value: string): void;
}

function Filter({ label, value, options, onChange }: FilterProps) {
  const id = useId();
  return (
    <label class="field" for={id}>
      {label}
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {Object.entries(options).map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The name leads to the page on which the person is looked after. */
function UserRow({ user, units }: { readonly user: User; readonly units: Units }) {
  const role = roleOf(user);
  return (
    <li>
      <div class="row-text">
        <p class="row-name">
          <a href={toHref(personPath(user.username))}>{user.display_name || user.username}</a>
        </p>
        <p class="soft">
          {[
            user.username,
            role !== 'member' && t(`users.roles.${role}`),
            !user.is_active && t('users.switchedOff'),
            t('users.joined', { day: formatBarDay(user.joined_time, units) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <a
        class="chip"
        href={toHref(drinkerPath(user.username))}
        aria-label={t('users.drinkerPageOf', { who: user.username })}
      >
        {t('users.drinkerPage')}
      </a>
    </li>
  );
}
