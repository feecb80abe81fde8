import { AppError } from '../../../core/app-error.ts';
import { createProblem } from '../../../core/health/problems.ts';
import type { PinDriver } from './pin-driver.ts';

/** Loads the optional library of a driver on demand: its installation needs a compiler, which a Pi may lack. */
export async function loadLibrary<T>({ name, packages }: NonNullable<PinDriver['library']>): Promise<T> {
  try {
    const library: T = await import(name);
    return library;
  } catch (cause) {
    const problem = createProblem('driver_library_missing', { library: name, packages });
    throw new AppError('unavailable', problem, { cause });
  }
}
