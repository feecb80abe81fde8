import Type from 'typebox';
import { TotalMl } from '../routes/schemas.ts';

/** A text, or a flag, that says what it is. */
export const text = (description: string) => Type.String({ description });
export const flag = (description: string) => Type.Boolean({ description });

/** An id, a time or a volume that says what it is of. */
export const described = <S extends Type.TSchema>(schema: S, description: string): S => ({
  ...schema,
  description,
});

export const pourId = text('Id of the pour, also that of its drink’s `pour_id`.');
export const timeCertain = flag('False when the clock was not set during the pour.');
export const runningMl = described(TotalMl, 'Volume so far, mL, with the meter’s present calibration.');
