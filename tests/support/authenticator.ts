import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

/** Flags of the authenticator data: user present, user verified, attested credential data included (WebAuthn, 6.1). */
const USER_PRESENT_FLAG = 0x01
const USER_VERIFIED_FLAG = 0x04
const ATTESTED_CREDENTIAL_FLAG = 0x40

type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>

/**
 * Encodes the head of a CBOR data item: its major type and its argument `n`, which must be below 65,536 (RFC 8949 §3).
 */
function encodeCborHead(major: number, n: number): Buffer {
  const first = major << 5
  if (n < 24) return Buffer.from([first | n])
  return n < 256 ? Buffer.from([first | 24, n]) : Buffer.from([first | 25, n >> 8, n & 255])
}

function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? encodeCborHead(1, -1 - value) : encodeCborHead(0, value)
  if (typeof value === 'string') return Buffer.concat([encodeCborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([encodeCborHead(2, value.length), value])
  return Buffer.concat([
    encodeCborHead(5, value.size),
    ...[...value].flatMap(([key, item]) => [encodeCbor(key), encodeCbor(item)]),
  ])
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** Credential creation options, reduced to the fields that the authenticator reads. */
export interface PasskeyCreationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
}
export interface PasskeyRequestOptions {
  readonly challenge: string
  readonly rpId: string
}

/**
 * Values that replace parts of a valid response, for tests of the validation. `verified`: false clears the
 * user-verified flag. `counter`: signature counter, also the base for later assertions.
 */
export interface ResponseDeviation {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly verified?: boolean
  readonly userHandle?: string
  readonly counter?: number
}

/**
 * Software authenticator with one resident key (ES256) and a signature counter. It also builds the client data that a
 * browser adds.
 */
export class Authenticator {
  readonly id = randomBytes(32).toString('base64url')
  counter = 0
  readonly #origin: string
  readonly #key: KeyObject
  readonly #publicKey: Buffer
  #userHandle = ''

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
    this.#publicKey = encodeCbor(new Map(cose))
  }

  /** Returns the result of `navigator.credentials.create` as JSON. */
  createCredential({ challenge, rp, user }: PasskeyCreationOptions, deviation: ResponseDeviation = {}): string {
    this.#userHandle = user.id
    const id = Buffer.from(this.id, 'base64url')
    const key = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.#publicKey])
    const authData = Buffer.concat([this.#buildAuthDataHead(rp.id, ATTESTED_CREDENTIAL_FLAG, deviation), key])
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    return this.#toCredentialJson({
      clientDataJSON: this.#buildClientData('webauthn.create', challenge, deviation).toString('base64url'),
      attestationObject: encodeCbor(attestation).toString('base64url'),
      transports: ['internal'],
    })
  }

  /**
   * Returns the result of `navigator.credentials.get` as JSON. The signature counter first increases by 1, or changes
   * to `deviation.counter` if that is set.
   */
  createAssertion({ challenge, rpId }: PasskeyRequestOptions, deviation: ResponseDeviation = {}): string {
    this.counter = deviation.counter ?? this.counter + 1
    const authData = this.#buildAuthDataHead(rpId, 0, deviation)
    const clientData = this.#buildClientData('webauthn.get', challenge, deviation)
    return this.#toCredentialJson({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#key).toString('base64url'),
      userHandle: deviation.userHandle ?? this.#userHandle,
    })
  }

  #buildAuthDataHead(rpId: string, flags: number, { rpId: other, verified = true }: ResponseDeviation): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    return Buffer.concat([
      sha256(other ?? rpId),
      Buffer.from([USER_PRESENT_FLAG | (verified ? USER_VERIFIED_FLAG : 0) | flags]),
      counter,
    ])
  }

  #buildClientData(
    type: string,
    issuedChallenge: string,
    { challenge = issuedChallenge, origin = this.#origin }: ResponseDeviation,
  ): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #toCredentialJson(response: object): string {
    return JSON.stringify({ id: this.id, rawId: this.id, type: 'public-key', response, clientExtensionResults: {} })
  }
}
