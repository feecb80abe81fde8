import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import { request } from '../../../api/client.ts';
import type { AuditEntry, FlowMeter } from '../../../api/generated.ts';
import { barTime, formatBarTime } from '../../../app/format.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { locale, t } from '../../../locales/locale.ts';

const maxEntries = 8;
const factorFormat = new Intl.NumberFormat(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const percentFormat = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });

/** Earlier calibration factors of the meter: when, by whom, with an undo button. */
export function CalibrationHistory({
  meter,
  snapshot,
}: {
  readonly meter: FlowMeter;
  readonly snapshot: SnapshotMessage;
}) {
  const { result } = useResource('GET /audit', {
    query: {
      action: 'meter.calibrated',
      subject_kind: 'flow_meter',
      subject_id: String(meter.id),
      limit: maxEntries,
    },
  });
  const entries = result?.entries ?? [];
  return (
    <section class="group" aria-labelledby="calibration-history">
      <h3 id="calibration-history">{t('calibration.history')}</h3>
      <div class="card">
        {result && entries.length === 0 && <p class="soft">{t('calibration.noHistory')}</p>}
        <ul class="rows" aria-label={t('calibration.history')}>
          {entries.map((entry) => (
            <HistoryEntry key={entry.id} entry={entry} snapshot={snapshot} />
          ))}
        </ul>
      </div>
    </section>
  );
}

function HistoryEntry({
  entry,
  snapshot,
}: {
  readonly entry: AuditEntry;
  readonly snapshot: SnapshotMessage;
}) {
  const { runAction, error } = useAction();
  const time = formatBarTime(barTime(entry.time, snapshot));
  const drinks = getNumber(entry.after, 'drinks') ?? 0;
  const uncertainty = getNumber(entry.after, 'uncertainty');
  return (
    <li>
      <div class="row-text">
        <p class="row-name">
          {t('calibration.change', {
            before: formatFactor(getNumber(entry.before, 'ticks_per_ml')),
            after: formatFactor(getNumber(entry.after, 'ticks_per_ml')),
          })}
          {formatCurve(entry)}
          {uncertainty !== null && <span class="soft"> ± {percentFormat.format(uncertainty)}</span>}
        </p>
        <p class="soft">
          {[
            time,
            t('calibration.byWhom', { who: entry.user_id ?? t('calibration.system') }),
            formatMethod(entry.after),
            drinks > 0 ? t('calibration.andDrinks', { count: drinks }) : null,
            entry.undone_by === null ? null : t('calibration.wasUndone'),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      {entry.can_undo && (
        <button
          type="button"
          class="chip"
          aria-label={t('calibration.undoOf', { time })}
          onClick={() =>
            runAction(
              () => request('POST /corrections/{id}/undo', { path: { id: entry.id } }),
              t('calibration.undone'),
            )
          }
        >
          {t('calibration.undo')}
        </button>
      )}
    </li>
  );
}

/** Where the factor came from; null for entries that do not tell. */
function formatMethod(after: object | null): string | null {
  const method: unknown = after === null ? null : Reflect.get(after, 'method');
  if (method === 'pours') return t('calibration.fromPours', { count: getNumber(after, 'pours') ?? 1 });
  if (method === 'sheet') return t('calibration.curve.fromSheet');
  if (method === 'evidence') return t('calibration.fromEvidence');
  return method === 'entered' ? t('calibration.entered') : null;
}

/** What became of the meter's curve; nothing for a meter that has none. */
function formatCurve({ before, after }: AuditEntry): string {
  const [was, is] = [before, after].map((side) => (side === null ? null : Reflect.get(side, 'curve')));
  if (!was && !is) return '';
  return ` · ${is ? t('calibration.curve.inHistory') : t('calibration.curve.oneNumber')}`;
}

const formatFactor = (factor: number | null): string => (factor === null ? '?' : factorFormat.format(factor));

function getNumber(side: object | null, name: string): number | null {
  const value: unknown = side === null ? null : Reflect.get(side, name);
  return typeof value === 'number' ? value : null;
}
