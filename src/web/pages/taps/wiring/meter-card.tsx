import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import { request } from '../../../api/client.ts';
import type { WiredMeter } from '../../../api/generated.ts';
import type { DisplayText } from '../../../app/error-text.ts';
import { toHref } from '../../../app/routing.ts';
import { findText, locale, t } from '../../../locales/locale.ts';
import { Findings } from './findings.tsx';

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
  const worst = meter.findings[0]?.status ?? 'unknown';
  return (
    <li class="card wire" data-status={worst}>
      <header class="wire-head">
        <h4 class="row-name">{tap?.name ?? t('wiring.noTap')}</h4>
        <p class="soft">
          {[
            meter.name,
            meter.pin === null ? t('wiring.onBoard') : t('wiring.gpio', { pin: meter.pin }),
            meter.header_pin === null ? null : t('wiring.headerPin', { pin: meter.header_pin }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </header>
      <RateStrip name={meter.name} hz={meter.hz} sample={sample} />
      <dl class="wire-facts">
        <Fact name={t('wiring.rate')} value={meter.hz === null ? '…' : integerFormat.format(meter.hz)} />
        {meter.pin !== null && (
          <Fact
            name={t('wiring.level')}
            value={
              meter.level === null ? t('wiring.noLevel') : (findText('wiring.levels', meter.level) ?? '')
            }
          />
        )}
        <Fact name={t('wiring.counted')} value={integerFormat.format(meter.ticks)} />
        {meter.pin !== null && (
          <Fact name={t('wiring.refused')} value={integerFormat.format(meter.refused)} />
        )}
        {meter.pin !== null && (
          <Fact
            name={t('wiring.lost')}
            value={meter.lost === null ? t('wiring.unknown') : integerFormat.format(meter.lost)}
          />
        )}
      </dl>
      <Findings findings={meter.findings} facts={meter} />
      <p class="wire-actions">
        {tap !== undefined && (
          <a href={toHref(`/taps/${tap.id}/calibrate`)}>{t('wiring.calibrate', { tap: tap.name })}</a>
        )}
        {tap === undefined && <a href={toHref('/meters')}>{t('wiring.assignToTap')}</a>}
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
      aria-label={t('wiring.rateOver', { meter: name })}
    >
      {samples.current.map((rate, i) => {
        const barHeight = Math.max(1, (rate / maxRate) * height);
        const x = (first + i) * barWidth;
        return <rect key={x} x={x} y={height - barHeight} width={barWidth * 0.8} height={barHeight} />;
      })}
    </svg>
  );
}

/** A pour of half a second. */
const shortPour = { ticks: 60, hz: 120 } as const;

/** Generates a short pour on a simulated meter. */
function PulseButton({ meter }: { readonly meter: string }) {
  const error = useSignal<DisplayText | null>(null);
  return (
    <>
      <button
        type="button"
        class="chip"
        aria-label={t('wiring.testPourAt', { meter })}
        onClick={async () => {
          const answer = await request('POST /simulator/pulses', { body: { meter, ...shortPour } });
          error.value = answer.ok ? null : answer.sentence;
        }}
      >
        {t('wiring.testPour')}
      </button>
      <span class="refusal" aria-live="polite">
        {error.value}
      </span>
    </>
  );
}
