import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { HouseMessage } from '../../../http/live/shapes.ts';
import type { WiredMeter } from '../../api/operations.ts';
import { toHref } from '../../current-path.ts';
import { words } from '../../words/wiring.ts';
import { type Baseline, baselineOf, type Ticking, tickingSince } from './ticking.ts';

/** Time to walk to the tap before anybody doubts the wire. */
const patienceMs = 20_000;

interface PourTestProps {
  readonly meters: readonly WiredMeter[];
  readonly app: HouseMessage;
}

/** “Pour a little now”: says which tap's meter ticks, and what to look at when none does. */
export function PourTest({ meters, app }: PourTestProps) {
  const from = useSignal<Baseline | null>(null);
  const isLong = useSignal(false);
  const listens = from.value !== null;
  useEffect(() => {
    isLong.value = false;
    if (!listens) return;
    const timer = setTimeout(() => {
      isLong.value = true;
    }, patienceMs);
    return () => clearTimeout(timer);
  }, [listens]);
  const ticking = from.value === null ? [] : tickingSince(from.value, meters);
  return (
    <section class="card pour-test" aria-labelledby="pour-test">
      <h3 id="pour-test">{words.which}</h3>
      <div class="pour-test-words" aria-live="polite">
        {listens && ticking.length === 0 && <p>{isLong.value ? words.nothingTicks : words.listening}</p>}
        {isLong.value && ticking.length === 0 && <p class="soft">{words.nothingAdvice}</p>}
        {ticking.map((one, i) => (
          <Ticks key={one.meter.name} one={one} isFirst={i === 0 && !one.isNoise} app={app} />
        ))}
      </div>
      <button
        type="button"
        class="button"
        onClick={() => {
          from.value = listens ? null : baselineOf(meters);
        }}
      >
        {listens ? words.enough : words.pourALittle}
      </button>
    </section>
  );
}

interface TicksProps {
  readonly one: Ticking;
  readonly isFirst: boolean;
  readonly app: HouseMessage;
}

function Ticks({ one: { meter, edges, isNoise }, isFirst, app }: TicksProps) {
  const tap = app.taps.find(({ id }) => id === meter.tap_id);
  return (
    <p class={isFirst ? 'pour-test-found' : 'pour-test-other'}>
      {sentenceOf(meter.name, tap?.name, { isFirst, isNoise })}{' '}
      <span class="pour-test-edges" aria-hidden="true">
        {edges}
      </span>
      {tap === undefined && !isNoise && (
        <>
          {' '}
          <a class="pour-test-other" href={toHref('/controllers')}>
            {words.bindIt}
          </a>
        </>
      )}
    </p>
  );
}

function sentenceOf(
  meter: string,
  tap: string | undefined,
  { isFirst, isNoise }: { readonly isFirst: boolean; readonly isNoise: boolean },
): string {
  if (isNoise) return words.catchesNoise(tap ?? meter);
  if (tap === undefined) return words.noTapHere(meter);
  return isFirst ? words.ticksHere(tap, meter) : words.alsoTicks(tap, meter);
}
