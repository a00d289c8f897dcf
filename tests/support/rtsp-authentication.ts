import { createHash, randomUUID } from 'node:crypto'

/**
 * Credentials of a fake camera. If `digest` is set, the camera sends its Digest challenges (RFC 7616). Otherwise, it
 * uses Basic authentication.
 */
export interface RtspCredentials {
  readonly user: string
  readonly password: string
  readonly digest?: readonly DigestChallenge[]
}

interface DigestChallenge {
  readonly algorithm?: 'MD5' | 'SHA-256' | 'SHA-256-sess' | 'SHA-512'
  readonly qop?: 'auth'
  /** True if a nonce is valid for one request only. The next request with it gets a 401 response with a new nonce. */
  readonly hasSingleUseNonce?: boolean
}

const REALM = 'IP Camera(AB)'

/** Checks the Authorization header of each request to a fake camera. Without credentials, every request passes. */
export class RtspAuthentication {
  readonly #credentials: RtspCredentials | undefined
  #nonce = ''

  constructor(credentials: RtspCredentials | undefined) {
    this.#credentials = credentials
  }

  isAuthorized(request: string): boolean {
    if (!this.#credentials) return true
    const { user, password, digest } = this.#credentials
    if (digest) return this.#isDigestValid(request, digest)
    const encoded = /^Authorization: *Basic +(\S+)/im.exec(request)?.[1] ?? ''
    return Buffer.from(encoded, 'base64').toString() === `${user}:${password}`
  }

  /** Returns the headers of a 401 response. Digest challenges contain a new nonce, which invalidates the old one. */
  createChallenges(): string[] {
    const { digest } = this.#credentials ?? {}
    if (!digest) return ['WWW-Authenticate: Basic realm="camera"']
    this.#nonce = randomUUID()
    return digest.map(({ algorithm, qop }) => {
      const more = [...(algorithm ? [`algorithm=${algorithm}`] : []), ...(qop ? [`qop="${qop}"`] : [])]
      return `WWW-Authenticate: ${[`Digest realm="${REALM}"`, `nonce="${this.#nonce}"`, ...more].join(', ')}`
    })
  }

  #isDigestValid(request: string, challenges: readonly DigestChallenge[]): boolean {
    const line = /^Authorization: *Digest +(.*)$/im.exec(request)?.[1]?.trim() ?? ''
    const getField = (name: string) => new RegExp(`(?:^|, )${name}="?([^",]*)`).exec(line)?.[1] ?? ''
    const challenge = challenges.find(({ algorithm }) => (algorithm ?? '') === getField('algorithm'))
    const { user = '', password = '' } = this.#credentials ?? {}
    const [method = '', uri = ''] = request.split(' ')
    if (!challenge || getField('nonce') !== this.#nonce || getField('uri') !== uri || getField('username') !== user)
      return false
    const name = /^SHA-256/.test(challenge.algorithm ?? '') ? 'sha256' : 'md5'
    const hash = (text: string) => createHash(name).update(text).digest('hex')
    const userHash = hash(`${user}:${REALM}:${password}`)
    const secret = challenge.algorithm?.endsWith('-sess')
      ? hash(`${userHash}:${this.#nonce}:${getField('cnonce')}`)
      : userHash
    const middle = challenge.qop ? `${getField('nc')}:${getField('cnonce')}:auth:` : ''
    const isRight = getField('response') === hash(`${secret}:${this.#nonce}:${middle}${hash(`${method}:${uri}`)}`)
    if (isRight && challenge.hasSingleUseNonce) this.#nonce = randomUUID()
    return isRight
  }
}
