import { AppError } from '../app-error.ts';
import { createProblem, type Problem, textProblem } from './problems.ts';

/**
 * The problems that an expected error stands for: its own, then that of the expected error that caused it. Any other error is
 * `unexpected`.
 */
export function toProblems(
  fault: unknown,
  unexpected: Problem = createProblem('see_log'),
): readonly Problem[] {
  if (!(fault instanceof AppError)) return [unexpected];
  const { problem, reason, message, cause } = fault;
  if (problem !== undefined) return [problem, ...(cause instanceof AppError ? toProblems(cause) : [])];
  if (reason === undefined) return [textProblem(message)];
  const { name, ...params } = reason;
  return [{ code: name, params, message }];
}
