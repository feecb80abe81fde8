import { useSignal } from '@preact/signals';
import { request } from '../../../api/client.ts';
import type { Producer } from '../../../api/generated.ts';
import { t } from '../../../locales/locale.ts';
import { MergeForm } from '../beers/merge-form.tsx';
import { BreweryChooser, noBrewery } from './brewery-chooser.tsx';

interface MergeBreweriesProps {
  readonly kept: Producer;
  onClose(): void;
}

/** Merges a duplicate into a brewery. */
export function MergeBreweries({ kept, onClose }: MergeBreweriesProps) {
  const choice = useSignal(noBrewery);
  const { id, name } = choice.value;
  return (
    <MergeForm
      keptName={kept.name}
      duplicateName={id === null ? null : name}
      explanation={t('beers.mergeBreweriesExplained', { name: kept.name })}
      merge={() =>
        request('POST /beverage-producers/{id}/merge', {
          path: { id: kept.id },
          body: { producer_id: id ?? '' },
        })
      }
      onClose={onClose}
    >
      <BreweryChooser choice={choice} label={t('beers.duplicate')} allowNew={false} exceptId={kept.id} />
    </MergeForm>
  );
}
