/** Path of the page on which staff look after a person. */
export const personPath = (username: string): string => `/users/${encodeURIComponent(username)}`;
