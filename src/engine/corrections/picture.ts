import type { Moment } from '../../core/moment.ts';
import { systemActor, writeAudit } from '../audit.ts';
import { textIn } from '../bounds.ts';
import { change, type EngineParts } from '../parts.ts';
import type { PreparedPicture } from '../pictures.ts';
import { realDrink } from './about-drink.ts';
import type { WithActor } from './correct.ts';

/** Gives a drink its one picture. What is replaced is erased for good: whoever was in it has asked for that. */
export function putPicture(
  parts: EngineParts,
  id: number,
  { picture, actor, ...told }: { readonly picture: PreparedPicture; readonly caption: string } & WithActor,
  now: Moment,
): void {
  const { store } = parts;
  const caption = textIn('caption', told.caption, { min: 0, max: 1_000 });
  change(parts, () => {
    const drink = realDrink(store, id);
    const had = store.pictures.ofDrink(drink.id);
    store.pictures.put({ subject: 'drink', id, name: picture.name, caption });
    writeAudit(
      store,
      {
        actor: actor ?? systemActor,
        action: 'drink.picture_set',
        subject: { kind: 'drink', id },
        before: had && { picture: had.name },
        after: { picture: picture.name },
      },
      now,
    );
  });
}

/** Erases a drink's picture for good, if it has one. */
export function removePicture(parts: EngineParts, id: number, { actor }: WithActor, now: Moment): void {
  const { store } = parts;
  change(parts, () => {
    const had = store.pictures.ofDrink(realDrink(store, id).id);
    if (had === null) return;
    store.pictures.remove('drink', id);
    writeAudit(
      store,
      {
        actor: actor ?? systemActor,
        action: 'drink.picture_removed',
        subject: { kind: 'drink', id },
        before: { picture: had.name },
      },
      now,
    );
  });
}
