import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

/** Flags of the authenticator data: user present, user verified, attested credential data included (WebAuthn, 6.1). */
const PRESENT = 0x01
const VERIFIED = 0x04
const WITH_KEY = 0x40

type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>

/** CBOR head (RFC 8949): major type and a number below 65,536. */
function head(major: number, n: number): Buffer {
  const first = major << 5
  if (n < 24) return Buffer.from([first | n])
  return n < 256 ? Buffer.from([first | 24, n]) : Buffer.from([first | 25, n >> 8, n & 255])
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])])
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** Creation options of a page, as far as an authenticator reads them. */
export interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
}
export interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
}

/**
 * Deviations from a valid response: another origin, domain or challenge, no user verification, another user, a counter.
 */
export interface Twist {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly verified?: boolean
  readonly userHandle?: string
  readonly counter?: number
}

/** Software authenticator together with its browser. It has one resident key (ES256) and counts the uses of the key. */
export class Authenticator {
  readonly id = randomBytes(32).toString('base64url')
  counter = 0
  readonly #origin: string
  readonly #key: KeyObject
  readonly #publicKey: Buffer
  #userHandle = ''

  /** `origin`: web origin of the pages that use the authenticator. */
  constructor(origin: string) {
    this.#origin = origin
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const point = (text: string) => Buffer.from(text, 'base64url')
    const cose: [number, Cbor][] = [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point(x)],
      [-3, point(y)],
    ]
    this.#key = privateKey
    this.#publicKey = cbor(new Map(cose))
  }

  /** Returns the result of `navigator.credentials.create` as JSON. */
  create({ challenge, rp, user }: CreationOptions, twist: Twist = {}): string {
    this.#userHandle = user.id
    const id = Buffer.from(this.id, 'base64url')
    const key = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.#publicKey])
    const authData = Buffer.concat([this.#head(rp.id, WITH_KEY, twist), key])
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', challenge, twist).toString('base64url'),
      attestationObject: cbor(attestation).toString('base64url'),
      transports: ['internal'],
    })
  }

  /** Returns the result of `navigator.credentials.get` as JSON; increments the counter. */
  get({ challenge, rpId }: RequestOptions, twist: Twist = {}): string {
    this.counter = twist.counter ?? this.counter + 1
    const authData = this.#head(rpId, 0, twist)
    const clientData = this.#clientData('webauthn.get', challenge, twist)
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#key).toString('base64url'),
      userHandle: twist.userHandle ?? this.#userHandle,
    })
  }

  #head(rpId: string, flags: number, { rpId: other, verified = true }: Twist): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    return Buffer.concat([sha256(other ?? rpId), Buffer.from([PRESENT | (verified ? VERIFIED : 0) | flags]), counter])
  }

  #clientData(
    type: string,
    issuedChallenge: string,
    { challenge = issuedChallenge, origin = this.#origin }: Twist,
  ): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #answer(response: object): string {
    return JSON.stringify({ id: this.id, rawId: this.id, type: 'public-key', response, clientExtensionResults: {} })
  }
}
