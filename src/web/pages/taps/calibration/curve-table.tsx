import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import type { MeterCurve } from '../../../api/generated.ts';
import { formatQuantity, volume } from '../../../app/format.ts';
import { locale, t } from '../../../locales/locale.ts';

const factorFormat = new Intl.NumberFormat(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const percentFormat = new Intl.NumberFormat(locale, {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 1,
});

interface CurveProps {
  readonly curve: MeterCurve;
  /** The one factor, with which the points are compared. */
  readonly factor: number;
  readonly snapshot: SnapshotMessage;
}

/** The points of a curve as a drawing and as a table. */
export function CurveTable({ curve, factor, snapshot }: CurveProps) {
  const flow = (point: MeterCurve['points'][number]) =>
    t('calibration.curve.perSecond', {
      volume: formatQuantity(volume(point.hz / point.ticks_per_ml, snapshot)),
    });
  return (
    <div class="meter-curve">
      <CurveChart curve={curve} factor={factor} />
      <table>
        <thead>
          <tr>
            <th scope="col">{t('calibration.curve.flow')}</th>
            <th scope="col">{t('calibration.figure')}</th>
            <th scope="col">{t('calibration.curve.difference')}</th>
          </tr>
        </thead>
        <tbody>
          {curve.points.map((point) => (
            <tr key={point.hz}>
              <td>{flow(point)}</td>
              <td>{factorFormat.format(point.ticks_per_ml)}</td>
              <td>{percentFormat.format(point.ticks_per_ml / factor - 1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const width = 300;
const height = 110;
const margin = 12;
/** Smaller differences are not drawn larger than they are. */
const leastRange = 0.01;

/** The factors over the rate; the dashed line is the one factor. */
function CurveChart({ curve: { points }, factor }: Omit<CurveProps, 'snapshot'>) {
  const deviations = points.map((point) => point.ticks_per_ml / factor - 1);
  const range = Math.max(leastRange, ...deviations.map(Math.abs));
  const fastest = points.at(-1)!.hz * 1.1;
  const x = (hz: number) => margin + (hz / fastest) * (width - 2 * margin);
  const y = (deviation: number) => height / 2 - (deviation / range) * (height / 2 - margin);
  const dots = points.map((point, i) => ({ x: x(point.hz), y: y(deviations[i]!) }));
  // Outside of the points the nearest factor holds.
  const line = [{ x: x(0), y: dots[0]!.y }, ...dots, { x: x(fastest), y: dots.at(-1)!.y }];
  return (
    <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t('calibration.curve.chart')}>
      <line class="curve-factor" x1={x(0)} x2={x(fastest)} y1={y(0)} y2={y(0)} />
      <polyline class="curve-line" points={line.map((at) => `${at.x},${at.y}`).join(' ')} />
      {dots.map((dot) => (
        <circle key={dot.x} class="curve-point" cx={dot.x} cy={dot.y} r={4} />
      ))}
    </svg>
  );
}
