import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';

/** The search of a list; it acts while typing. */
export function SearchField({ label, search }: { readonly label: string; readonly search: Signal<string> }) {
  const id = useId();
  return (
    <label class="field" for={id}>
      {label}
      <input
        id={id}
        type="search"
        autocomplete="off"
        maxLength={255}
        value={search.value}
        onInput={(event) => (search.value = event.currentTarget.value)}
      />
    </label>
  );
}
