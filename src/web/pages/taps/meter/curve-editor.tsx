import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { maxCurvePoints } from '../../../../core/measurement/meter-curve.ts';
import type { LiveTap, SnapshotMessage } from '../../../../http/live/shapes.ts';
import { request } from '../../../api/client.ts';
import type { FlowMeter, FlowMeterCurve } from '../../../api/generated.ts';
import { toHref } from '../../../app/routing.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { showUndoable } from '../../../components/undo.ts';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import { Checkbox, KegEffect } from '../calibration/apply-calibration.tsx';
import { CurveTable } from '../calibration/curve-table.tsx';
import { useDebouncedRequest } from '../calibration/use-debounced-request.ts';
import { type CurveRow, emptyRow, toCurveRows, toPoints } from './curve-rows.ts';

interface CurveSectionProps {
  readonly meter: FlowMeter;
  readonly tap: LiveTap | null;
  readonly snapshot: SnapshotMessage;
}

/** The factor over the flow as a table that staff edit. */
export function CurveSection({ meter, tap, snapshot }: CurveSectionProps) {
  const { result, error } = useResource('GET /flow-meters/{id}/curve', { path: { id: meter.id } });
  return (
    <section class="group" aria-labelledby="meter-curve">
      <h3 id="meter-curve">{t('calibration.curve.title')}</h3>
      <div class="card group">
        <ErrorMessage>{error}</ErrorMessage>
        <p class="soft">
          {t('calibration.curve.what')}{' '}
          {tap !== null && result?.is_used && (
            <a href={toHref(`/taps/${tap.id}/calibrate`)}>{t('curveEditor.measure')}</a>
          )}
        </p>
        {result && !result.is_used && <p>{t('calibration.curve.noPins')}</p>}
        {result?.is_used && (
          <CurveEditor
            key={JSON.stringify([result.curve, result.ticks_per_ml])}
            {...{ meter, tap, snapshot }}
            current={result}
          />
        )}
      </div>
    </section>
  );
}

function CurveEditor({
  meter,
  tap,
  snapshot,
  current,
}: CurveSectionProps & { readonly current: FlowMeterCurve }) {
  const { curve, data_sheet: sheet } = current;
  const { runAction, error, isBusy } = useAction();
  const rows = useSignal(toCurveRows(curve));
  const offsetTicks = useSignal(curve?.offset_ticks ?? 0);
  const applyToKeg = useSignal(true);
  const kegId = tap?.keg?.id ?? null;
  const path = { id: meter.id };
  const points = toPoints(rows.value);
  const isChanged = JSON.stringify(points) !== JSON.stringify(curve?.points ?? []);
  const isUsable = points !== null && isChanged;
  const edited = { points: points ?? [], offset_ticks: offsetTicks.value };
  const isFromSheet = sheet !== null && JSON.stringify(points) === JSON.stringify(sheet.curve.points);
  const preview = useDebouncedRequest(
    isUsable ? { ...(points.length > 0 && edited), apply_to_keg: kegId } : null,
    (body) => request('POST /flow-meters/{id}/curve-preview', { path, body }),
  );
  const setRow = (index: number, row: CurveRow) =>
    (rows.value = rows.value.map((one, i) => (i === index ? row : one)));

  function apply() {
    const keg = applyToKeg.value ? kegId : null;
    const send = () =>
      edited.points.length === 0
        ? request('DELETE /flow-meters/{id}/curve', {
            path,
            query: keg === null ? {} : { apply_to_keg: keg },
          })
        : request('PUT /flow-meters/{id}/curve', {
            path,
            body: { ...edited, method: isFromSheet ? 'sheet' : 'entered', apply_to_keg: keg },
          });
    const done = edited.points.length === 0 ? 'calibration.curve.removed' : 'calibration.curve.applied';
    return runAction(send, (answer) => showUndoable(t(done), answer));
  }

  return (
    <>
      {rows.value.length === 0 ? (
        <p>{t('curveEditor.none')}</p>
      ) : (
        <PointTable
          rows={rows.value}
          onChange={setRow}
          onRemove={(index) => (rows.value = rows.value.toSpliced(index, 1))}
        />
      )}
      <div class="row-actions">
        {rows.value.length < maxCurvePoints && (
          <button type="button" class="chip" onClick={() => (rows.value = [...rows.value, emptyRow])}>
            {t('curveEditor.add')}
          </button>
        )}
        {sheet !== null && !isFromSheet && (
          <button
            type="button"
            class="chip"
            onClick={() => {
              rows.value = toCurveRows(sheet.curve);
              offsetTicks.value = sheet.curve.offset_ticks;
            }}
          >
            {t('calibration.curve.sheet', { model: sheet.model })}
          </button>
        )}
      </div>
      {points === null && <p class="soft">{t('curveEditor.incomplete')}</p>}
      {points !== null && points.length > 0 && (
        <CurveTable curve={edited} factor={current.ticks_per_ml} snapshot={snapshot} />
      )}
      <ErrorMessage>{error ?? (isUsable ? preview.error : null)}</ErrorMessage>
      {isUsable && kegId !== null && (
        <>
          <Checkbox
            label={t('calibration.recalculateKeg')}
            isSet={applyToKeg.value}
            onSet={(on) => (applyToKeg.value = on)}
          />
          {applyToKeg.value && preview.result && <KegEffect preview={preview.result} snapshot={snapshot} />}
        </>
      )}
      {isUsable && (
        <button
          type="button"
          class="button apply-calibration"
          aria-disabled={isBusy || undefined}
          onClick={() => void apply()}
        >
          {t(points.length === 0 ? 'calibration.curve.remove' : 'calibration.curve.apply')}
        </button>
      )}
    </>
  );
}

interface PointTableProps {
  readonly rows: readonly CurveRow[];
  onChange(index: number, row: CurveRow): void;
  onRemove(index: number): void;
}

function PointTable({ rows, onChange, onRemove }: PointTableProps) {
  const id = useId();
  const cell = (index: number, field: 'flow' | 'ticks', label: string) => (
    <div class="field">
      <input
        type="text"
        inputmode="decimal"
        autocomplete="off"
        maxLength={12}
        aria-label={`${label} ${index + 1}`}
        value={rows[index]![field]}
        onInput={(event) => {
          const { flow, ticks } = rows[index]!;
          onChange(index, { flow, ticks, [field]: event.currentTarget.value });
        }}
      />
    </div>
  );
  return (
    <table class="curve-points" aria-labelledby={id}>
      <caption id={id} class="soft">
        {t('curveEditor.points')}
      </caption>
      <thead>
        <tr>
          <th scope="col">{t('curveEditor.flow')}</th>
          <th scope="col">{t('curveEditor.ticks')}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {rows.map((_row, index) => (
          // Rows have no other identity than their place.
          <tr key={index}>
            <td>{cell(index, 'flow', t('curveEditor.flow'))}</td>
            <td>{cell(index, 'ticks', t('curveEditor.ticks'))}</td>
            <td>
              <button
                type="button"
                class="chip"
                aria-label={t('curveEditor.removeRow', { row: String(index + 1) })}
                onClick={() => onRemove(index)}
              >
                {t('curveEditor.remove')}
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
