import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { UserName } from '../../api/generated.ts';
import { tablet } from '../../app/me.ts';
import { pinUnlock } from '../../app/pin-unlock.ts';
import { Choice } from '../../components/form/choice.tsx';
import { t } from '../../locales/locale.ts';

/** Number of names that fit on a tablet's screen. */
const defaultMaxShown = 12;

interface UserPickerProps {
  /** Username; null for nobody. */
  readonly current: string | null;
  /** Usernames that are listed first, also before the users are loaded. */
  readonly recent?: readonly string[];
  /** Number of names that are shown at once. */
  readonly maxShown?: number;
  onChoose(username: string | null): void;
}

/** Chooses the user of a drink, or none; a search field appears when there are many users. */
export function UserPicker({ current, recent = [], maxShown = defaultMaxShown, onChoose }: UserPickerProps) {
  const users = useSignal<readonly UserName[]>([]);
  const filter = useSignal('');
  // A shared tablet lists the users only after a PIN unlock.
  const isLocked = tablet.value !== null && users.value.length === 0;
  async function loadUsers() {
    const answer = await request('GET /users', { query: { limit: 1000 } });
    if (answer.ok) users.value = answer.result.users;
  }
  useEffect(() => {
    if (tablet.value === null || pinUnlock.value !== null) void loadUsers();
  }, []);
  const search = filter.value.trim().toLocaleLowerCase();
  const people = [
    ...recent.map(
      (name) =>
        users.value.find(({ username }) => username === name) ?? { username: name, display_name: name },
    ),
    ...users.value.filter(({ username }) => !recent.includes(username)),
  ];
  const matching = people.filter(({ username, display_name }) =>
    `${username} ${display_name}`.toLocaleLowerCase().includes(search),
  );
  return (
    <fieldset class="choice">
      <legend>{t('drinks.user')}</legend>
      <Choice isChosen={current === null} onChoose={() => onChoose(null)}>
        {t('drinks.guest')}
      </Choice>
      {isLocked && <Choice onChoose={loadUsers}>{t('drinks.choosePerson')}</Choice>}
      {matching.slice(0, maxShown).map(({ username, display_name }) => (
        <Choice key={username} isChosen={username === current} onChoose={() => onChoose(username)}>
          {display_name || username}
        </Choice>
      ))}
      {people.length > maxShown && (
        <input
          class="chip-input"
          type="search"
          aria-label={t('drinks.findUser')}
          placeholder={t('drinks.findUser')}
          value={filter.value}
          onInput={(event) => {
            filter.value = event.currentTarget.value;
          }}
        />
      )}
      {search !== '' && matching.length === 0 && <p>{t('drinks.nobodyFound')}</p>}
    </fieldset>
  );
}
