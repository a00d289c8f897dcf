import { createHash, randomBytes } from 'node:crypto'
import { unescape } from 'node:querystring'
import { getHeaderValues, type RtspMessage } from './rtsp-messages.ts'

/**
 * Supported Digest algorithms (RFC 7616 §3.2), in order of preference: cameras that offer several have supported MD5
 * the longest.
 */
const HASHES: Readonly<Record<string, string>> = { MD5: 'md5', 'SHA-256': 'sha256', 'SHA-512-256': 'sha512-256' }
const PREFERRED = Object.keys(HASHES)

interface Challenge {
  readonly scheme: string
  readonly fields: ReadonlyMap<string, string>
}

/** Answers the authentication challenges of one camera. */
export class RtspLogin {
  private readonly user: string
  private readonly password: string
  private challenge: Challenge | undefined
  /** Number of requests with the current nonce. */
  private count = 0

  constructor({ username, password }: Pick<URL, 'username' | 'password'>) {
    this.user = unescape(username)
    this.password = unescape(password)
  }

  get isGiven(): boolean {
    return this.user !== ''
  }

  get isReady(): boolean {
    return this.isGiven && this.challenge !== undefined
  }

  /**
   * Stores the best supported challenge of a 401. If none is supported, returns the names of the schemes that the
   * camera offers.
   */
  learn(answer: RtspMessage): string | undefined {
    const all = getHeaderValues(answer, 'WWW-Authenticate').flatMap(parseChallenges)
    const [best] = all.filter(isKnown).toSorted((challenge, other) => challengeRank(challenge) - challengeRank(other))
    this.challenge = best
    this.count = 0
    return best || all.length === 0 ? undefined : all.map(schemeName).join(', ')
  }

  /**
   * Returns the Authorization header; undefined if the camera has sent no challenge or the address contains no login.
   */
  authorize(method: string, uri: string): string | undefined {
    if (!this.challenge || !this.isGiven) return undefined
    const { scheme, fields } = this.challenge
    if (scheme === 'basic') return `Basic ${Buffer.from(`${this.user}:${this.password}`).toString('base64')}`
    return this.digest(fields, method, uri)
  }

  private digest(fields: Challenge['fields'], method: string, uri: string): string {
    const of = (name: string) => fields.get(name) ?? ''
    const hash = (text: string) =>
      createHash(HASHES[digestAlgorithm(fields)] ?? 'md5')
        .update(text)
        .digest('hex')
    const nonceCount = (++this.count).toString(16).padStart(8, '0')
    const clientNonce = randomBytes(8).toString('hex')
    const secret = hash(`${this.user}:${of('realm')}:${this.password}`)
    const isSession = /-sess$/i.test(of('algorithm'))
    const first = isSession ? hash(`${secret}:${of('nonce')}:${clientNonce}`) : secret
    const hasQuality = of('qop') !== ''
    const middle = hasQuality ? `:${nonceCount}:${clientNonce}:auth` : ''
    const response = hash(`${first}:${of('nonce')}${middle}:${hash(`${method}:${uri}`)}`)
    const quoted = { username: this.user, realm: of('realm'), nonce: of('nonce'), uri, response }
    const parts = Object.entries(quoted).map(([name, value]) => `${name}="${value.replaceAll(/["\\]/g, '\\$&')}"`)
    if (fields.has('opaque')) parts.push(`opaque="${of('opaque')}"`)
    if (fields.has('algorithm')) parts.push(`algorithm=${of('algorithm')}`)
    if (hasQuality) parts.push('qop=auth', `nc=${nonceCount}`)
    if (hasQuality || isSession) parts.push(`cnonce="${clientNonce}"`)
    return `Digest ${parts.join(', ')}`
  }
}

const digestAlgorithm = (fields: Challenge['fields']) =>
  (fields.get('algorithm') ?? 'MD5').toUpperCase().replace(/-SESS$/, '')

function isKnown({ scheme, fields }: Challenge): boolean {
  const qualities = (fields.get('qop') ?? 'auth').split(',').map((quality) => quality.trim().toLowerCase())
  return scheme === 'basic' || (scheme === 'digest' && digestAlgorithm(fields) in HASHES && qualities.includes('auth'))
}

/** Returns the rank of a challenge, best first. Basic is last, because it sends the password itself. */
const challengeRank = ({ scheme, fields }: Challenge) =>
  scheme === 'basic' ? PREFERRED.length : PREFERRED.indexOf(digestAlgorithm(fields))

/** Returns the scheme name, cleaned up for use in a sentence. */
const schemeName = ({ scheme, fields }: Challenge) =>
  (scheme === 'digest' ? (fields.get('algorithm') ?? 'Digest') : scheme).replaceAll(/[^\w-]/g, '').slice(0, 20)

/** Parses the challenges in one WWW-Authenticate header; some servers combine several in one (RFC 7235 §4.1). */
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
