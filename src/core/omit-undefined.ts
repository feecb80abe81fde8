type OmitUndefined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * Returns the object without its undefined members: spread over defaults, a member that is present but undefined would
 * replace the default.
 */
export function omitUndefined<T extends object>(value: T): OmitUndefined<T> {
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members[name] = member;
  }
  return members as OmitUndefined<T>;
}
