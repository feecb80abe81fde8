import { KegError } from '../../core/keg-error.ts';
import type { Rule } from '../../core/reasons.ts';

/** Refuses a request for one field's sake; `allowed` goes on after the field's name, `must be the id of a keg`. */
export const unfit = (field: string, allowed: string, rule?: Rule): KegError =>
  new KegError('invalid_request', `${field} ${allowed}.`, {
    fields: { [field]: allowed },
    ...(rule && { rules: { [field]: rule } }),
  });
