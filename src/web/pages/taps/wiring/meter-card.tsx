import { useEffect, useRef } from 'preact/hooks';
import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import type { WiredMeter } from '../../../api/operations.ts';
import { toHref } from '../../../app/current-path.ts';
import { locale } from '../../../words/say.ts';
import { words } from '../../../words/wiring.ts';
import { Findings } from './findings.tsx';
import { PulseButton } from './pulse-button.tsx';

/** 30 s at two samples a second. */
const maxSamples = 60;
const width = 300;
const height = 36;

const integerFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });

interface MeterCardProps {
  readonly meter: WiredMeter;
  readonly snapshot: SnapshotMessage;
  /** True when test pulses can be generated. */
  readonly isSimulated: boolean;
  /** Identity of the reply this meter is from, so that each reply is drawn once. */
  readonly sample: object;
}

/** One meter: its pin, current rate and counts, and findings. */
export function MeterCard({ meter, snapshot, isSimulated, sample }: MeterCardProps) {
  const tap = snapshot.taps.find(({ id }) => id === meter.tap_id);
  const worst = meter.findings[0]?.verdict ?? 'unknown';
  return (
    <li class="card wire" data-verdict={worst}>
      <header class="wire-head">
        <h4 class="row-name">{tap?.name ?? words.noTap}</h4>
        <p class="soft">
          {[
            meter.name,
            meter.pin === null ? words.onBoard : words.gpio(meter.pin),
            meter.header_pin === null ? null : words.headerPin(meter.header_pin),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </header>
      <RateStrip name={meter.name} hz={meter.hz} sample={sample} />
      <dl class="wire-facts">
        <Fact name={words.rate} value={meter.hz === null ? '…' : integerFormat.format(meter.hz)} />
        {meter.pin !== null && (
          <Fact
            name={words.level}
            value={meter.level === null ? words.noLevel : (words.levels[meter.level] ?? '')}
          />
        )}
        <Fact name={words.counted} value={integerFormat.format(meter.ticks)} />
        {meter.pin !== null && <Fact name={words.refused} value={integerFormat.format(meter.refused)} />}
        {meter.pin !== null && (
          <Fact
            name={words.lost}
            value={meter.lost === null ? words.unknown : integerFormat.format(meter.lost)}
          />
        )}
      </dl>
      <Findings findings={meter.findings} facts={meter} />
      <p class="wire-actions">
        {tap !== undefined && <a href={toHref(`/taps/${tap.id}/calibrate`)}>{words.calibrate(tap.name)}</a>}
        {tap === undefined && <a href={toHref('/controllers')}>{words.assignToTap}</a>}
        {isSimulated && <PulseButton meter={meter.name} />}
      </p>
    </li>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The rate over the last 30 s, one bar per sample. */
function RateStrip({
  name,
  hz,
  sample,
}: {
  readonly name: string;
  readonly hz: number | null;
  readonly sample: object;
}) {
  const samples = useRef<number[]>([]);
  const lastSample = useRef<object | null>(null);
  if (lastSample.current !== sample) {
    lastSample.current = sample;
    samples.current = [...samples.current, hz ?? 0].slice(-maxSamples);
  }
  useEffect(
    () => () => {
      samples.current = [];
    },
    [name],
  );
  const maxRate = Math.max(10, ...samples.current);
  const barWidth = width / maxSamples;
  const first = maxSamples - samples.current.length;
  return (
    <svg
      class="rate-strip"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words.rateOver(name)}
    >
      {samples.current.map((rate, i) => {
        const barHeight = Math.max(1, (rate / maxRate) * height);
        const x = (first + i) * barWidth;
        return <rect key={x} x={x} y={height - barHeight} width={barWidth * 0.8} height={barHeight} />;
      })}
    </svg>
  );
}
