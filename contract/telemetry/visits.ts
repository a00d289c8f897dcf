/**
 * Path to which a page reports the visit of a signed-in person, once per document (ANALYTICS-01). The edge forwards the
 * id of the person to the same path at the provider.
 */
export const REVENUE_PATH = '/t/revenue'

export const REVENUE_TOKEN_FORMAT = /^[A-Za-z\d-]{1,64}$/
/** Token of local runs and previews (OPEN-165). */
export const LOCAL_REVENUE_TOKEN = 'local'
/** Format of the id of a person: lower-case hex SHA-256 of the email, trimmed and in lower case. */
export const PERSON_ID_FORMAT = /^[\da-f]{64}$/

/**
 * Returns the text that the edge signs for a visit. The signature is lower-case hex HMAC-SHA-256 with `MEDIA_KEY`, and
 * proves that the edge sent the visit.
 */
export const formatSignedVisit = (body: string): string => `revenue visit\n${body}`
