/** The highest limit of days that a keg may be on its tap. */
export const maxDaysLimit = 365;
