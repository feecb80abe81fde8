import type { MergedHardware } from '../../config/merged-hardware.ts';
import { createProblem, type Problem } from '../../core/health/problems.ts';
import type { MachineIdentity } from '../../system/machine-identity.ts';

/** What health says about relays that may not belong to this machine. */
export function machineProblems(
  { entries, otherMachine }: Pick<MergedHardware, 'entries' | 'otherMachine'>,
  { identity, fullName }: { readonly identity: MachineIdentity; fullName(port: string): string },
): readonly Problem[] {
  if (otherMachine.size > 0) {
    const relays = [...otherMachine].map(fullName).join(', ');
    return [createProblem('relays_of_other_machine', { relays })];
  }
  const hasRelays = entries.some(({ kind }) => kind === 'relay');
  return hasRelays && !identity.isKnown ? [createProblem('no_machine_id')] : [];
}
