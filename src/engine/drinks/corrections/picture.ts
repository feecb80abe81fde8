import type { Moment } from '../../../core/clock/moment.ts';
import { systemActor, writeAudit } from '../../shared/audit.ts';
import { validateText } from '../../shared/bounds.ts';
import { change, type EngineParts } from '../../shared/parts.ts';
import type { PreparedPicture } from '../../shared/pictures.ts';
import type { WithActor } from './correct.ts';
import { requireValidDrink } from './corrected-drink.ts';

/**
 * Sets a drink's one picture. A replaced one is deleted permanently, as the people shown may have asked for
 * that.
 */
export function putPicture(
  parts: EngineParts,
  id: number,
  { picture, actor, ...input }: { readonly picture: PreparedPicture; readonly caption: string } & WithActor,
  now: Moment,
): void {
  const { store } = parts;
  const caption = validateText('caption', input.caption, { min: 0, max: 1_000, kind: 'lines' });
  change(parts, () => {
    const drink = requireValidDrink(store, id);
    const previous = store.pictures.byDrink(drink.id);
    store.pictures.set({ subject: 'drink', id, name: picture.name, caption });
    writeAudit(
      store,
      {
        actor: actor ?? systemActor,
        action: 'drink.picture_set',
        subject: { kind: 'drink', id },
        before: previous && { picture: previous.name },
        after: { picture: picture.name },
      },
      now,
    );
  });
}

/** Adds the picture that was sent with a pour, which was recorded before it was ready; false if the drink has one or is gone. */
export const attachPicture = (parts: EngineParts, id: number, { name }: PreparedPicture): boolean =>
  change(parts, () => {
    const { drinks, pictures } = parts.store;
    if (drinks.byId(id) === null || pictures.byDrink(id) !== null) return false;
    pictures.addToDrink(name, id);
    return true;
  });

/** Deletes a drink's picture permanently, if it has one. */
export function removePicture(parts: EngineParts, id: number, { actor }: WithActor, now: Moment): void {
  const { store } = parts;
  change(
    parts,
    () => {
      const previous = store.pictures.byDrink(requireValidDrink(store, id).id);
      if (previous === null) return;
      store.pictures.remove('drink', id);
      writeAudit(
        store,
        {
          actor: actor ?? systemActor,
          action: 'drink.picture_removed',
          subject: { kind: 'drink', id },
          before: { picture: previous.name },
        },
        now,
      );
    },
    'removal',
  );
}
