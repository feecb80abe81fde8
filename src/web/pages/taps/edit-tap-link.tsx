import { isStaff } from '../../app/me.ts';
import { toHref } from '../../app/routing.ts';
import { t } from '../../locales/locale.ts';

/** Link to the editor of a tap, for staff. */
export function EditTapLink({ tapId }: { readonly tapId: string }) {
  if (!isStaff.value) return null;
  return (
    <p>
      <a class="chip" href={toHref(`/taps/${tapId}/edit`)}>
        {t('taps.editTap')}
      </a>
    </p>
  );
}
