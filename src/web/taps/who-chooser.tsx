import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { request } from '../api/client.ts';
import type { User } from '../api/operations.ts';
import { tablet } from '../me.ts';
import { pinUnlock } from '../pin-unlock.ts';
import { say } from '../words/say.ts';
import { Choice } from './drink-dialog.tsx';

/** Names that fit on a tablet without hiding the rest. */
const shownNames = 12;

interface WhoChooserProps {
  /** Username; null for nobody. */
  readonly current: string | null;
  onChoose(username: string | null): void;
}

/** Whose a drink is: somebody of the house, found by a few letters where there are many, or nobody. */
export function WhoChooser({ current, onChoose }: WhoChooserProps) {
  const people = useSignal<readonly User[]>([]);
  const letters = useSignal('');
  // On a shared tablet nobody sees who comes here before they have said who they are.
  const isShut = tablet.value !== null && people.value.length === 0;
  async function look() {
    const answer = await request('GET /users', { query: { limit: 1000 } });
    if (answer.ok) people.value = answer.result.users;
  }
  useEffect(() => {
    if (tablet.value === null || pinUnlock.value !== null) void look();
  }, []);
  const sought = letters.value.trim().toLocaleLowerCase();
  const matching = people.value.filter(({ username, display_name }) =>
    `${username} ${display_name}`.toLocaleLowerCase().includes(sought),
  );
  return (
    <fieldset class="choice">
      <legend>{say.whoDrank}</legend>
      <Choice isChosen={current === null} onChoose={() => onChoose(null)}>
        {say.guest}
      </Choice>
      {isShut && <Choice onChoose={look}>{say.somebody}</Choice>}
      {matching.slice(0, shownNames).map(({ username, display_name }) => (
        <Choice key={username} isChosen={username === current} onChoose={() => onChoose(username)}>
          {display_name || username}
        </Choice>
      ))}
      {people.value.length > shownNames && (
        <input
          class="chip-input"
          type="search"
          aria-label={say.findUser}
          placeholder={say.findUser}
          value={letters.value}
          onInput={(event) => {
            letters.value = event.currentTarget.value;
          }}
        />
      )}
      {sought !== '' && matching.length === 0 && <p>{say.nobodyFound}</p>}
    </fieldset>
  );
}
