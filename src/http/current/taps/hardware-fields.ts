import Type from 'typebox';
import { Maybe, Nullable } from '../../routes/schemas.ts';

/** Texts by which people know a controller, meter or toggle. */
export const textFields = {
  nice_name: Maybe(
    Nullable(
      Type.String({ maxLength: 128, description: 'Display name, at most 128 characters; null for none.' }),
    ),
  ),
  notes: Maybe(
    Nullable(
      Type.String({ maxLength: 10_000, description: 'Notes, at most 10 000 characters; null for none.' }),
    ),
  ),
};

/** Display name and notes in a body; null removes one, and what is left out keeps its value. */
interface TextFields {
  readonly nice_name?: string | null;
  readonly notes?: string | null;
}

/** Converts the texts of a body to those of a record. */
export const toTexts = ({ nice_name: niceName, notes }: TextFields) => ({
  niceName: niceName === null ? '' : niceName,
  notes: notes === null ? '' : notes,
});

/** Hardware that the configuration file or a plugged-in board names cannot be changed. */
const claimed = { conflict: ['in_configuration', 'on_pin', 'on_serial_port'] } as const;
/** Errors of changes and deletions of controllers, meters and toggles. */
export const claimedErrors = { change: claimed, remove: claimed };

/** Finds a record by its id. */
export const findById = <T extends { readonly id: number }>(all: readonly T[], id: number): T | undefined =>
  all.find((one) => one.id === id);
