/** Values of earlier answers kept under one name. */
const maxKept = 100;

/** Names under which the same thing is found. */
const sameThings: readonly (readonly string[])[] = [
  ['username', 'user', 'user_id'],
  ['meter', 'meter_name', 'meter_id'],
  ['toggle', 'toggle_name', 'toggle_id'],
  ['beverage_id', 'type_id', 'beverage_type_id'],
  ['name', 'backup_name'],
];

/** Path parameters whose values answers have under other names. */
const named: Readonly<Record<string, readonly string[]>> = {
  ref: ['id taps', 'meter_name'],
  sensor: ['id thermo-sensors', 'thermo_sensor_id'],
  token: ['id auth-tokens'],
  device: ['name', 'device'],
};

/** Collects values of answers, so that later requests name things that exist. */
export function createKnownValues() {
  const all = new Set<unknown>(['anna', 'pi.flow0', 'core.rfid', '0089f2c4', 'drinks.csv']);
  const byName = new Map<string, Set<unknown>>();

  function keep(name: string, value: unknown): void {
    const values = byName.get(name) ?? new Set();
    byName.set(name, values);
    // The newest are the likeliest to exist.
    if (values.size >= maxKept) values.delete(values.values().next().value);
    values.add(value);
    if (all.size < 300) all.add(value);
  }

  return {
    all: (): readonly unknown[] => [...all],

    /** Values for a property; the id in `/drinks/{id}` is one of a drink. */
    named(name: string, path: string): readonly unknown[] {
      const names =
        name === 'id'
          ? [idName(path)]
          : (named[name] ?? sameThings.find((one) => one.includes(name)) ?? [name]);
      return names.flatMap((one) => [...(byName.get(one) ?? [])]);
    },

    /** Collects the short texts and whole numbers of an answer. */
    collect(answer: unknown, path: string, name = ''): void {
      if (Array.isArray(answer)) for (const item of answer) this.collect(item, path, name);
      else if (typeof answer === 'object' && answer !== null) {
        for (const [inner, value] of Object.entries(answer)) this.collect(value, path, inner);
      } else if (typeof answer === 'string' ? answer !== '' && answer.length <= 64 : Number.isInteger(answer))
        keep(name === 'id' ? idName(path) : name, answer);
    },
  };
}

export type KnownValues = ReturnType<typeof createKnownValues>;

/** The name of the ids in a path: `id drinks` for `/api/drinks` and `/api/drinks/{id}/spill`. */
function idName(path: string): string {
  const before = path.split('/{id}')[0]!;
  return `id ${before.slice(before.lastIndexOf('/') + 1)}`;
}
