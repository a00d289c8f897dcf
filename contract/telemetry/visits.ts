/** Where a page says once that a signed-in person is here (ANALYTICS-01), and where the edge hands that on. */
export const REVENUE_PATH = '/t/revenue'

/** What the setting `REVENUE_TOKEN` may be. */
export const REVENUE_TOKEN = /^[A-Za-z\d-]{1,64}$/
/** Token of local runs and previews (OPEN-165). */
export const LOCAL_REVENUE_TOKEN = 'local'
/** A person: lower-case hex SHA-256 of the e-mail, trimmed and in lower case. */
export const PERSON = /^[\da-f]{64}$/

/** Says that a visit is the edge's: lower-case hex HMAC-SHA-256 by `MEDIA_KEY` over this. */
export const revenueContent = (body: string): string => `revenue visit\n${body}`
