import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask } from './ask.ts';
import { Choice } from './drink-sheet.tsx';
import { say } from './words/say.ts';

/** Names that fit on a tablet without hiding the rest. */
const shownNames = 12;

interface Person {
  readonly username: string;
  readonly display_name: string;
}

interface WhoChooserProps {
  /** Username; null for nobody. */
  readonly current: string | null;
  onChoose(username: string | null): void;
}

/** Whose a drink is: somebody of the house, found by a few letters where there are many, or nobody. */
export function WhoChooser({ current, onChoose }: WhoChooserProps) {
  const people = useSignal<readonly Person[]>([]);
  const letters = useSignal('');
  useEffect(() => {
    void ask<{ readonly users: readonly Person[] }>('GET', '/users?limit=1000').then((answer) => {
      if (answer.ok) people.value = answer.result.users;
    });
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
