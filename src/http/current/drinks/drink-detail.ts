import type { Static } from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { User } from '../../../core/records.ts';
import type { DrinkView } from '../../../engine/engine.ts';
import type { RouteContext } from '../../routes/route-context.ts';
import { Closed, Nullable, named } from '../../routes/schemas.ts';
import { DrinkJson, drinkJsonFor, TickSeriesJson } from '../shared/drink-views.ts';
import { SessionJson, sessionJson } from '../shared/event-views.ts';
import { KegJson, kegJson, PictureJson, pictureJson } from '../shared/views.ts';
import { UserJson, userJson } from '../users/user-views.ts';

const relatedFields = {
  keg: Nullable(KegJson),
  user: Nullable(UserJson),
  session: Nullable(SessionJson),
  picture: Nullable(PictureJson),
};

/** One drink with its keg, user, session and picture. */
export const DrinkDetailJson = named(
  'DrinkDetail',
  Closed(
    { drink: DrinkJson, ...relatedFields },
    { description: 'A drink with its keg, user, session and picture, each null where there is none.' },
  ),
);

/** The same with the times of its ticks. */
export const DrinkWithSeriesJson = named(
  'DrinkWithSeries',
  Closed(
    { drink: DrinkJson, ...relatedFields, series: TickSeriesJson },
    { description: 'A drink with its keg, user, session and picture, and the times of its ticks.' },
  ),
);

/** The same with a nullable drink: a spill creates none, and undoing a split removes one. */
export const MaybeDrinkDetailJson = named(
  'MaybeDrinkDetail',
  Closed(
    { drink: Nullable(DrinkJson), ...relatedFields },
    { description: 'A drink with its keg, user, session and picture; the drink is null when there is none.' },
  ),
);

export const drinkDetailJson = (
  context: Pick<RouteContext, 'engine' | 'user' | 'tablet'>,
  { drink, keg, user, session }: DrinkView,
): Static<typeof DrinkDetailJson> => ({
  drink: drinkJsonFor(context)(drink),
  keg: keg && kegJson(keg),
  user: user && userJson(user),
  session: session && sessionJson(session),
  picture: pictureJson(context.engine.pictures.ofDrink(drink.id)),
});

/** The reply when there is no drink. */
export const noDrinkJson: Static<typeof MaybeDrinkDetailJson> = {
  drink: null,
  keg: null,
  user: null,
  session: null,
  picture: null,
};

export const isStaff = (user: User | null): boolean => user !== null && (user.isStaff || user.isSuperuser);

/** The drink, or 404. Only staff may learn that a held pour exists. */
export function requireDrink({ engine, user }: RouteContext, id: number): DrinkView {
  const found = engine.drinks.get(id);
  if (found && (found.drink.isValid || isStaff(user))) return found;
  throw new AppError('not_found', `There is no drink ${id}.`, { reason: { name: 'not_found' } });
}

/** Throws unless the requester is the drinker or staff. */
export function requireDrinkerOrStaff(context: RouteContext, id: number): void {
  const { drink } = requireDrink(context, id);
  const isDrinker = drink.username !== null && drink.username === context.user?.username;
  if (!isDrinker && !isStaff(context.user)) {
    throw new AppError('not_allowed', `Only its drinker and staff may change drink ${id}.`, {
      reason: { name: 'own_drinks_only', drink: id },
    });
  }
}
