import { createHash, randomBytes } from 'node:crypto'
import { unescape } from 'node:querystring'
import { getHeaderValues, type RtspMessage } from './rtsp-messages.ts'

/** Supported Digest algorithms (RFC 7616 §3.2). MD5 comes first, because it is the best-tested algorithm in cameras. */
const HASH_BY_ALGORITHM: Readonly<Record<string, string>> = {
  MD5: 'md5',
  'SHA-256': 'sha256',
  'SHA-512-256': 'sha512-256',
}
const PREFERRED_ALGORITHMS = Object.keys(HASH_BY_ALGORITHM)

interface Challenge {
  readonly scheme: string
  readonly fields: ReadonlyMap<string, string>
}

/** Answers the authentication challenges of one camera. */
export class RtspLogin {
  readonly #user: string
  readonly #password: string
  #challenge: Challenge | undefined
  /** Number of requests with the current nonce. */
  #requestCount = 0

  constructor({ username, password }: Pick<URL, 'username' | 'password'>) {
    this.#user = unescape(username)
    this.#password = unescape(password)
  }

  get hasCredentials(): boolean {
    return this.#user !== ''
  }

  get isReady(): boolean {
    return this.hasCredentials && this.#challenge !== undefined
  }

  /**
   * Stores the best supported challenge of a 401. If the 401 contains only unsupported challenges, returns their names
   * for a message to the owner; otherwise returns undefined.
   */
  storeChallenge(response: RtspMessage): string | undefined {
    const all = getHeaderValues(response, 'WWW-Authenticate').flatMap(parseChallenges)
    const [best] = all
      .filter(isSupported)
      .toSorted((challenge, other) => getChallengeRank(challenge) - getChallengeRank(other))
    this.#challenge = best
    this.#requestCount = 0
    return best || all.length === 0 ? undefined : all.map(formatSchemeName).join(', ')
  }

  /**
   * Returns the Authorization header; undefined if the last 401 contained no supported challenge, if there was no 401
   * yet, or if the address contains no login.
   */
  createAuthorization(method: string, uri: string): string | undefined {
    if (!this.#challenge || !this.hasCredentials) return undefined
    const { scheme, fields } = this.#challenge
    if (scheme === 'basic') return `Basic ${Buffer.from(`${this.#user}:${this.#password}`).toString('base64')}`
    return this.#createDigest(fields, method, uri)
  }

  #createDigest(fields: Challenge['fields'], method: string, uri: string): string {
    const getField = (name: string) => fields.get(name) ?? ''
    const hash = (text: string) =>
      createHash(HASH_BY_ALGORITHM[getDigestAlgorithm(fields)] ?? 'md5')
        .update(text)
        .digest('hex')
    const nonceCount = (++this.#requestCount).toString(16).padStart(8, '0')
    const clientNonce = randomBytes(8).toString('hex')
    const secret = hash(`${this.#user}:${getField('realm')}:${this.#password}`)
    const isSession = /-sess$/i.test(getField('algorithm'))
    const first = isSession ? hash(`${secret}:${getField('nonce')}:${clientNonce}`) : secret
    const hasQuality = getField('qop') !== ''
    const middle = hasQuality ? `:${nonceCount}:${clientNonce}:auth` : ''
    const response = hash(`${first}:${getField('nonce')}${middle}:${hash(`${method}:${uri}`)}`)
    const quoted = { username: this.#user, realm: getField('realm'), nonce: getField('nonce'), uri, response }
    const parts = Object.entries(quoted).map(([name, value]) => `${name}="${value.replaceAll(/["\\]/g, '\\$&')}"`)
    if (fields.has('opaque')) parts.push(`opaque="${getField('opaque')}"`)
    if (fields.has('algorithm')) parts.push(`algorithm=${getField('algorithm')}`)
    if (hasQuality) parts.push('qop=auth', `nc=${nonceCount}`)
    if (hasQuality || isSession) parts.push(`cnonce="${clientNonce}"`)
    return `Digest ${parts.join(', ')}`
  }
}

const getDigestAlgorithm = (fields: Challenge['fields']) =>
  (fields.get('algorithm') ?? 'MD5').toUpperCase().replace(/-SESS$/, '')

function isSupported({ scheme, fields }: Challenge): boolean {
  const qualities = (fields.get('qop') ?? 'auth').split(',').map((quality) => quality.trim().toLowerCase())
  return (
    scheme === 'basic' ||
    (scheme === 'digest' && getDigestAlgorithm(fields) in HASH_BY_ALGORITHM && qualities.includes('auth'))
  )
}

/** Returns the rank of a challenge; lower is better. Basic comes last, because it sends the password itself. */
const getChallengeRank = ({ scheme, fields }: Challenge) =>
  scheme === 'basic' ? PREFERRED_ALGORITHMS.length : PREFERRED_ALGORITHMS.indexOf(getDigestAlgorithm(fields))

/** Returns the name of the scheme or, for Digest, of its algorithm, shortened and cleaned up for use in a sentence. */
const formatSchemeName = ({ scheme, fields }: Challenge) =>
  (scheme === 'digest' ? (fields.get('algorithm') ?? 'Digest') : scheme).replaceAll(/[^\w-]/g, '').slice(0, 20)

/** Parses the challenges in one WWW-Authenticate header. One header may contain several challenges (RFC 7235 §4.1). */
function parseChallenges(header: string): Challenge[] {
  const starts = [...header.matchAll(/(?:^|, {0,8})([a-z][\w-]{0,40}) {1,8}(?=[\w-]{1,40} {0,8}=)/gi)]
  const alone = /^[a-z][\w-]*$/i.exec(header)
  if (alone) return [{ scheme: alone[0].toLowerCase(), fields: new Map() }]
  return starts.map((start, i) => {
    const text = header.slice(start.index + start[0].length, starts[i + 1]?.index)
    const fields = [...text.matchAll(/([\w-]{1,40}) {0,8}= {0,8}(?:"((?:[^"\\]|\\.){0,1000})"|([^\s,"]+))/g)].map(
      ([, name = '', quoted, plain = '']) => [name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? plain] as const,
    )
    return { scheme: start[1]?.toLowerCase() ?? '', fields: new Map(fields) }
  })
}
