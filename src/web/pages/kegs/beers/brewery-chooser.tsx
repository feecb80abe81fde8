import type { Signal } from '@preact/signals';
import type { Producer } from '../../../api/generated.ts';
import type { DisplayText } from '../../../app/error-text.ts';
import { Combobox } from '../../../components/combobox.tsx';
import { t } from '../../../locales/locale.ts';
import { isSameName, useBrewerySuggestions } from './suggestions.ts';

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
  readonly error?: DisplayText | undefined;
}

/** Chooses a brewery by its name; a name that is not known makes a new one. */
export function BreweryChooser({ choice, error }: BreweryChooserProps) {
  const { name, id } = choice.value;
  const options = useBrewerySuggestions(name);
  const hasSame = options.some(({ text }) => isSameName(text, name));
  const takeSame = () => {
    const same = options.filter(({ text }) => isSameName(text, name));
    if (id === null && same.length === 1) choice.value = chooseBrewery(same[0]!.record);
  };
  return (
    <Combobox
      label={t('kegs.brewery')}
      text={name}
      options={id === null ? options : []}
      onInput={(text) => (choice.value = { name: text, id: null })}
      onChoose={({ record }) => (choice.value = chooseBrewery(record))}
      newLabel={
        name.trim() === '' || id !== null || hasSame
          ? null
          : t('beers.newBreweryNamed', { name: name.trim() })
      }
      onLeave={takeSame}
      error={error}
      {...(id === null && name.trim() !== '' && !hasSame && { hint: t('beers.breweryIsNew') })}
    />
  );
}
