import { maskText } from '../telemetry/mask-secrets.ts'

/** Error and its causes, outermost first. openid-client stores the details in the causes. */
type ErrorChain = readonly Readonly<Record<string, unknown>>[]

/**
 * Explains, for logs and terminals, why an openid-client call to an issuer failed. Quotes only error codes and issuer
 * names from responses, so that no token reaches a log.
 */
export function explainIssuerFailure(error: unknown): string {
  const chain = listErrorChain(error)
  return (SENTENCE_BY_ERROR_CODE[findText(chain, 'code')] ?? describeOtherFailure)(chain)
}

const BROKEN_JSON_TEXT = 'The issuer responded with invalid JSON.'

const SENTENCE_BY_ERROR_CODE: Readonly<Record<string, (chain: ErrorChain) => string>> = {
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: (chain) => {
    if (findText(chain, 'attribute') !== 'issuer') return 'The issuer returned user info for a different account.'
    const named = findText([findValue(chain, 'body') as ErrorChain[number]], 'issuer')
    const expected = findText(chain, 'expected')
    return `The discovery document of ${expected} names ${named} as its issuer. Set OIDC_ISSUER=${named}.`
  },
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: (chain) => {
    const claim = findText(chain, 'claim')
    if (claim !== 'iss') return `The issuer sent a token with an unexpected "${claim}".`
    const named = findText([findValue(chain, 'claims') as ErrorChain[number]], 'iss')
    return `The issuer sent a token from ${named} instead of ${findText(chain, 'expected')}.`
  },
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: (chain) => {
    const claim = findText(chain, 'claim')
    const claims = (findValue(chain, 'claims') ?? {}) as Record<string, number>
    const seconds = Math.round((claims[claim] ?? 0) - Number(findValue(chain, 'now')))
    const side = seconds > 0 ? 'in the future' : 'in the past'
    return `The issuer’s clock and this machine’s clock differ: the "${claim}" of the issuer’s token is ${Math.abs(seconds)} s ${side}.`
  },
  OAUTH_RESPONSE_BODY_ERROR: describeErrorResponse,
  OAUTH_AUTHORIZATION_RESPONSE_ERROR: describeErrorResponse,
  OAUTH_WWW_AUTHENTICATE_CHALLENGE: describeStatus,
  OAUTH_RESPONSE_IS_NOT_CONFORM: describeStatus,
  OAUTH_RESPONSE_IS_NOT_JSON: () => 'The issuer’s response isn’t JSON.',
  OAUTH_PARSE_ERROR: () => BROKEN_JSON_TEXT,
  OAUTH_INVALID_RESPONSE: (chain) => `The issuer sent an unexpected response: ${getInnermostMessage(chain)}.`,
  OAUTH_HTTP_REQUEST_FORBIDDEN: () => 'The issuer must use https. Only an issuer on this computer may use http.',
  OAUTH_TIMEOUT: () => 'The issuer didn’t respond in time.',
}

/**
 * Describes an error without a known OAuth code by its error code, such as ENOTFOUND, and the message of its innermost
 * cause. Omits the message of a SyntaxError, because that message would quote the response.
 */
function describeOtherFailure(chain: ErrorChain): string {
  const names = chain.map(({ name }) => name)
  if (names.includes('SyntaxError')) return BROKEN_JSON_TEXT
  if (names.includes('BodyTooLarge')) return 'The issuer’s response is too long.'
  const code = findText(chain, 'code')
  return `${getInnermostMessage(chain)}${code === '' ? '' : ` (${code})`}.`
}

/**
 * Describes an error response by its RFC 6749 error code, its HTTP status, and the number at the start of a Microsoft
 * Entra error description. Omits the rest of the description, because it is free text.
 */
function describeErrorResponse(chain: ErrorChain): string {
  const entraErrorCode = /^[A-Z]{4,8}\d{3,9}\b/.exec(findText(chain, 'error_description'))?.[0]
  const status = findValue(chain, 'status')
  const parts = [entraErrorCode ?? [], typeof status === 'number' ? `status ${status}` : []].flat()
  return `The issuer rejected the request with ${readErrorCode(chain)}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}.`
}

function describeStatus(chain: ErrorChain): string {
  return `The issuer responded with status ${String(findValue(chain, 'status'))}.`
}

function readErrorCode(chain: ErrorChain): string {
  const code = findText(chain, 'error')
  return /^[\w.-]{1,60}$/.test(code) ? code : 'an unreadable code'
}

function listErrorChain(error: unknown): ErrorChain {
  const chain: ErrorChain[number][] = []
  for (
    let at = error;
    typeof at === 'object' && at !== null && chain.length < 6;
    at = (at as { cause?: unknown }).cause
  )
    chain.push(at as ErrorChain[number])
  return chain
}

const findValue = (chain: ErrorChain, name: string): unknown => chain.find((link) => link[name] !== undefined)?.[name]

function findText(chain: ErrorChain, name: string): string {
  const texts = chain.map((link) => link[name]).filter((value) => typeof value === 'string')
  return texts[0] ?? ''
}

function getInnermostMessage(chain: ErrorChain): string {
  const messages = chain.map(({ message }) => message).filter((message) => typeof message === 'string')
  return maskText(messages.at(-1) ?? 'unknown').replace(/\.$/, '')
}
