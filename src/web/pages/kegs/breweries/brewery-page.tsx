import { Page, type PageProps } from '../../../components/page.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import { BreweryEditor } from './brewery-editor.tsx';

/** The editor of one brewery; the id `new` adds one. */
export function BreweryPage({ id }: PageProps) {
  const isNew = id === 'new';
  const input = isNew ? null : { path: { id: Number(id) } };
  const { result, error } = useResource('GET /beverage-producers/{id}', input);
  const brewery = result?.beverage_producer ?? null;
  return (
    <Page
      width="form"
      title={isNew ? t('beers.newBrewery') : (brewery?.name ?? t('kegs.brewery'))}
      requiredRole="staff"
    >
      {error !== null && (
        <p class="refusal" role="alert">
          {error}
        </p>
      )}
      {(isNew || brewery) && <BreweryEditor key={brewery?.id ?? 'new'} brewery={brewery} />}
    </Page>
  );
}
