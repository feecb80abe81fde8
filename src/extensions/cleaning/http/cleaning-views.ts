import Type, { type Static } from 'typebox';
import type { Moment } from '../../../core/clock/moment.ts';
import { pictureAddress } from '../../../http/pictures.ts';
import {
  Closed,
  Id,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
  named,
  TextId,
  Ticks,
  TotalMl,
} from '../../../http/routes/schemas.ts';
import {
  cleaningBounds,
  cleaningKinds,
  cleaningMethods,
  cleaningOrigins,
  cleaningResults,
  cleaningSteps,
} from '../core/cleaning-terms.ts';
import type { CleaningView } from '../engine/cleaning-log.ts';

export const CleaningKindJson = Type.Enum([...cleaningKinds], {
  description:
    'What was done: `caustic` beer line cleaner, `acid` against beer stone, `disinfection`, `parts` taken apart (couplers, faucets), `water` only.',
});
export const CleaningStepJson = Type.Enum([...cleaningSteps], {
  description:
    '`push_out`: water pushes the beer out; `cleaner` flows; `contact`: it stands or is pumped around; `rinse`; `check` of pH and sight; `refill` with beer.',
});
const MethodJson = Type.Enum([...cleaningMethods], { description: 'How the cleaner was used.' });
const ResultJson = Type.Enum([...cleaningResults], {
  description: 'Result of the check. A `failed` cleaning counts as none for the plan.',
});

const shortText = (description: string) => Type.String({ maxLength: 128, description });
const bounded = ({ min, max }: { min: number; max: number }, unit: string, description: string) =>
  Type.Number({ minimum: min, maximum: max, 'x-unit': unit, description });

/** What staff enter of a cleaning; all of it may be left out. */
export const cleaningInputFields = {
  result: Maybe(ResultJson),
  cleaned_by: Maybe(
    Nullable(shortText('Who cleaned, if it was somebody without an account here, such as a firm.')),
  ),
  checked_by: Maybe(Nullable(shortText('Who countersigns.'))),
  agent: Maybe(Nullable(shortText('Name of the cleaner.'))),
  concentration_percent: Maybe(
    Nullable(bounded(cleaningBounds.concentrationPercent, '%', 'Concentration of the cleaner.')),
  ),
  temp_c: Maybe(Nullable(bounded(cleaningBounds.tempC, '°C', 'Temperature of the cleaner.'))),
  contact_minutes: Maybe(Nullable(bounded(cleaningBounds.contactMinutes, 'min', 'Contact time.'))),
  method: Maybe(Nullable(MethodJson)),
  rinse_ph: Maybe(Nullable(bounded(cleaningBounds.rinsePh, 'pH', 'pH of the rinse water at the end.'))),
  note: Maybe(Nullable(Type.String({ maxLength: 2_000, description: 'A note.' }))),
};

type CleaningInput = Static<Type.TObject<typeof cleaningInputFields>>;

/** The engine's names of what was entered; what is absent stays absent. */
export const toCleaningFields = (input: CleaningInput) => ({
  result: input.result,
  cleanedBy: input.cleaned_by,
  checkedBy: input.checked_by,
  agent: input.agent,
  concentrationPercent: input.concentration_percent,
  tempC: input.temp_c,
  contactMinutes: input.contact_minutes,
  method: input.method,
  rinsePh: input.rinse_ph,
  note: input.note,
});

const time = (description: string) => ({ ...IsoSeconds, description });
const ml = (description: string) => ({ ...TotalMl, description });

const EntryJson = named(
  'CleaningEntry',
  Closed(
    {
      id: Id,
      corrects_id: Nullable({ ...Id, description: 'The entry that it corrects; null for the first one.' }),
      time: time('When it was written.'),
      user_id: Nullable(
        Type.String({ description: 'Username of who wrote it; null for a deleted account.' }),
      ),
      tap: Type.String({ description: 'Name of the tap then.' }),
      beverage: Nullable(Type.String({ description: 'Beverage in the line then; null without a keg.' })),
      kind: CleaningKindJson,
      started_time: time('Begin of the cleaning.'),
      ended_time: time('End of the cleaning.'),
      cleaned_by: Nullable(shortText('Who cleaned, if not who wrote it.')),
      checked_by: Nullable(shortText('Who countersigned.')),
      agent: Nullable(shortText('Name of the cleaner.')),
      concentration_percent: Nullable(Type.Number({ 'x-unit': '%', description: 'Concentration.' })),
      temp_c: Nullable(Type.Number({ 'x-unit': '°C', description: 'Temperature of the cleaner.' })),
      contact_minutes: Nullable(Type.Number({ 'x-unit': 'min', description: 'Contact time.' })),
      method: Nullable(MethodJson),
      rinse_ph: Nullable(Type.Number({ 'x-unit': 'pH', description: 'pH of the rinse water.' })),
      result: ResultJson,
      note: Nullable(Type.String({ description: 'Note.' })),
      withdrawn: Type.Boolean({ description: 'True: there was no such cleaning.' }),
    },
    { description: 'An entry of the cleaning log. It never changes.' },
  ),
);

export const CleaningJson = named(
  'Cleaning',
  Closed(
    {
      id: Id,
      tap_id: { ...TextId, description: 'Id of the tap, as text.' },
      tap_name: Type.String({ description: 'Name of the tap now.' }),
      keg_id: Nullable({ ...Id, description: 'The keg that lost the beer of the line; null without one.' }),
      kind: CleaningKindJson,
      origin: Type.Enum([...cleaningOrigins], {
        description:
          '`mode`: run at the tap; `pours`: pours marked afterwards; `manual`: entered afterwards.',
      }),
      has_beer: Type.Boolean({ description: 'False when the line held water before.' }),
      line_volume_ml: Nullable(ml('Volume of the line; null when it is not known.')),
      contact_minutes: Type.Number({ 'x-unit': 'min', description: 'Planned contact time.' }),
      started_time: time('Begin.'),
      ended_time: Nullable(time('End; null while it runs.')),
      end_reason: Nullable(
        Type.Enum(['finished', 'cancelled', 'expired'], {
          description: 'How it ended; `expired`: nobody ended it. Null while it runs.',
        }),
      ),
      step: Nullable(CleaningStepJson),
      steps: Type.Array(
        Closed({ step: CleaningStepJson, since: time('When it began.') }, { description: 'A step.' }),
        { description: 'The steps in the order in which they began.' },
      ),
      contact_ends_time: Nullable(time('End of the contact time that runs; null otherwise.')),
      contact_left_s: Nullable(
        Type.Integer({
          minimum: 0,
          'x-unit': 's',
          description: 'Contact time left by the clock of the daemon; null when none runs.',
        }),
      ),
      expires_time: Nullable(time('When it ends by itself without another step; null once it is over.')),
      beer_lost_ml: ml('Beer that was lost; spilled from the keg.'),
      cleaner_ml: ml('Cleaner that flowed.'),
      rinse_ml: ml('Water that flowed.'),
      pours: Type.Array(
        Closed(
          {
            drink_id: {
              ...Id,
              description: 'Id by which `POST /api/held-pours/{id}/keep` makes it a drink.',
            },
            pour_time: time('End of the pour.'),
            ticks: Ticks,
            volume_ml: TotalMl,
            user_id: Nullable(Type.String({ description: 'The guest who poured; null when unknown.' })),
            guest: Type.Boolean({ description: 'True when a card or name came with it.' }),
          },
          { description: 'What the meter counted at once.' },
        ),
        { description: 'What flowed, oldest first.' },
      ),
      picture_url: Nullable(Type.String({ description: 'Address of the photo; null without one.' })),
      entries: Type.Array(EntryJson, {
        description: 'Its entries in the log, newest first: the first one holds. Empty until it is logged.',
      }),
    },
    { description: 'A cleaning of a tap’s line.' },
  ),
);

export function cleaningJson(view: CleaningView, now: Moment): Static<typeof CleaningJson> {
  return {
    id: view.id,
    tap_id: String(view.tapId),
    tap_name: view.tapName,
    keg_id: view.kegId,
    kind: view.kind,
    origin: view.origin,
    has_beer: view.hasBeer,
    line_volume_ml: view.lineVolumeMl,
    contact_minutes: view.contactMinutes,
    started_time: isoSeconds(view.startedMs),
    ended_time: timeJson(view.endedMs),
    end_reason: view.endReason,
    step: view.endedMs === null ? (view.steps.at(-1)?.step ?? null) : null,
    steps: view.steps.map(({ step, sinceMs }) => ({ step, since: isoSeconds(sinceMs) })),
    contact_ends_time: timeJson(view.contactEndsMs),
    contact_left_s:
      view.contactEndsMs === null ? null : Math.max(0, Math.ceil((view.contactEndsMs - now.wallMs) / 1_000)),
    expires_time: timeJson(view.expiresMs),
    beer_lost_ml: view.parts.beerMl,
    cleaner_ml: view.parts.cleanerMl,
    rinse_ml: view.parts.rinseMl,
    pours: view.pours.map((pour) => ({
      drink_id: pour.drinkId,
      pour_time: isoSeconds(pour.timeMs),
      ticks: pour.ticks,
      volume_ml: pour.volumeMl,
      user_id: pour.username,
      guest: pour.isGuest,
    })),
    picture_url: view.picture && pictureAddress(view.picture, 1024),
    entries: view.entries.map(entryJson),
  };
}

export const entryJson = (entry: CleaningView['entries'][number]): Static<typeof EntryJson> => ({
  id: entry.id,
  corrects_id: entry.correctsId,
  time: isoSeconds(entry.timeMs),
  user_id: entry.username,
  tap: entry.tapName,
  beverage: entry.beverage,
  kind: entry.kind,
  started_time: isoSeconds(entry.startedMs),
  ended_time: isoSeconds(entry.endedMs),
  cleaned_by: entry.cleanedBy,
  checked_by: entry.checkedBy,
  agent: entry.agent,
  concentration_percent: entry.concentrationPercent,
  temp_c: entry.tempC,
  contact_minutes: entry.contactMinutes,
  method: entry.method,
  rinse_ph: entry.rinsePh,
  result: entry.result,
  note: entry.note,
  withdrawn: entry.isWithdrawn,
});

const timeJson = (ms: number | null) => (ms === null ? null : isoSeconds(ms));
