import { useId } from 'preact/hooks';
import type { HouseMessage } from '../../../http/live/shapes.ts';
import type { CalibrationEstimate, MeteredPour } from '../../api/operations.ts';
import { barTime, inWords, timeInWords, volume } from '../../format.ts';
import { Choice } from '../../taps/drink-sheet.tsx';
import { words } from '../../words/calibration.ts';
import { locale } from '../../words/say.ts';
import { jugUnit, type Measuring } from './measuring.ts';

const whole = new Intl.NumberFormat(locale);
const figures = new Intl.NumberFormat(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const shares = new Intl.NumberFormat(locale, {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 1,
});

type Verdict = CalibrationEstimate['pours'][number];

interface MeasuredPoursProps {
  readonly pours: readonly MeteredPour[];
  readonly house: HouseMessage;
  readonly how: Measuring;
  /** What was typed beside each pour, by its id. */
  readonly typed: Readonly<Record<number, string>>;
  /** What the daemon says of the measured ones, by id. */
  readonly verdicts: ReadonlyMap<number, Verdict>;
  onHow(how: Measuring): void;
  onType(id: number, text: string): void;
}

/** The meter's last pours; beside each, what was in the jug or on the scale. */
export function MeasuredPours(props: MeasuredPoursProps) {
  const { pours, house, how, onHow } = props;
  return (
    <section class="group" aria-labelledby="calibration-measure">
      <h3 id="calibration-measure">2. {words.measure}</h3>
      <div class="card group">
        <fieldset class="choice">
          <legend>{words.by}</legend>
          <Choice isChosen={how.by === 'jug'} onChoose={() => onHow({ ...how, by: 'jug' })}>
            {words.jug}
          </Choice>
          <Choice isChosen={how.by === 'scale'} onChoose={() => onHow({ ...how, by: 'scale' })}>
            {words.scale}
          </Choice>
        </fieldset>
        {how.by === 'scale' && <ScaleFacts house={house} how={how} onHow={onHow} />}
        {pours.length === 0 && <p class="soft">{words.noPours}</p>}
        <ul class="rows" aria-label={words.measure}>
          {pours.map((pour, i) => (
            <PourRow key={pour.id} {...props} pour={pour} isLatest={i === 0} />
          ))}
        </ul>
      </div>
    </section>
  );
}

function ScaleFacts({ house, how, onHow }: Pick<MeasuredPoursProps, 'house' | 'how' | 'onHow'>) {
  const unit = house.temperature_units === 'f' ? '°F' : '°C';
  const line = (name: 'gravity' | 'temp' | 'tare', label: string) => (
    <FactLine label={label} value={how[name]} onType={(text) => onHow({ ...how, [name]: text })} />
  );
  return (
    <div class="scale-facts">
      {line('gravity', words.gravity)}
      {line('temp', words.temp(unit))}
      {line('tare', `${words.tare} (g)`)}
      <p class="soft scale-source">
        {words.gravityHint} {words.densityFrom}
      </p>
    </div>
  );
}

interface FactLineProps {
  readonly label: string;
  readonly value: string;
  onType(text: string): void;
}

function FactLine({ label, value, onType }: FactLineProps) {
  const id = useId();
  return (
    <label class="field" for={id}>
      {label}
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
  );
}

interface PourRowProps extends MeasuredPoursProps {
  readonly pour: MeteredPour;
  readonly isLatest: boolean;
}

function PourRow({ pour, isLatest, house, how, typed, verdicts, onType }: PourRowProps) {
  const id = useId();
  const unit = how.by === 'scale' ? 'g' : jugUnit(house);
  const time = timeInWords(barTime(pour.pour_time, house));
  const verdict = verdicts.get(pour.id);
  return (
    <li>
      <div class="row-words">
        <p class="row-name">
          {time}
          {isLatest && <span class="soft"> · {words.latest}</span>}
        </p>
        <p>{words.countedAs(whole.format(pour.ticks), inWords(volume(pour.volume_ml, house)))}</p>
        <p class="soft">{doubtsOf(pour)}</p>
        {verdict && (
          <p id={`${id}-says`} class={verdict.is_outlier ? 'refusal' : 'measured-says'}>
            {verdicts.size > 1
              ? words.says(figures.format(verdict.ticks_per_ml), shares.format(verdict.deviation))
              : words.saysAlone(figures.format(verdict.ticks_per_ml))}
            {verdict.is_outlier && `. ${words.outlier}`}
          </p>
        )}
      </div>
      <div class="measured-figure">
        <label class="unseen" for={id}>
          {words.inIt(time, unit)}
        </label>
        <input
          id={id}
          class="chip-input"
          type="text"
          inputmode="decimal"
          autocomplete="off"
          maxLength={10}
          placeholder={unit}
          value={typed[pour.id] ?? ''}
          aria-describedby={verdict ? `${id}-says` : undefined}
          onInput={(event) => onType(pour.id, event.currentTarget.value)}
        />
        <span aria-hidden="true">{unit}</span>
      </div>
    </li>
  );
}

function doubtsOf({ ticks_lost: lost, rejected_edges: refused, is_valid: isValid }: MeteredPour): string {
  return [
    isValid ? null : words.held,
    lost ? words.missed(lost) : null,
    refused > 0 ? words.bounced(refused) : null,
  ]
    .filter(Boolean)
    .join(' · ');
}
