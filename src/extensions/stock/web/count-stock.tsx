import { request } from '../../../web/api/client.ts';
import { ErrorMessage } from '../../../web/components/action.tsx';
import { Form } from '../../../web/components/form/form.tsx';
import { showUndoable } from '../../../web/components/undo.ts';
import { useResource } from '../../../web/components/use-resource.ts';
import { t } from '../../../web/locales/locale.ts';
import { countReasons, maxCountedKegs, maxCountNote } from '../core/stock-count.ts';

/** Records how many kegs of each kind are in stock. */
export function CountStock({ onDone }: { onDone(): void }) {
  const { result, error } = useResource('GET /stock-counts/sheet');
  if (!result) return <ErrorMessage>{error}</ErrorMessage>;
  const { lines } = result;
  const fieldOf = (place: number) => `count_${place}`;
  return (
    <>
      <p class="soft">{t('stockCount.hint')}</p>
      <Form
        fields={[
          ...lines.map(
            ({ beverage, size, expected, locations }, place) =>
              ({
                kind: 'whole',
                name: fieldOf(place),
                label: [beverage, size, ...locations].join(' · '),
                hint: t('stockCount.expected', { count: expected }),
                min: 0,
                max: maxCountedKegs,
                optional: 'omit',
              }) as const,
          ),
          {
            kind: 'choice',
            name: 'reason',
            label: t('stockCount.reason'),
            options: Object.fromEntries(
              countReasons.map((reason) => [reason, t(`stockCount.reasons.${reason}`)]),
            ) as Readonly<Record<(typeof countReasons)[number], string>>,
            value: 'unknown',
          },
          {
            kind: 'lines',
            name: 'note',
            label: t('stockCount.note'),
            maxLength: maxCountNote,
            optional: 'empty',
          },
          { kind: 'flag', name: 'adjust', label: t('stockCount.adjust'), value: true },
        ]}
        submit={t('stockCount.save')}
        send={async ({ reason, note, adjust, ...typed }) => {
          const counts = typed as Readonly<Record<string, number | undefined>>;
          const counted = lines.flatMap(({ beverage_id, keg_type, full_volume_ml, expected }, place) => {
            const count = counts[fieldOf(place)];
            return count === undefined
              ? []
              : [{ beverage_id, keg_type, full_volume_ml, expected, counted: count, reason }];
          });
          if (counted.length === 0)
            return { ok: false, status: 0, sentence: t('stockCount.nothingCounted'), fields: {} };
          return request('POST /stock-counts', { body: { lines: counted, note, adjust } });
        }}
        onDone={(answer) => {
          onDone();
          showUndoable(t('stockCount.saved'), answer);
        }}
      />
    </>
  );
}
