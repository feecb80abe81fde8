import type { ThermoBus } from '../../devices/device-interfaces.ts';

/** Joins several buses of thermo sensors into one; it rejects only when every bus fails. */
export function joinThermo(buses: readonly ThermoBus[]): ThermoBus {
  return {
    async read() {
      const rounds = await Promise.allSettled(buses.map((bus) => bus.read()));
      const failed = rounds.find((round) => round.status === 'rejected');
      if (failed !== undefined && rounds.every((round) => round.status === 'rejected')) throw failed.reason;
      return rounds.flatMap((round) => (round.status === 'fulfilled' ? round.value : []));
    },
  };
}
