import { useSignal } from '@preact/signals';
import type { HouseMessage, LiveTap } from '../../../http/live/shapes.ts';
import { call, type Result } from '../../api/call.ts';
import type { FlowMeter } from '../../api/operations.ts';
import { ErrorMessage } from '../../components/action.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { useResource } from '../../components/use-resource.ts';
import { toHref } from '../../current-path.ts';
import type { LiveHouse } from '../../live.ts';
import { words } from '../../words/calibration.ts';
import { locale } from '../../words/say.ts';
import { FormerFigures } from './former-figures.tsx';
import { MeasuredPours } from './measured-pours.tsx';
import { type Measuring, measuredAs } from './measuring.ts';
import { RunningPour } from './running-pour.tsx';
import { TakeOver } from './take-over.tsx';
import { useAnswer } from './use-answer.ts';
import '../../styles/calibration.css';

const figures = new Intl.NumberFormat(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 });

const usualGravity = 1.01;

/** Calibrates the meter of one tap by pours that somebody has measured. */
export function CalibratePage({ house, id, live }: PageProps) {
  const tap = house.taps.find((one) => one.id === id);
  const { result, error } = useResource<Result<'GET /flow-meters'>>(
    tap?.meter_name == null ? null : '/flow-meters?limit=1000',
  );
  // What the brewer measured of this beer is better than what fits most.
  const item = useResource<Result<'GET /taps/{ref}'>>(tap === undefined ? null : `/taps/${tap.id}`).result;
  const meter = result?.flow_meters.find(({ name }) => name === tap?.meter_name);
  return (
    <Page title={words.title(tap?.name ?? '')} requiredRole="staff">
      <ErrorMessage>{tap === undefined ? words.noTap : error}</ErrorMessage>
      {tap !== undefined && tap.meter_name === null && (
        <p>
          {words.noMeter} <a href={toHref('/controllers')}>{words.chooseMeter}</a>
        </p>
      )}
      {tap !== undefined && meter !== undefined && item !== null && (
        <Wizard
          key={meter.id}
          tap={tap}
          meter={meter}
          gravity={item.beverage?.specific_gravity ?? usualGravity}
          house={house}
          live={live}
        />
      )}
    </Page>
  );
}

interface WizardProps {
  readonly tap: LiveTap;
  readonly meter: FlowMeter;
  /** Final gravity of what is on the tap. */
  readonly gravity: number;
  readonly house: HouseMessage;
  readonly live: LiveHouse;
}

function Wizard({ tap, meter, gravity, house, live }: WizardProps) {
  const typed = useSignal<Readonly<Record<number, string>>>({});
  const how = useSignal<Measuring>({
    by: 'jug',
    gravity: inFigures(gravity, 3),
    temp: inFigures(coldOf(tap, house), 0),
    tare: '',
  });
  const stamp = `newest=${house.drinks[0]?.id ?? 0}&held=${house.held}`;
  const asked = useResource<Result<'GET /flow-meters/{id}/pours'>>(`/flow-meters/${meter.id}/pours?${stamp}`);
  const pours = asked.result?.pours ?? [];
  const measured = pours.flatMap((pour) => {
    const one = measuredAs(pour.ticks, typed.value[pour.id] ?? '', how.value, house);
    return one === null ? [] : [{ pour, one }];
  });
  const {
    result: estimate,
    refusal,
    isFresh,
  } = useAnswer(measured.length === 0 ? null : measured.map(({ one }) => one), (body) =>
    call('POST /flow-meters/{id}/calibration-estimate', { path: { id: meter.id }, body: { pours: body } }),
  );
  // What was said of other pours says nothing of these.
  const said = estimate?.pours.length === measured.length ? estimate : null;
  const verdicts = new Map(
    measured.flatMap(({ pour }, i) => (said?.pours[i] ? [[pour.id, said.pours[i]] as const] : [])),
  );
  return (
    <>
      <p>
        {words.now(figures.format(meter.ticks_per_ml))} {!meter.calibrated && words.usual}
      </p>
      <RunningPour tap={tap} house={house} pour={live.pourOn(tap.id)} />
      <MeasuredPours
        pours={pours}
        house={house}
        how={how.value}
        typed={typed.value}
        verdicts={verdicts}
        onHow={(next) => (how.value = next)}
        onType={(id, text) => (typed.value = { ...typed.value, [id]: text })}
      />
      <TakeOver
        meter={meter}
        tap={tap}
        house={house}
        estimate={said}
        isFresh={isFresh}
        refusal={asked.error ?? refusal}
        measured={measured.flatMap(({ pour }, i) => {
          const volumeMl = said?.pours[i]?.volume_ml;
          return volumeMl === undefined ? [] : [{ id: pour.id, isValid: pour.is_valid, volumeMl }];
        })}
        onDone={() => (typed.value = {})}
      />
      <FormerFigures meter={meter} house={house} />
    </>
  );
}

/** What the tap's thermometer says, else the cold of a usual cellar; in the site's scale. */
function coldOf(tap: LiveTap, house: HouseMessage): number {
  const celsius = tap.temp_c === null || tap.temp_stale ? 5 : tap.temp_c;
  return house.temperature_units === 'f' ? celsius * 1.8 + 32 : celsius;
}

function inFigures(figure: number, decimals: number): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat(locale, digits).format(figure);
}
