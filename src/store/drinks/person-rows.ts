import type { JsonObject, TraceFinder } from '../shared/person-traces.ts';

type Rows = readonly JsonObject[];

/** Removes a person from stored drinks. */
export function createRowCleaner({ userId, isName, isToken }: TraceFinder) {
  const cleanCancelledDrink = (text: string): string => {
    const drink = JSON.parse(text) as JsonObject;
    const isTheirs = isName(drink.username);
    if (!isTheirs && !isName(drink.claimedUsername) && !isToken(drink.authToken)) return text;
    return JSON.stringify({
      ...drink,
      username: isTheirs ? null : drink.username!,
      shout: isTheirs ? null : drink.shout!,
      authToken: isTheirs || isToken(drink.authToken) ? null : drink.authToken!,
      claimedUsername: isName(drink.claimedUsername) ? null : drink.claimedUsername!,
    });
  };

  /** A row of `drinks`, without the person. */
  const cleanDrink = (row: JsonObject): JsonObject => {
    const isTheirs = row.user_id === userId;
    const isClaim = isTheirs || isName(row.claimed_username);
    return {
      ...row,
      ...(isTheirs ? { user_id: null, shout: null } : {}),
      ...(isTheirs || isToken(row.auth_token) ? { auth_token: null } : {}),
      ...(isClaim ? { claimed_username: null, claimed_username_key: null } : {}),
    };
  };

  return {
    cleanCancelledDrink,
    /** Images of the rows of a correction; `pictures` are those of the person's drinks. */
    cleanCorrection({ before, after }: { readonly before: string; readonly after: string }) {
      const images = [before, after].map((text) => JSON.parse(text) as Readonly<Record<string, Rows>>);
      const theirDrinks = new Set(
        images.flatMap(({ drinks = [] }) =>
          drinks.filter((row) => row.user_id === userId).map((row) => row.id),
        ),
      );
      const pictures = images.flatMap(({ pictures: rows = [] }) =>
        rows.filter((row) => theirDrinks.has(row.drink_id!)).map((row) => String(row.name)),
      );
      const [cleanBefore, cleanAfter] = images.map((image) =>
        JSON.stringify({
          ...image,
          drinks: (image.drinks ?? []).map(cleanDrink),
          events: (image.events ?? []).map((row) =>
            row.user_id === userId ? { ...row, user_id: null } : row,
          ),
          pictures: (image.pictures ?? []).filter((row) => !pictures.includes(String(row.name))),
          cancelled_pours: (image.cancelled_pours ?? []).map((row) => ({
            ...row,
            drink: cleanCancelledDrink(String(row.drink)),
          })),
        }),
      );
      return { before: cleanBefore!, after: cleanAfter!, pictures };
    },
  };
}
