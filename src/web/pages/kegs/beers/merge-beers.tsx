import { request } from '../../../api/client.ts';
import type { BeerType } from '../../../api/generated.ts';
import { t } from '../../../locales/locale.ts';
import { BeerChooser, useBeerChooser } from './beer-chooser.tsx';
import { MergeForm } from './merge-form.tsx';

interface MergeBeersProps {
  readonly kept: BeerType;
  onClose(): void;
}

/** Merges a duplicate into a beer. */
export function MergeBeers({ kept, onClose }: MergeBeersProps) {
  const state = useBeerChooser();
  const duplicate = state.choice.value.beer;
  return (
    <MergeForm
      keptName={kept.name}
      duplicateName={duplicate?.name ?? null}
      explanation={t('beers.mergeExplained', { name: kept.name })}
      merge={() =>
        request('POST /beverages/{id}/merge', {
          path: { id: Number(kept.id) },
          body: { beverage_id: duplicate?.id ?? '' },
        })
      }
      onClose={onClose}
    >
      <BeerChooser state={state} label={t('beers.duplicate')} allowNew={false} exceptId={kept.id} />
    </MergeForm>
  );
}
