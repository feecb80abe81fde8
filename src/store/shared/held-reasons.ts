import { heldReasons } from '../../core/pours/pour.ts';

/** The reasons for which a pour is no drink, or not yet. */
export type HeldReasons = ReturnType<typeof createHeldReasons>;

/** Those of the base, and those for which extensions set pours aside. */
export function createHeldReasons(
  extensions: readonly { readonly name: string; readonly heldReasons?: readonly string[] }[] = [],
) {
  const features = new Map(
    extensions.flatMap(({ name, heldReasons: own = [] }) => own.map((reason) => [reason, name] as const)),
  );
  const known: ReadonlySet<string> = new Set([...heldReasons, ...features.keys()]);
  return {
    /** Returns the reason; throws for one that nobody declared. */
    require(reason: string): string {
      if (known.has(reason)) return reason;
      throw new Error(`No reason "${reason}" to hold a pour is declared.`);
    },
    /** The feature that sets pours aside for it; null for those of the base. */
    featureOf: (reason: string): string | null => features.get(reason) ?? null,
  };
}
