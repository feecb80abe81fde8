import type { Signal } from '@preact/signals';
import type { Producer } from '../../../api/generated.ts';
import type { DisplayText } from '../../../app/error-text.ts';
import { Combobox } from '../../../components/form/combobox.tsx';
import { t } from '../../../locales/locale.ts';
import { isSameName, useBrewerySuggestions } from '../beers/suggestions.ts';

/** A chosen brewery: a known one, or the name of a new one. */
export interface BreweryChoice {
  readonly name: string;
  /** Null: it is created when the form is sent. */
  readonly id: number | null;
}

export const noBrewery: BreweryChoice = { name: '', id: null };

/** The choice of a known brewery. */
export const chooseBrewery = ({ id, name }: Producer): BreweryChoice => ({ id, name });

interface BreweryChooserProps {
  readonly choice: Signal<BreweryChoice>;
  readonly label?: string;
  readonly error?: DisplayText | undefined;
  /** False where only known breweries can be chosen. */
  readonly allowNew?: boolean;
  /** Id of a brewery that is not offered. */
  readonly exceptId?: number;
}

/** Chooses a brewery by its name; a name that is not known makes a new one. */
export function BreweryChooser({
  choice,
  label = t('kegs.brewery'),
  error,
  allowNew = true,
  exceptId,
}: BreweryChooserProps) {
  const { name, id } = choice.value;
  const { options: found, isSearched } = useBrewerySuggestions(name);
  const options = found.filter(({ record }) => record.id !== exceptId);
  const same = options.filter(({ text }) => isSameName(text, name));
  const trimmed = name.trim();
  const canAdd = allowNew && id === null && trimmed !== '' && same.length === 0;
  return (
    <Combobox
      label={label}
      text={name}
      options={id === null ? options : []}
      onInput={(text) => (choice.value = { name: text, id: null })}
      onChoose={({ record }) => (choice.value = chooseBrewery(record))}
      newLabel={canAdd && isSearched ? t('beers.newBreweryNamed', { name: trimmed }) : null}
      onLeave={() => {
        if (id === null && same.length === 1) choice.value = chooseBrewery(same[0]!.record);
      }}
      error={error}
      {...(canAdd && { hint: t('beers.breweryIsNew') })}
    />
  );
}
