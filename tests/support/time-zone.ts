/** Where the browsers of the specs are: not where the clock of most machines that run them is. */
export const TIME_ZONE = 'Europe/Berlin'

/** The day of an instant (ms UTC) there, `YYYY-MM-DD`. */
export const dayThere = (time: number): string => new Date(time).toLocaleDateString('sv', { timeZone: TIME_ZONE })
