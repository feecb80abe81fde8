import { isStaff } from '../../../app/me.ts';
import { toHref } from '../../../app/routing.ts';
import { t } from '../../../locales/locale.ts';

/** Link to the editor of a beer, for staff; renders nothing without a beer. */
export function EditBeerLink({ beerId }: { readonly beerId: string | undefined }) {
  if (beerId === undefined || !isStaff.value) return null;
  return (
    <p>
      <a class="chip" href={toHref(`/beers/${beerId}`)}>
        {t('beers.editBeer')}
      </a>
    </p>
  );
}
