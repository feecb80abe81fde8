import type { MeterCurve } from '../../core/measurement/meter-curve.ts';
import { fieldDefaults } from '../../core/records/fields.ts';
import type { FlowMeter, MeterConfig } from '../../core/records.ts';
import { type HardwareTexts, type MeterFields, meterFields } from '../../core/taps/meter-record.ts';
import type { Database } from '../database.ts';
import type { Caches } from '../shared/caches.ts';
import { type RawRow, recordColumns, recordTable } from '../shared/record-table.ts';
import { formatCurve, parseCurve } from './curve-column.ts';
import { meterNameTicks } from './meter-name-ticks.ts';

const meter = recordColumns(meterFields, 'm');
/** The columns after the declared ones; the curve is JSON. */
type MeterExtras = [name: string, curve: string | null, hz: number | null, ticks: number | null];

const selectMeter = `SELECT ${meter.sql}, c.name || '.' || m.port_name, m.curve, m.measured_hz, m.measured_ticks
  FROM flow_meters m JOIN controllers c ON c.id = m.controller_id`;
/** A factor from elsewhere: the meter forgets its evidence, which may be that of another meter. */
const startAnew = `prior_ticks_per_ml = NULL, u_prior = NULL,
  evidence_after = (SELECT coalesce(max(id), 0) FROM meter_evidence WHERE meter_id = flow_meters.id),
  chart_after = (SELECT coalesce(max(id), 0) FROM meter_evidence WHERE meter_id = flow_meters.id)`;

/** What a meter's model says of its flow; null where it is not known. */
export type ModelFigures = Pick<FlowMeter, 'modelHz' | 'leastMlPerS' | 'modelTicksPerMl'>;

/** Flow meters. A tap has at most one. */
export function metersTable(db: Database, caches: Caches) {
  const table = recordTable(db, 'flow_meters', meterFields);
  const select = <T extends unknown[]>(end: string) => db.prepare<T, RawRow>(`${selectMeter} ${end}`).raw();
  const all = select<[]>('ORDER BY m.id');
  const byId = select<[number]>('WHERE m.id = ?');
  const byTap = select<[number]>('WHERE m.tap_id = ?');
  const byPort = select<[string, string]>('WHERE c.name = ? AND m.port_name = ?');
  // Every pour needs its meter, and names and taps of meters change rarely.
  const cachedMeters = caches.untilChange(() => new Map<string, MeterConfig>());
  const nameTicks = meterNameTicks(db);
  const countWithoutMeter = db.prepare<{ name: string; ticks: number }>(
    `INSERT INTO unassigned_ticks VALUES (@name, @ticks) ON CONFLICT (meter) DO UPDATE SET ticks = ticks + @ticks`,
  );
  const calibrate = db.prepare<{ id: number; ticksPerMl: number; uFactor: number | null }>(
    `UPDATE flow_meters SET ticks_per_ml = @ticksPerMl, calibrated = 1, u_factor = @uFactor,
       measured_hz = NULL, measured_ticks = NULL, u_lag_s = NULL, ${startAnew} WHERE id = @id`,
  );
  const startLearning = db.prepare<[number]>(`UPDATE flow_meters SET ${startAnew} WHERE id = ?`);
  const setModel = db.prepare<ModelFigures & { id: number }>(
    `UPDATE flow_meters SET model_hz = @modelHz, least_ml_per_s = @leastMlPerS, model_ticks_per_ml = @modelTicksPerMl
     WHERE id = @id AND (model_hz IS NOT @modelHz OR least_ml_per_s IS NOT @leastMlPerS
       OR model_ticks_per_ml IS NOT @modelTicksPerMl)`,
  );
  const setCurve = db.prepare<{ id: number; curve: string | null }>(
    'UPDATE flow_meters SET curve = @curve WHERE id = @id',
  );
  const restoreCalibration = db.prepare<{
    id: number;
    ticksPerMl: number;
    calibrated: number;
    uFactor: number | null;
    hz: number | null;
    ticks: number | null;
    uLagS: number | null;
  }>(
    `UPDATE flow_meters SET ticks_per_ml = @ticksPerMl, calibrated = @calibrated, u_factor = @uFactor,
       measured_hz = @hz, measured_ticks = @ticks, u_lag_s = @uLagS WHERE id = @id`,
  );
  const declared = db
    .prepare<[number], number | null>('SELECT declared_ticks_per_ml FROM flow_meters WHERE id = ?')
    .pluck();
  const declare = db.prepare<{ id: number; ticksPerMl: number | null }>(
    'UPDATE flow_meters SET declared_ticks_per_ml = @ticksPerMl WHERE id = @id',
  );
  const count = db.prepare<{ id: number; ticks: number; timeMs: number | null }>(
    `UPDATE flow_meters SET ticks_total = ticks_total + @ticks, last_counted_ms =
       CASE WHEN @timeMs > coalesce(last_counted_ms, 0) THEN @timeMs ELSE last_counted_ms END WHERE id = @id`,
  );
  const unbindTap = db.prepare<[number]>('UPDATE flow_meters SET tap_id = NULL WHERE tap_id = ?');
  return {
    all: (): readonly FlowMeter[] => all.all().map((row) => toMeter(row)!),
    byId: (id: number): FlowMeter | null => toMeter(byId.get(id)),
    byTap: (tapId: number): FlowMeter | null => toMeter(byTap.get(tapId)),
    /** By full name `<controller>.<port>`, split at the first dot. */
    byName(name: string): MeterConfig | null {
      const meters = cachedMeters();
      const cached = meters.get(name);
      if (cached !== undefined) return cached;
      const dot = name.indexOf('.');
      const found = dot < 1 ? null : toMeter(byPort.get(name.slice(0, dot), name.slice(dot + 1)));
      if (found === null) return null;
      const { ticksTotal: _ticks, lastCountedMs: _last, ...config } = found;
      meters.set(name, config);
      return config;
    },
    add(added: Pick<MeterFields, 'controllerId' | 'portName' | 'ticksPerMl' | 'calibrated'>): FlowMeter {
      const meterId = table.add({ ...fieldDefaults(meterFields), ticksTotal: 0, ...added });
      nameTicks.restore({ meterId });
      return toMeter(byId.get(meterId))!;
    },
    rename(id: number, portName: string): void {
      nameTicks.save({ meterId: id });
      table.change(id, { portName });
      nameTicks.restore({ meterId: id });
    },
    remove(id: number): void {
      nameTicks.save({ meterId: id });
      table.remove(id);
    },
    /** Counts ticks for a name without a meter; a meter that gets the name later takes them over. */
    countWithoutMeter: (name: string, ticks: number): void => void countWithoutMeter.run({ name, ticks }),
    /** `uFactor`: standard uncertainty as a share; null for a factor that nobody measured. The meter starts to learn anew. */
    calibrate: (id: number, ticksPerMl: number, uFactor: number | null = null): void =>
      void calibrate.run({ id, ticksPerMl, uFactor }),
    /** The meter forgets its evidence and learns from the factor in use. */
    startLearning: (id: number): void => void startLearning.run(id),
    /** The curve of the meter's present factor; a later factor scales it. */
    setCurve: (id: number, curve: MeterCurve | null, ticksPerMl: number): void =>
      void setCurve.run({ id, curve: formatCurve(curve, ticksPerMl) }),
    /** Sets what the meter's model says; null without a model. */
    setModel: (id: number, figures: ModelFigures): void => void setModel.run({ id, ...figures }),
    /** Sets a calibration as it was, also one that nobody had set. */
    restoreCalibration: ({
      id,
      ticksPerMl,
      calibrated,
      uFactor,
      measuredBy,
      uLagS,
    }: Pick<FlowMeter, 'id' | 'ticksPerMl' | 'calibrated' | 'uFactor' | 'measuredBy' | 'uLagS'>): void =>
      void restoreCalibration.run({
        id,
        ticksPerMl,
        calibrated: Number(calibrated),
        uFactor,
        uLagS,
        ...(measuredBy ?? { hz: null, ticks: null }),
      }),
    /** The calibration factor last read from the configuration file. */
    declaredTicksPerMl: (id: number): number | null => declared.get(id) ?? null,
    declareTicksPerMl: (id: number, ticksPerMl: number | null): void => void declare.run({ id, ticksPerMl }),
    /** Adds ticks; `timeMs` is the time of their pour if it is known. */
    count: (id: number, ticks: number, timeMs: number | null = null): void =>
      void count.run({ id, ticks, timeMs }),
    describe: (id: number, texts: HardwareTexts): void => table.change(id, texts),
    unbind: (id: number): void => table.change(id, { tapId: null }),
    /** Gives a restored meter the ticks that were counted under its name. */
    takeOverTicks: (id: number): void => nameTicks.restore({ meterId: id }),
    unbindTap: (tapId: number): void => void unbindTap.run(tapId),
    bind: (id: number, tapId: number): void => table.change(id, { tapId }),
  };
}

function toMeter(row: RawRow | undefined): FlowMeter | null {
  if (row === undefined) return null;
  const [name, curve, hz, ticks] = row.slice(meter.count) as MeterExtras;
  const fields = meter.read(row);
  return {
    ...fields,
    name,
    curve: parseCurve(curve, fields.ticksPerMl),
    measuredBy: hz === null ? null : { hz, ticks: ticks! },
  };
}
