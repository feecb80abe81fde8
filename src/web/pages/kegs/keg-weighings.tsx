import { useSignal } from '@preact/signals';
import { defaultBalanceG, weighingBounds } from '../../../core/kegs/keg-weight.ts';
import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { request } from '../../api/client.ts';
import type { Keg, KegWeighing } from '../../api/generated.ts';
import { barTime, formatBarTime, formatDecimal, formatFineVolume } from '../../app/format.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { Form } from '../../components/form/form.tsx';
import { RowButton } from '../../components/row-button.tsx';
import { showUndoable } from '../../components/undo.ts';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';

interface KegWeighingsProps {
  readonly keg: Keg;
  readonly snapshot: SnapshotMessage;
}

/** The weighings of a keg, for staff: what was left by weight beside what was counted. They change no drink. */
export function KegWeighings({ keg, snapshot }: KegWeighingsProps) {
  const { result, error } = useResource('GET /kegs/{id}/weighings', { path: { id: keg.id } });
  return (
    <section class="group" aria-labelledby="keg-weighings">
      <h3 id="keg-weighings">{t('weighing.title')}</h3>
      <div class="card group">
        <ErrorMessage>{error}</ErrorMessage>
        {result && (
          <>
            {result.weighings.length > 0 && (
              <ul class="rows" aria-label={t('weighing.title')}>
                {result.weighings.toReversed().map((weighing) => (
                  <WeighingRow
                    key={weighing.id}
                    kegId={keg.id}
                    weighing={weighing}
                    usualEmptyG={result.usual_empty_weight_g}
                    snapshot={snapshot}
                  />
                ))}
              </ul>
            )}
            <WeighingForm kegId={keg.id} weighing={null} usualEmptyG={result.usual_empty_weight_g} />
            <p class="soft">{t('weighing.hint')}</p>
          </>
        )}
      </div>
    </section>
  );
}

const toKg = (grams: number): string => formatDecimal(grams / 1_000, 2);

interface WeighingRowProps {
  readonly kegId: number;
  readonly weighing: KegWeighing;
  readonly usualEmptyG: number | null;
  readonly snapshot: SnapshotMessage;
}

function WeighingRow({ kegId, weighing, usualEmptyG, snapshot }: WeighingRowProps) {
  const isEditing = useSignal(false);
  const { runAction, error } = useAction();
  const { id, left_ml: leftMl, left_uncertainty_ml: uncertaintyMl, username } = weighing;
  const time = formatBarTime(barTime(weighing.time, snapshot));
  const formatAmount = (ml: number) => formatFineVolume(ml, snapshot);
  const remove = () =>
    runAction(
      () => request('DELETE /kegs/{id}/weighings/{weighing_id}', { path: { id: kegId, weighing_id: id } }),
      (answer) => showUndoable(t('weighing.deleted'), answer),
    );
  if (isEditing.value)
    return (
      <li>
        <WeighingForm
          kegId={kegId}
          weighing={weighing}
          usualEmptyG={usualEmptyG}
          onClose={() => (isEditing.value = false)}
        />
      </li>
    );
  return (
    <li>
      <div class="row-text">
        <p class="row-name">
          {leftMl === null || uncertaintyMl === null
            ? t('weighing.noEmptyWeight')
            : t('weighing.left', { left: formatAmount(leftMl), uncertainty: formatAmount(uncertaintyMl) })}
        </p>
        <p>{t('weighing.counted', { counted: formatAmount(weighing.counted_ml) })}</p>
        <p class="soft">
          {[
            time,
            t('weighing.weightOf', { weight: toKg(weighing.weight_g) }),
            weighing.used_empty_weight_g !== null &&
              t('weighing.emptyOf', { weight: toKg(weighing.used_empty_weight_g) }),
            username,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <div class="row-actions">
        <RowButton label={t('weighing.edit')} what={time} onClick={() => (isEditing.value = true)} />
        <RowButton label={t('weighing.delete')} what={time} isDanger onClick={() => void remove()} />
      </div>
    </li>
  );
}

interface WeighingFormProps {
  readonly kegId: number;
  /** Null for a new one. */
  readonly weighing: KegWeighing | null;
  readonly usualEmptyG: number | null;
  onClose?(): void;
}

function WeighingForm({ kegId, weighing, usualEmptyG, onClose }: WeighingFormProps) {
  const { weightG, emptyWeightG, balanceG } = weighingBounds;
  return (
    <Form
      fields={[
        {
          kind: 'number',
          name: 'weight_g',
          label: t('weighing.weight'),
          value: weighing && weighing.weight_g / 1_000,
          min: weightG.min / 1_000,
          max: weightG.max / 1_000,
          unit: 'kg',
        },
        {
          kind: 'number',
          name: 'empty_weight_g',
          label: t('weighing.empty'),
          value: weighing?.empty_weight_g == null ? null : weighing.empty_weight_g / 1_000,
          min: emptyWeightG.min / 1_000,
          max: emptyWeightG.max / 1_000,
          unit: 'kg',
          optional: 'null',
          hint:
            usualEmptyG === null
              ? t('weighing.emptyHint')
              : t('weighing.usualEmptyHint', { weight: toKg(usualEmptyG) }),
        },
        {
          kind: 'number',
          name: 'balance_g',
          label: t('weighing.balance'),
          value: weighing?.balance_g ?? defaultBalanceG,
          min: balanceG.min,
          max: balanceG.max,
          unit: 'g',
          isMore: true,
          hint: t('weighing.balanceHint'),
        },
      ]}
      submit={weighing === null ? t('weighing.add') : t('common.save')}
      send={(values) => {
        const empty = values.empty_weight_g;
        const body = {
          weight_g: Math.round(values.weight_g * 1_000),
          empty_weight_g: empty === null ? null : Math.round(empty * 1_000),
          balance_g: values.balance_g,
        };
        return weighing === null
          ? request('POST /kegs/{id}/weighings', { path: { id: kegId }, body })
          : request('PATCH /kegs/{id}/weighings/{weighing_id}', {
              path: { id: kegId, weighing_id: weighing.id },
              body,
            });
      }}
      onDone={(answer) => {
        onClose?.();
        showUndoable(t(weighing === null ? 'weighing.added' : 'common.saved'), answer);
      }}
      {...(onClose && { onCancel: onClose })}
    />
  );
}
