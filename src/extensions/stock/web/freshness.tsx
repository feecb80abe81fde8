import { maxDaysLimit } from '../../../core/kegs/days-on-tap.ts';
import { request } from '../../../web/api/client.ts';
import { ErrorMessage } from '../../../web/components/action.tsx';
import { Form } from '../../../web/components/form/form.tsx';
import { showUndoable } from '../../../web/components/undo.ts';
import { useResource } from '../../../web/components/use-resource.ts';
import { t } from '../../../web/locales/locale.ts';

/** How long a keg may be on its tap before staff are warned. */
export function Freshness() {
  const { result, error } = useResource('GET /admin/business');
  const business = result?.business;
  return (
    <section class="group card" aria-labelledby="freshness">
      <h3 id="freshness">{t('stock.freshness')}</h3>
      <ErrorMessage>{error}</ErrorMessage>
      {business && (
        <Form
          fields={[
            {
              kind: 'whole',
              name: 'max_days_on_tap',
              label: t('stock.maxDaysOnTap'),
              hint: t('stock.maxDaysHint'),
              min: 1,
              max: maxDaysLimit,
              value: business.max_days_on_tap,
              optional: 'null',
            },
          ]}
          submit={t('common.save')}
          isEdit
          send={(body) => request('PATCH /admin/business', { body })}
          onDone={(answer) => showUndoable(t('common.saved'), answer)}
        />
      )}
    </section>
  );
}
