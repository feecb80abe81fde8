import { request } from '../../../web/api/client.ts';
import type { TapSlotProps } from '../../../web/app/page-slots.ts';
import { ActionGroup, ErrorMessage, useAction } from '../../../web/components/action.tsx';
import { Form } from '../../../web/components/form/form.tsx';
import { showUndoable } from '../../../web/components/undo.ts';
import { useResource } from '../../../web/components/use-resource.ts';
import { t } from '../../../web/locales/locale.ts';
import type { Scale } from './finding-text.ts';

type TapProps = Pick<TapSlotProps, 'tap'>;

interface FreeScalesProps extends TapProps {
  readonly scales: readonly Scale[];
}

/**
 * The scale below a tap's keg: where its weights come from, and what it shows with an empty keg. Few bars have one, so a new
 * one is added in a section that is closed.
 */
export function ScaleEditor({ tap }: TapSlotProps) {
  const { result, error } = useResource('GET /scales', { query: { limit: 1000 } });
  if (result === null) return <ErrorMessage>{error}</ErrorMessage>;
  const { scales } = result;
  const scale = scales.find(({ tap_id: tapId }) => tapId === tap.id);
  return (
    <section class="card tap-section" aria-labelledby="scale-editor">
      <h3 id="scale-editor">{t('scales.title')}</h3>
      {scale === undefined ? (
        <>
          <FreeScales tap={tap} scales={scales.filter(({ tap_id: tapId }) => tapId === null)} />
          <details class="form-more">
            <summary>{t('scales.add')}</summary>
            <p class="soft">{t('scales.none')}</p>
            <ScaleForm tap={tap} scale={undefined} />
          </details>
        </>
      ) : (
        <>
          <ScaleForm key={scale.id} tap={tap} scale={scale} />
          <DeleteScale scale={scale} />
        </>
      )}
    </section>
  );
}

function ScaleForm({ tap, scale }: TapProps & { readonly scale: Scale | undefined }) {
  const emptyKg = scale?.empty_weight_g == null ? null : scale.empty_weight_g / 1_000;
  return (
    <Form
      fields={[
        {
          kind: 'text',
          name: 'name',
          label: t('scales.name'),
          value: scale?.name ?? tap.name,
          minLength: 1,
          maxLength: 128,
        },
        {
          kind: 'text',
          name: 'topic',
          label: t('scales.topic'),
          value: scale?.topic ?? '',
          maxLength: 256,
          optional: 'empty',
          hint: t('scales.topicHint'),
        },
        {
          kind: 'text',
          name: 'payload_field',
          label: t('scales.payloadField'),
          value: scale?.payload_field ?? '',
          maxLength: 128,
          optional: 'empty',
          hint: t('scales.payloadFieldHint'),
        },
        {
          kind: 'choice',
          name: 'unit',
          label: t('scales.unit'),
          value: scale?.unit ?? 'g',
          options: { g: t('scales.grams'), kg: t('scales.kilograms') },
        },
        {
          kind: 'number',
          name: 'empty_weight_g',
          label: t('scales.emptyWeight'),
          value: emptyKg,
          min: 0,
          max: 300,
          unit: 'kg',
          optional: 'null',
          hint: t('scales.emptyWeightHint'),
        },
      ]}
      submit={t('common.save')}
      send={({ empty_weight_g: kg, ...values }) => {
        const body = { ...values, empty_weight_g: kg === null ? null : Math.round(kg * 1_000) };
        return scale === undefined
          ? request('POST /scales', { body: { ...body, tap_id: tap.id } })
          : request('PATCH /scales/{id}', { path: { id: scale.id }, body });
      }}
      onDone={(answer) => showUndoable(t('common.saved'), answer)}
    />
  );
}

/** Scales whose tap was deleted. */
function FreeScales({ tap, scales }: FreeScalesProps) {
  const action = useAction();
  if (scales.length === 0) return null;
  return (
    <ActionGroup action={action} class="choices">
      {scales.map((scale) => (
        <p key={scale.id}>
          <button
            type="button"
            class="chip"
            onClick={() =>
              void action.runAction(
                () => request('PATCH /scales/{id}', { path: { id: scale.id }, body: { tap_id: tap.id } }),
                (answer) => showUndoable(t('common.saved'), answer),
              )
            }
          >
            {t('scales.use', { name: scale.name })}
          </button>
        </p>
      ))}
    </ActionGroup>
  );
}

function DeleteScale({ scale }: { readonly scale: Scale }) {
  const action = useAction();
  return (
    <ActionGroup action={action} class="choices">
      <p>
        <button
          type="button"
          class="chip is-danger"
          onClick={() =>
            void action.runAction(
              () => request('DELETE /scales/{id}', { path: { id: scale.id } }),
              (answer) => showUndoable(t('scales.deleted', { name: scale.name }), answer),
            )
          }
        >
          {t('scales.delete')}
        </button>
      </p>
    </ActionGroup>
  );
}
