import { request } from '../../../web/api/client.ts';
import { ErrorMessage } from '../../../web/components/action.tsx';
import { Form } from '../../../web/components/form/form.tsx';
import { showUndoable } from '../../../web/components/undo.ts';
import { useResource } from '../../../web/components/use-resource.ts';
import { t } from '../../../web/locales/locale.ts';
import { LabelPicture } from './label-picture.tsx';
import { purchaseFields, toPurchaseBody } from './purchase-fields.ts';
import { scanField } from './scan-label.tsx';

/** What is known of a keg from its delivery, for staff. */
export function PurchaseOfKeg({ kegId }: { readonly kegId: number }) {
  const { result, error } = useResource('GET /kegs/{id}/purchase', { path: { id: kegId } });
  const business = useResource('GET /admin/business');
  const currency = business.result?.business.currency;
  const purchase = result?.purchase;
  return (
    <section class="group" aria-labelledby="keg-purchase">
      <h3 id="keg-purchase">{t('stock.purchase')}</h3>
      <div class="card group">
        <ErrorMessage>{error ?? business.error}</ErrorMessage>
        {result && <LabelPicture kegId={kegId} picture={result.label_picture} />}
        {purchase && currency !== undefined && (
          <Form
            key={kegId}
            fields={[
              scanField,
              ...purchaseFields(purchase, currency),
              {
                kind: 'date',
                name: 'deposit_returned_on',
                label: t('stock.depositReturnedOn'),
                value: purchase.deposit_returned_on,
                optional: 'null',
                isMore: true,
              },
            ]}
            submit={t('common.save')}
            isEdit
            send={(typed) =>
              request('PATCH /kegs/{id}/purchase', {
                path: { id: kegId },
                body: {
                  ...toPurchaseBody(typed, currency),
                  deposit_returned_on: typed.deposit_returned_on,
                },
              })
            }
            onDone={(answer) => showUndoable(t('common.saved'), answer)}
          />
        )}
      </div>
    </section>
  );
}
