import { AppError } from '../../../core/app-error.ts';
import type { DrinkView, Upload } from '../../../engine/engine.ts';
import { actorContext, type RouteContext } from '../../routes/route-context.ts';

/** Longest texts that are stored; longer ones do not refuse a pour. */
export const maxUsername = 128;
export const maxToken = 256;
export const maxShout = 1_000;

/** How long the answer waits for the picture, which is part of it when it is ready by then, milliseconds. */
const pictureWaitMs = 3_000;

/** What a pour was sent with and could not be stored, by field, and why. */
export type LeftOut = Record<string, string>;

interface Texts {
  readonly username?: string | undefined;
  readonly auth_token?: string | undefined;
  readonly shout?: string | undefined;
}

/** The texts that fit. A name or token that was cut would be another one, a comment is still the same. */
export function fitTexts(texts: Texts, leftOut: LeftOut) {
  const dropLong = (field: 'username' | 'auth_token', max: number): string | undefined => {
    const text = texts[field];
    if (text === undefined || lengthOf(text) <= max) return text;
    leftOut[field] = `is longer than ${max} characters and was dropped`;
    return undefined;
  };
  const cut = (text: string | undefined): string | undefined => {
    if (text === undefined || lengthOf(text) <= maxShout) return text;
    leftOut.shout = `was cut to ${maxShout} characters`;
    return [...text.trim()].slice(0, maxShout).join('');
  };
  return {
    username: dropLong('username', maxUsername),
    authToken: dropLong('auth_token', maxToken),
    shout: cut(texts.shout),
  };
}

/** Counted in code points, without blanks around it, as the engine counts. */
const lengthOf = (text: string): number => [...text.trim()].length;

/**
 * Makes the photo the picture of the recorded drink. Resolves when that is done, or after three seconds, while it goes on;
 * nothing that happens to the photo is an error.
 */
export async function addPhoto(context: RouteContext, upload: Upload, { drink }: DrinkView): Promise<void> {
  const { engine } = context;
  if (engine.pictures.ofDrink(drink.id) !== null) return;
  context.keepUpload(upload);
  const added = storePhoto(context, upload, drink.id)
    .catch((fault: unknown) => {
      if (!(fault instanceof AppError)) context.log.error({ err: fault }, 'the photo of a pour failed');
      noteLeftOut(context, drink.id, {
        photo: fault instanceof AppError ? fault.message : 'could not be read',
      });
    })
    .finally(() => upload.discard().catch(() => {}));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, pictureWaitMs);
    timer.unref();
  });
  await Promise.race([added, late]);
  clearTimeout(timer);
}

async function storePhoto(
  { engine, user, now }: RouteContext,
  upload: Upload,
  drinkId: number,
): Promise<void> {
  if (user === null) throw new Error('The route must require an authenticated user.');
  const picture = await engine.pictures.prepare(upload, 'photo', { user, now });
  try {
    engine.drinks.attachPicture(drinkId, picture);
  } finally {
    // Remaining files are deleted by the periodic clean-up.
    await engine.pictures.release(picture).catch(() => {});
  }
}

/** Says in the log and in the history of the drink what was left out. */
export function noteLeftOut(context: RouteContext, drinkId: number, leftOut: LeftOut): void {
  if (Object.keys(leftOut).length === 0) return;
  context.log.warn({ drink: drinkId, leftOut }, 'a pour was recorded without what did not fit');
  try {
    context.engine.drinks.noteLeftOut(drinkId, leftOut, actorContext(context));
  } catch (err) {
    context.log.warn({ err }, 'what a pour was sent with cannot be noted');
  }
}
