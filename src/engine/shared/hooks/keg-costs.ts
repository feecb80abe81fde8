/** Where the base asks the extensions that are on what kegs cost. Each reads only, and answers null where it is unknown. */
export interface KegCosts {
  /** What a keg cost, without tax and deposit, in the smallest unit of the currency. */
  kegCost(kegId: number): number | null;
  /** Cost of a millilitre of a beverage in the newest keg with a known cost. */
  costPerMl(beverageId: number): number | null;
}

/** Asks every extension that is on, in the order of `use`, until one answers. */
export function createKegCosts() {
  let all: readonly Partial<KegCosts>[] = [];
  const first = (ask: (hooks: Partial<KegCosts>) => number | null | undefined): number | null => {
    for (const hooks of all) {
      const answer = ask(hooks) ?? null;
      if (answer !== null) return answer;
    }
    return null;
  };
  return {
    /** From now on these are asked. */
    use(hooks: readonly Partial<KegCosts>[]): void {
      all = hooks;
    },
    kegCost: (kegId: number): number | null => first(({ kegCost }) => kegCost?.(kegId)),
    costPerMl: (beverageId: number): number | null => first(({ costPerMl }) => costPerMl?.(beverageId)),
  };
}
