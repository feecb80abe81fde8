import { useSignal } from '@preact/signals';
import type { DisplayText } from '../../app/error-text.ts';
import { t } from '../../locales/locale.ts';
import { useDebounced } from '../use-debounced.ts';
import { useResource } from '../use-resource.ts';
import { Combobox } from './combobox.tsx';

const maxSuggestions = 8;

interface UserComboboxProps {
  readonly label: string;
  /** Username at first; empty for nobody. */
  readonly initial?: string;
  readonly required?: boolean;
  readonly error?: DisplayText | undefined;
  /** Called with the username of the person whose name is in the input; null when there is none. */
  onChange(username: string | null): void;
}

const toComparable = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Chooses an active person by typing a part of the name. For staff. */
export function UserCombobox({ label, initial = '', required = true, error, onChange }: UserComboboxProps) {
  const text = useSignal(initial);
  const search = useDebounced(text.value.trim());
  const { result } = useResource('GET /users', {
    query: { limit: maxSuggestions, is_active: true, ...(search !== '' && { search }) },
  });
  // What was found for an earlier text must not be offered for this one: Enter would take the wrong person.
  const typed = toComparable(text.value.trim());
  const matching = (result?.users ?? []).filter(({ username, display_name: displayName }) =>
    toComparable(`${username}\n${displayName}`).includes(typed),
  );
  const options = matching.map(({ username, display_name: displayName }) => ({
    key: username,
    text: username,
    ...(displayName !== '' && displayName !== username && { detail: displayName }),
  }));
  return (
    <Combobox
      label={label}
      text={text.value}
      options={options}
      required={required}
      maxLength={128}
      hint={t('tokens.personHint')}
      error={error}
      onInput={(typed) => {
        text.value = typed;
        // A name that nobody has is refused by the daemon, beside this field.
        onChange(typed.trim() || null);
      }}
      onChoose={({ key }) => {
        text.value = key;
        onChange(key);
      }}
    />
  );
}
