import { AppError } from '../../core/app-error.ts';
import type { Rule } from '../../core/reasons.ts';

/** Refuses a request for one field's sake; `allowed` goes on after the field's name, `must be the id of a keg`. */
export const validationError = (field: string, allowed: string, rule?: Rule): AppError =>
  new AppError('invalid_request', `${field} ${allowed}.`, {
    fields: { [field]: allowed },
    ...(rule && { rules: { [field]: rule } }),
  });
