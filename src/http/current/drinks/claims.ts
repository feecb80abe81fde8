import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { Drink } from '../../../core/records.ts';
import { claimableUntilMs, paginate } from '../../../engine/engine.ts';
import { defineRoute } from '../../routes/route.ts';
import { type RouteContext, requestActor } from '../../routes/route-context.ts';
import { Closed, IsoSeconds, isoSeconds, Nullable, named } from '../../routes/schemas.ts';
import { DrinkJson, drinkJson } from '../shared/drink-views.ts';
import { PageQuery, PagingJson, pagingJson, toPageRequest } from '../shared/paging.ts';
import { isStaff } from './drink-detail.ts';

const ClaimableJson = named(
  'Claimable',
  Closed(
    {
      drink: DrinkJson,
      tap_name: Nullable(
        Type.String({ maxLength: 128, description: 'Name of the tap; null when it was deleted.' }),
      ),
      beverage_name: Nullable(
        Type.String({
          maxLength: 255,
          description: 'Name of the beverage; null when no keg was on the tap.',
        }),
      ),
      until: { ...IsoSeconds, description: 'UTC time at which the claim ends, ten minutes after the pour.' },
    },
    { description: 'A drink without a user that may still be claimed.' },
  ),
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
  accepts: { query: PageQuery },
  replies: {
    status: 200,
    body: Closed({
      paging: PagingJson,
      claims: Type.Array(ClaimableJson, { description: 'The claims of this page.' }),
    }),
  },
  run(context, { query }) {
    const { engine, now, addressWith } = context;
    const request = toPageRequest(query);
    const page = canClaim(context) ? engine.drinks.claimable(request, now) : paginate<Drink>([], request);
    const toJson = drinkJson(engine);
    const names = new Map(engine.taps.list().map(({ tap }) => [tap.id, tap.name]));
    return {
      paging: pagingJson(page, addressWith),
      claims: page.items.map((drink) => {
        const keg = drink.kegId === null ? null : engine.kegs.get(drink.kegId);
        return {
          drink: toJson(drink),
          tap_name: drink.tapId === null ? null : (names.get(drink.tapId) ?? null),
          beverage_name: (keg && engine.kegs.beverage(keg.beverageId)?.name) ?? null,
          until: isoSeconds(claimableUntilMs(drink)),
        };
      }),
    };
  },
});
