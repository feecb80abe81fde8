import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { HouseMessage, LiveTap } from '../../../http/live/shapes.ts';
import { call } from '../../api/call.ts';
import type { CalibrationEstimate, CalibrationPreview, FlowMeter } from '../../api/operations.ts';
import { ErrorMessage } from '../../components/action.tsx';
import type { Saying } from '../../saying.ts';
import { undo } from '../../taps/corrections.ts';
import { tell } from '../../toast.tsx';
import { words } from '../../words/calibration.ts';
import { locale } from '../../words/say.ts';
import { figureIn, fineVolume } from './measuring.ts';
import { useAnswer } from './use-answer.ts';

/** Measured pours that differ by more than this want to be measured again. */
const wideSpread = 0.05;
/** What a person cannot see on a glass. */
const sameWithin = 0.0005;

const figures = new Intl.NumberFormat(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });

/** A pour that was measured, for the books. */
export interface MeasuredDrink {
  readonly id: number;
  readonly isValid: boolean;
  readonly volumeMl: number;
}

interface TakeOverProps {
  readonly meter: FlowMeter;
  readonly tap: LiveTap;
  readonly house: HouseMessage;
  readonly estimate: CalibrationEstimate | null;
  /** False while a newer estimate is on its way. */
  readonly isFresh: boolean;
  readonly refusal: Saying | null;
  readonly measured: readonly MeasuredDrink[];
  onDone(): void;
}

/** What the measured pours come to, what would change, and the taking over. */
export function TakeOver(props: TakeOverProps) {
  const { meter, tap, house, estimate, isFresh, refusal, measured, onDone } = props;
  const byHand = useSignal('');
  const alsoKeg = useSignal(true);
  const spill = useSignal(true);
  const busy = useSignal(false);
  const refused = useSignal<Saying | null>(null);
  const figure = figureIn(byHand.value) ?? estimate?.ticks_per_ml ?? null;
  const kegId = alsoKeg.value ? (tap.keg?.id ?? null) : null;
  const isClosed = busy.value || (!isFresh && byHand.value.trim() === '');
  const path = { id: meter.id };
  const preview = useAnswer(
    figure === null ? null : { ticks_per_ml: figure, apply_to_keg: tap.keg?.id ?? null },
    (body) => call('POST /flow-meters/{id}/calibration-preview', { path, body }),
  );

  async function takeOver(ticksPerMl: number) {
    if (isClosed) return;
    busy.value = true;
    refused.value =
      (spill.value ? await bookSpilled(measured) : null) ?? (await calibrate(ticksPerMl, meter.id, kegId));
    busy.value = false;
    if (refused.value !== null) return;
    byHand.value = '';
    onDone();
  }

  return (
    <section class="group" aria-labelledby="calibration-result">
      <h3 id="calibration-result">3. {words.result}</h3>
      <div class="card group">
        <div aria-live="polite" class="group">
          <ErrorMessage>{refused.value ?? refusal ?? preview.refusal}</ErrorMessage>
          {figure === null && <p class="soft">{words.nothingYet}</p>}
          {estimate !== null && byHand.value.trim() === '' && <Spread estimate={estimate} />}
          {figure !== null && <Change before={meter.ticks_per_ml} after={figure} />}
        </div>
        <ByHand value={byHand.value} onType={(text) => (byHand.value = text)} />
        {figure !== null && tap.keg !== null && (
          <>
            <Flag label={words.alsoKeg} isSet={alsoKeg.value} onSet={(on) => (alsoKeg.value = on)} />
            {alsoKeg.value && preview.result && <KegEffect preview={preview.result} house={house} />}
          </>
        )}
        {measured.length > 0 && (
          <Flag label={words.spill} isSet={spill.value} onSet={(on) => (spill.value = on)} />
        )}
        {figure !== null && (
          <button
            type="button"
            class="button take-over"
            aria-disabled={isClosed}
            onClick={() => takeOver(figure)}
          >
            {words.use(figures.format(figure))}
          </button>
        )}
      </div>
    </section>
  );
}

/** Each measured pour is set to what was measured and then booked as spilled; gives why it could not be. */
async function bookSpilled(measured: readonly MeasuredDrink[]): Promise<Saying | null> {
  for (const { id, isValid, volumeMl } of measured) {
    const path = { id };
    if (!isValid) {
      const discarded = await call('POST /held-pours/{id}/discard', { path });
      if (!discarded.ok) return discarded.sentence;
      continue;
    }
    const set = await call('PATCH /drinks/{id}', { path, body: { volume_ml: volumeMl } });
    if (!set.ok) return set.sentence;
    const spilled = await call('DELETE /drinks/{id}', { path, query: { spilled: true } });
    if (!spilled.ok) return spilled.sentence;
  }
  return null;
}

async function calibrate(ticksPerMl: number, meterId: number, kegId: number | null): Promise<Saying | null> {
  const answer = await call('POST /flow-meters/{id}/calibrate', {
    path: { id: meterId },
    body: { ticks_per_ml: ticksPerMl, apply_to_keg: kegId },
  });
  if (!answer.ok) return answer.sentence;
  const { correction_id: id } = answer.result;
  tell(
    words.done(figures.format(ticksPerMl)),
    id === null ? null : () => void undo(call('POST /corrections/{id}/undo', { path: { id } })),
  );
  return null;
}

function Spread({ estimate: { spread, pours } }: { readonly estimate: CalibrationEstimate }) {
  return (
    <p>
      {words.ofPours(pours.length)} {spread !== null && words.spread(shares.format(spread))}{' '}
      {spread !== null && spread > wideSpread && <strong class="refusal">{words.spreadWide}</strong>}
    </p>
  );
}

function Change({ before, after }: { readonly before: number; readonly after: number }) {
  // Fewer ticks for a millilitre make more millilitres of the same ticks.
  const change = before / after - 1;
  const share = shares.format(Math.abs(change));
  return (
    <>
      <p class="from-to">{words.fromTo(figures.format(before), figures.format(after))}</p>
      <p>{Math.abs(change) < sameWithin ? words.same : change > 0 ? words.more(share) : words.less(share)}</p>
    </>
  );
}

function KegEffect({
  preview,
  house,
}: {
  readonly preview: CalibrationPreview;
  readonly house: HouseMessage;
}) {
  const amount = (ml: number) => fineVolume(ml, house);
  const { drink_count: count, volume_ml_before: before, volume_ml: after, keg } = preview;
  return (
    <p class="soft">
      {words.kegEffect(count, amount(before), amount(after))}{' '}
      {keg &&
        count > 0 &&
        words.kegLeft(amount(keg.volume_ml_remain), amount(keg.volume_ml_remain + before - after))}
    </p>
  );
}

function ByHand({ value, onType }: { readonly value: string; onType(text: string): void }) {
  const id = useId();
  return (
    <details class="by-hand">
      <summary>{words.byHand}</summary>
      <label class="field" for={id}>
        {words.figure}
        <input
          id={id}
          type="text"
          inputmode="decimal"
          autocomplete="off"
          maxLength={12}
          value={value}
          onInput={(event) => onType(event.currentTarget.value)}
        />
      </label>
    </details>
  );
}

interface FlagProps {
  readonly label: string;
  readonly isSet: boolean;
  onSet(on: boolean): void;
}

function Flag({ label, isSet, onSet }: FlagProps) {
  const id = useId();
  return (
    <label class="flag" for={id}>
      <input
        id={id}
        type="checkbox"
        checked={isSet}
        onChange={(event) => onSet(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
