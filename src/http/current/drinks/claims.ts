import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { claimableUntilMs } from '../../../engine/engine.ts';
import { defineRoute } from '../../routes/route.ts';
import { type RouteContext, requestActor } from '../../routes/route-context.ts';
import { Closed, Id, IsoSeconds, isoSeconds, Nullable, named, Open } from '../../routes/schemas.ts';
import { DrinkJson, drinkJson } from '../shared/drink-views.ts';
import { pageFields, toPageRequest } from '../shared/paging.ts';
import { isStaff } from './drink-detail.ts';

const ClaimableJson = named(
  'Claimable',
  Closed({
    drink: DrinkJson,
    tap_name: Nullable(
      Type.String({ maxLength: 128, description: 'Name of the tap; null when it was deleted.' }),
    ),
    beverage_name: Nullable(
      Type.String({ maxLength: 255, description: 'Name of the beverage; null when no keg was on the tap.' }),
    ),
    until: { ...IsoSeconds, description: 'UTC time at which the claim ends, ten minutes after the pour.' },
  }),
);

/** Whether the requester may claim drinks: claims are allowed and the site is visible to the requester. */
function canClaim({ engine, user }: RouteContext): boolean {
  const { allowClaims, privacy } = engine.users.site();
  return allowClaims && (privacy !== 'staff' || isStaff(user));
}

/** The user and actor of a claim; throws when the requester may not claim drinks. */
export function requireClaimant(context: RouteContext) {
  if (!canClaim(context)) {
    throw new AppError(
      'not_allowed',
      'Drinks cannot be claimed on this site: ask staff to assign the drink.',
      {
        reason: { name: 'no_claims' },
      },
    );
  }
  return { username: context.user!.username, actor: requestActor(context) };
}

export const listClaims = defineRoute({
  id: 'listClaims',
  method: 'get',
  path: '/claims',
  summary:
    'List drinks without a user that you may still claim, newest first. Empty when claims are not allowed',
  description:
    'A drink can be claimed for ten minutes after its pour. Held pours and drinks with a user are not listed.',
  access: 'member',
  accepts: { query: Open(pageFields) },
  replies: {
    status: 200,
    body: Closed({
      claims: Type.Array(ClaimableJson),
      next: Nullable({ ...Id, description: 'The `start` of the next page; null at the end.' }),
    }),
  },
  run(context, { query }) {
    const { engine, now } = context;
    if (!canClaim(context)) return { claims: [], next: null };
    const { drinks, next } = engine.drinks.claimable(toPageRequest(query), now);
    const names = new Map(engine.taps.list().map(({ tap }) => [tap.id, tap.name]));
    return {
      claims: drinks.map((drink) => {
        const keg = drink.kegId === null ? null : engine.kegs.get(drink.kegId);
        return {
          drink: drinkJson(drink),
          tap_name: drink.tapId === null ? null : (names.get(drink.tapId) ?? null),
          beverage_name: (keg && engine.kegs.beverage(keg.beverageId)?.name) ?? null,
          until: isoSeconds(claimableUntilMs(drink)),
        };
      }),
      next,
    };
  },
});
