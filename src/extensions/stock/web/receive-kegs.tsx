import { useMemo } from 'preact/hooks';
import { createChangeKeys } from '../../../web/api/change-keys.ts';
import { request } from '../../../web/api/client.ts';
import type { Units } from '../../../web/app/format.ts';
import { Form } from '../../../web/components/form/form.tsx';
import { showUndoable } from '../../../web/components/undo.ts';
import { t } from '../../../web/locales/locale.ts';
import { BeerChooser, useBeerChooser } from '../../../web/pages/kegs/beers/beer-chooser.tsx';
import { sendWithBeer } from '../../../web/pages/kegs/beers/resolve-beer.ts';
import { KegFillFields, readKegFill, useKegFill } from '../../../web/pages/kegs/keg-fill.tsx';
import { maxDelivery } from '../core/keg-stock.ts';
import { purchaseFields, toPurchaseBody } from './purchase-fields.ts';
import { scanField } from './scan-label.tsx';

interface ReceiveKegsProps {
  readonly units: Units;
  readonly currency: string;
  /** The current business day. */
  readonly today: string;
  /** Who delivered last. */
  readonly supplier: string;
  onDone(): void;
}

/** Adds the kegs of a delivery: the same beer, size and dates for each. */
export function ReceiveKegs({ units, currency, today, supplier, onDone }: ReceiveKegsProps) {
  const fill = useKegFill(units);
  const beer = useBeerChooser();
  const keys = useMemo(createChangeKeys, []);
  return (
    <Form
      fields={[
        {
          kind: 'custom',
          name: 'keg',
          label: t('kegs.keg', { id: '' }),
          optional: 'omit',
          render: () => (
            <>
              <BeerChooser state={beer} />
              <KegFillFields state={fill} units={units} />
            </>
          ),
        },
        { kind: 'whole', name: 'count', label: t('stock.count'), value: 1, min: 1, max: maxDelivery },
        scanField,
        ...purchaseFields({ supplier, received_on: today }, currency),
      ]}
      submit={t('stock.receive')}
      send={async ({ count, ...typed }) => {
        const keg = readKegFill(fill, units);
        if (keg === null) return { ok: false, status: 0, sentence: fill.error.value ?? '', fields: {} };
        const purchase = toPurchaseBody(typed, currency);
        return sendWithBeer(beer, keys, (beverage_id) =>
          request('POST /deliveries', { body: { keg: { beverage_id, ...keg }, count, purchase } }),
        );
      }}
      onDone={(answer) => {
        onDone();
        showUndoable(t('stock.received', { count: answer.keg_ids.length }), answer);
      }}
    />
  );
}
