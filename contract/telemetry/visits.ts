/** Path at which a page reports a signed-in person once (ANALYTICS-01), and to which the edge forwards that. */
export const REVENUE_PATH = '/t/revenue'

/** Format of the setting `REVENUE_TOKEN`. */
export const REVENUE_TOKEN = /^[A-Za-z\d-]{1,64}$/
/** Token of local runs and previews (OPEN-165). */
export const LOCAL_REVENUE_TOKEN = 'local'
/** Person: lower-case hex SHA-256 of the email, trimmed and in lower case. */
export const PERSON = /^[\da-f]{64}$/

/** Content signed by the edge: lower-case hex HMAC-SHA-256 by `MEDIA_KEY` over this proves the origin of a visit. */
export const revenueContent = (body: string): string => `revenue visit\n${body}`
