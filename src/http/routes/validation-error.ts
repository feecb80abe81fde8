import { AppError } from '../../core/app-error.ts';
import type { Rule } from '../../core/rules/reasons.ts';

/** Creates an `invalid_request` error for one field; `allowed` follows the field's name, as in `must be the id of a keg`. */
export const validationError = (field: string, allowed: string, rule?: Rule): AppError =>
  new AppError('invalid_request', `${field} ${allowed}.`, {
    fields: { [field]: allowed },
    ...(rule && { rules: { [field]: rule } }),
  });
