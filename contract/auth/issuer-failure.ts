import { maskText } from '../telemetry/mask-secrets.ts'

/** An error and its causes, outermost first: openid-client stores the details in the causes. */
type Chain = readonly Readonly<Record<string, unknown>>[]

/**
 * Explains in one sentence why a call to an issuer failed, for logs and terminals. `error` is what openid-client threw.
 * Quotes only error codes and issuer names from responses, so that no token reaches a log.
 */
export function explainFailure(error: unknown): string {
  const chain = listErrorChain(error)
  return (SENTENCES[findText(chain, 'code')] ?? otherFailure)(chain)
}

const BROKEN = 'The issuer answered with broken JSON.'

const SENTENCES: Readonly<Record<string, (chain: Chain) => string>> = {
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: (chain) => {
    if (findText(chain, 'attribute') !== 'issuer') return 'The issuer answered with the user info of another account.'
    const named = findText([findValue(chain, 'body') as Chain[number]], 'issuer')
    const expected = findText(chain, 'expected')
    return `The discovery document of ${expected} names its issuer ${named}. Set OIDC_ISSUER=${named}.`
  },
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: (chain) => {
    const claim = findText(chain, 'claim')
    if (claim !== 'iss') return `The issuer sent a token with an unexpected "${claim}".`
    const named = findText([findValue(chain, 'claims') as Chain[number]], 'iss')
    return `The issuer sent a token in the name of ${named} and not of ${findText(chain, 'expected')}.`
  },
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: (chain) => {
    const claim = findText(chain, 'claim')
    const claims = (findValue(chain, 'claims') ?? {}) as Record<string, number>
    const seconds = Math.round((claims[claim] ?? 0) - Number(findValue(chain, 'now')))
    const side = seconds > 0 ? 'in the future' : 'in the past'
    return `The clocks of the issuer and of this machine differ: the "${claim}" of its token is ${Math.abs(seconds)} s ${side}.`
  },
  OAUTH_RESPONSE_BODY_ERROR: describeRefusal,
  OAUTH_AUTHORIZATION_RESPONSE_ERROR: describeRefusal,
  OAUTH_WWW_AUTHENTICATE_CHALLENGE: answeredWithStatus,
  OAUTH_RESPONSE_IS_NOT_CONFORM: answeredWithStatus,
  OAUTH_RESPONSE_IS_NOT_JSON: () => 'The issuer answered with something that is not JSON.',
  OAUTH_PARSE_ERROR: () => BROKEN,
  OAUTH_INVALID_RESPONSE: (chain) => `The issuer sent an unexpected answer: ${innermostMessage(chain)}.`,
  OAUTH_HTTP_REQUEST_FORBIDDEN: () => 'The issuer is not https. Only one on this machine may be http.',
  OAUTH_TIMEOUT: () => 'The issuer did not answer in time.',
}

/**
 * A platform code, such as ENOTFOUND or a certificate error, gives the most specific reason. The message of a
 * SyntaxError is not used, because it would quote the response.
 */
function otherFailure(chain: Chain): string {
  const names = chain.map(({ name }) => name)
  if (names.includes('SyntaxError')) return BROKEN
  if (names.includes('BodyTooLarge')) return 'The issuer sent too long an answer.'
  const code = findText(chain, 'code')
  return `${innermostMessage(chain)}${code === '' ? '' : ` (${code})`}.`
}

/**
 * Reports the RFC 6749 error code, and the number that Entra puts at the start of the description. The rest of the
 * description is free text and is left out.
 */
function describeRefusal(chain: Chain): string {
  const number = /^[A-Z]{4,8}\d{3,9}\b/.exec(findText(chain, 'error_description'))?.[0]
  const status = findValue(chain, 'status')
  const parts = [number ?? [], typeof status === 'number' ? `status ${status}` : []].flat()
  return `The issuer refused with ${readErrorCode(chain)}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}.`
}

function answeredWithStatus(chain: Chain): string {
  return `The issuer answered with status ${String(findValue(chain, 'status'))}.`
}

function readErrorCode(chain: Chain): string {
  const code = findText(chain, 'error')
  return /^[\w.-]{1,60}$/.test(code) ? code : 'an unreadable code'
}

function listErrorChain(error: unknown): Chain {
  const chain: Chain[number][] = []
  for (
    let at = error;
    typeof at === 'object' && at !== null && chain.length < 6;
    at = (at as { cause?: unknown }).cause
  )
    chain.push(at as Chain[number])
  return chain
}

const findValue = (chain: Chain, name: string): unknown => chain.find((link) => link[name] !== undefined)?.[name]

function findText(chain: Chain, name: string): string {
  const texts = chain.map((link) => link[name]).filter((value) => typeof value === 'string')
  return texts[0] ?? ''
}

function innermostMessage(chain: Chain): string {
  const messages = chain.map(({ message }) => message).filter((message) => typeof message === 'string')
  return maskText(messages.at(-1) ?? 'unknown').replace(/\.$/, '')
}
