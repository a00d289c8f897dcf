/** What revenue is tracked by while the browser suite runs. */
export const REVENUE_TOKEN = 'browser-suite'
