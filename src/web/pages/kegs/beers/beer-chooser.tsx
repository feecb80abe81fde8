import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { BeerType } from '../../../api/generated.ts';
import type { DisplayText } from '../../../app/error-text.ts';
import { Combobox } from '../../../components/form/combobox.tsx';
import { t } from '../../../locales/locale.ts';
import { type BreweryChoice, BreweryChooser, noBrewery } from '../breweries/brewery-chooser.tsx';
import { isSameName, useBeerSuggestions } from './suggestions.ts';

/** A chosen beer: a known one, or the name and brewery of a new one. */
export interface BeerChoice {
  readonly name: string;
  /** Null: it is created when the form is sent. */
  readonly beer: BeerType | null;
}

/** The state of a beer chooser in a form. */
export interface BeerChooserState {
  readonly choice: Signal<BeerChoice>;
  /** Brewery of a new beer. */
  readonly brewery: Signal<BreweryChoice>;
}

/** Creates the state of a beer chooser; `beer` is chosen already. */
export function useBeerChooser(beer: BeerType | null = null): BeerChooserState {
  return {
    choice: useSignal<BeerChoice>({ name: beer?.name ?? '', beer }),
    brewery: useSignal(noBrewery),
  };
}

interface BeerChooserProps {
  readonly state: BeerChooserState;
  readonly label?: string;
  readonly error?: DisplayText | undefined;
  /** False where only known beers can be chosen. */
  readonly allowNew?: boolean;
  /** Id of a beer that is not offered. */
  readonly exceptId?: string;
}

/** Chooses a beer by its name; for a name that is not known it asks for the brewery of the new beer. */
export function BeerChooser({
  state,
  label = t('kegs.beerName'),
  error,
  allowNew = true,
  exceptId,
}: BeerChooserProps) {
  const { choice, brewery } = state;
  const { name, beer } = choice.value;
  const isNew = useSignal(false);
  const hasLeft = useSignal(false);
  const { options: found, isSearched } = useBeerSuggestions(name);
  const options = beer === null ? found.filter(({ key }) => key !== exceptId) : [];
  const same = options.filter(({ text }) => isSameName(text, name));
  const trimmed = name.trim();
  // A name typed in full is the known beer, unless two breweries make one of that name.
  const known = hasLeft.value && !isNew.value && same.length === 1 ? same[0] : undefined;
  useEffect(() => {
    if (known) choice.value = { name: known.text, beer: known.record };
  }, [known?.key]);
  return (
    <>
      <Combobox
        label={label}
        text={name}
        options={options}
        onInput={(text) => {
          choice.value = { name: text, beer: null };
          isNew.value = false;
          hasLeft.value = false;
        }}
        onChoose={({ record }) => (choice.value = { name: record.name, beer: record })}
        newLabel={
          allowNew && isSearched && trimmed !== '' && beer === null
            ? t('beers.newBeerNamed', { name: trimmed })
            : null
        }
        onNew={() => (isNew.value = true)}
        onLeave={() => (hasLeft.value = true)}
        error={error}
        {...(beer !== null && { hint: beer.producer.name })}
      />
      {allowNew && beer === null && trimmed !== '' && (isNew.value || same.length === 0) && (
        <BreweryChooser choice={brewery} />
      )}
    </>
  );
}
