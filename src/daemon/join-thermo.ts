import type { ThermoBus } from '../devices/ports.ts';

/** Several buses of thermometers as one; what one bus cannot read keeps nobody from hearing the others. */
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
