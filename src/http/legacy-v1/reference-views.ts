import Type, { type Static } from 'typebox';
import { caloriesPerOz } from '../../core/kegs/volume-units.ts';
import type { Beverage, Drink, Keg, Session, User } from '../../core/records.ts';
import type { DrinkView, TapView } from '../../engine/engine.ts';
import { pictureAddress } from '../pictures.ts';
import {
  BrewerId,
  Closed,
  DurationSeconds,
  Id,
  IsoSeconds,
  isoSeconds,
  Nullable,
  named,
  PercentFull,
  RemainMl,
  TextId,
  Ticks,
  TotalMl,
  VolumeMl,
} from '../routes/schemas.ts';
import { tapFields, tapFieldsJson } from '../routes/tap-fields.ts';

export const DrinkReference = named(
  'Drink',
  Closed(
    {
      id: Id,
      volume_ml: VolumeMl,
      user_id: Nullable(Type.String({ description: 'Username of the drinker; null when unknown.' })),
      ticks: Ticks,
      session_id: Nullable({ ...TextId, description: 'Id of the session, as text; null without one.' }),
      is_valid: Type.Boolean({
        description: 'False while the pour is held for review, and after it was cancelled.',
      }),
      pour_time: { ...IsoSeconds, description: 'UTC time of the end of the pour.' },
      duration: DurationSeconds,
      keg_id: Nullable({ ...Id, description: 'Id of the keg; null without one.' }),
    },
    { description: 'A drink: one pour that was recorded.' },
  ),
);

export const KegReference = named(
  'Keg',
  Closed(
    {
      id: Id,
      status: Type.Enum(['online', 'offline'], { description: '`online` while the keg is on a tap.' }),
      volume_ml_remain: RemainMl,
      percent_full: PercentFull,
      description: Type.String({ description: 'Text for everybody; may be empty.' }),
      type_id: { ...TextId, description: 'Id of the beverage, as text.' },
      size_id: { ...Id, description: 'Id of the keg size.' },
      started_time: {
        ...IsoSeconds,
        description: 'UTC time at which it was put on tap; of its creation before that.',
      },
      finished_time: Nullable({
        ...IsoSeconds,
        description: 'UTC time at which it was finished; null until then.',
      }),
    },
    { description: 'A keg.' },
  ),
);

const BeverageReference = named(
  'BeerType',
  Closed(
    {
      id: TextId,
      name: Type.String({ description: 'Name of the beverage.' }),
      style_id: Type.String({ description: 'Name of the style; empty when unknown.' }),
      brewer_id: BrewerId,
      abv: Nullable(
        Type.Number({
          minimum: 0,
          maximum: 100,
          'x-unit': '%',
          description: 'Alcohol by volume in percent; null when unknown.',
        }),
      ),
      calories_oz: Nullable(
        Type.Number({
          minimum: 0,
          'x-unit': 'kcal/oz',
          description: 'Kilocalories in a US fluid ounce; null when unknown.',
        }),
      ),
    },
    { description: 'A beverage.' },
  ),
);

export const TapReference = named('KegTap', Closed(tapFields, { description: 'A tap.' }));

export const UserReference = named(
  'User',
  Closed(
    {
      username: Type.String({ description: 'Name of the account.' }),
      joined_time: { ...IsoSeconds, description: 'UTC time of the creation of the account.' },
      mugshot_url: Type.String({ description: 'Address of the picture; empty without one.' }),
      is_active: Type.Boolean({ description: 'False when the account was deactivated.' }),
      is_superuser: Type.Boolean({ description: 'True for superusers.' }),
      is_staff: Type.Boolean({ description: 'True for staff.' }),
    },
    { description: 'An account.' },
  ),
);

export const SessionReference = named(
  'Session',
  Closed(
    {
      id: TextId,
      start_time: { ...IsoSeconds, description: 'UTC time of the first pour.' },
      end_time: { ...IsoSeconds, description: 'UTC time at which it ends unless somebody pours before.' },
      volume_ml: { ...TotalMl, description: 'Sum of its drinks in millilitres.' },
    },
    { description: 'A session: a period of drinking.' },
  ),
);

/** A tap with its keg and beverage. */
export const TapItemReference = Closed({
  tap: TapReference,
  keg: Nullable(KegReference),
  beverage: Nullable(BeverageReference),
});

/** A drink with its keg, user and session. */
export const DrinkDetailReference = Closed({
  drink: DrinkReference,
  keg: Nullable(KegReference),
  user: Nullable(UserReference),
  session: Nullable(SessionReference),
});

/** The reply to a spill: no drink, only the keg. */
export const SpillReference = Closed({
  drink: Type.Null({ description: 'Null: a spill creates no drink.' }),
  keg: Nullable(KegReference),
});

export const drinkReference = (drink: Drink): Static<typeof DrinkReference> => ({
  id: drink.id,
  volume_ml: drink.volumeMl,
  user_id: drink.username,
  ticks: drink.ticks,
  session_id: drink.sessionId === null ? null : String(drink.sessionId),
  is_valid: drink.isValid,
  pour_time: isoSeconds(drink.pourTimeMs),
  duration: Math.round(drink.durationMs / 1000),
  keg_id: drink.kegId,
});

export function kegReference(keg: Keg): Static<typeof KegReference> {
  const remainMl = keg.fullVolumeMl - keg.servedVolumeMl - keg.spilledVolumeMl;
  return {
    id: keg.id,
    status: keg.state === 'on_tap' ? 'online' : 'offline',
    volume_ml_remain: remainMl,
    percent_full: keg.fullVolumeMl > 0 ? remainMl / keg.fullVolumeMl : 0,
    description: keg.description,
    type_id: String(keg.beverageId),
    size_id: keg.sizeId,
    started_time: isoSeconds(keg.startedTimeMs),
    finished_time: keg.finishedTimeMs === null ? null : isoSeconds(keg.finishedTimeMs),
  };
}

const beverageReference = (beverage: Beverage): Static<typeof BeverageReference> => ({
  id: String(beverage.id),
  name: beverage.name,
  style_id: beverage.style ?? '',
  brewer_id: String(beverage.producer.id),
  abv: beverage.abvPercent,
  calories_oz: caloriesPerOz(beverage.caloriesPerMl),
});

export const userReference = (user: User): Static<typeof UserReference> => ({
  username: user.username,
  joined_time: isoSeconds(user.joinedTimeMs),
  mugshot_url: user.mugshot === null ? '' : pictureAddress({ name: user.mugshot }, 1024),
  is_active: user.isActive,
  is_superuser: user.isSuperuser,
  is_staff: user.isStaff,
});

export const sessionReference = (session: Session): Static<typeof SessionReference> => ({
  id: String(session.id),
  start_time: isoSeconds(session.startTimeMs),
  end_time: isoSeconds(session.endTimeMs),
  volume_ml: session.volumeMl,
});

export const tapItemReference = ({ tap, keg, beverage }: TapView): Static<typeof TapItemReference> => ({
  tap: tapFieldsJson(tap),
  keg: keg && kegReference(keg),
  beverage: beverage && beverageReference(beverage),
});

export const drinkDetailReference = (view: DrinkView): Static<typeof DrinkDetailReference> => ({
  drink: drinkReference(view.drink),
  keg: view.keg && kegReference(view.keg),
  user: view.user && userReference(view.user),
  session: view.session && sessionReference(view.session),
});

export const spillReference = (keg: Keg | null): Static<typeof SpillReference> => ({
  drink: null,
  keg: keg && kegReference(keg),
});
