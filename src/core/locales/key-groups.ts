/** The first parts of the keys whose texts only the daemon writes. They are not sent to browsers. */
const daemonOnlyGroups: readonly string[] = ['mails'];

/** The first parts of the keys that the daemon reads; it keeps no other texts in memory. */
const daemonGroups: readonly string[] = [...daemonOnlyGroups, 'daemon', 'menu', 'units'];

const groupOf = (key: string): string => key.split('.', 1)[0]!;

/** True for a key whose text the page may show. */
export const isPageKey = (key: string): boolean => !daemonOnlyGroups.includes(groupOf(key));

/** True for a key whose text the daemon may write. */
export const isDaemonKey = (key: string): boolean => daemonGroups.includes(groupOf(key));
