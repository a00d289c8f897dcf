/**
 * Sealed channel between page and bridge: ECDH of the page's ephemeral P-256 key with the bridge's key, HKDF-SHA-256
 * salted by the bridge's single-use nonce, AES-256-GCM with one key per direction. The keys depend on the nonce and on
 * `context`, so a message for another bridge, home or nonce cannot be decrypted. Bytes are sent as base64url.
 */

export type Bytes = Uint8Array<ArrayBuffer>

const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const
const KEY_PURPOSE = 'porchlight sealed box 1'
const RAW_KEY_BYTES = 65

/**
 * One side of a sealed channel. Messages are numbered in each direction, so that `open` rejects repeated and reordered
 * messages, and every message after a lost one.
 */
export interface SealedChannel {
  /** Serializes a message as JSON and encrypts it as the next message of this side. Returns base64url. */
  seal(message: unknown): Promise<string>
  /** Decrypts the next message of the other side. Throws if the message is out of order or was changed. */
  open(sealedMessage: string): Promise<unknown>
}

export interface ChannelParties {
  readonly bridgeKey: string
  readonly nonce: string
  /** Value that must be equal on both sides, such as bridge id plus home id. */
  readonly context: string
}

/**
 * Opens the page's side of the channel. The bridge needs the returned `pageKey` and the nonce to open its side. Throws
 * if `bridgeKey` is not a key.
 */
export async function openChannelToBridge(
  parties: ChannelParties,
): Promise<{ pageKey: string; channel: SealedChannel }> {
  const pair = await crypto.subtle.generateKey(CURVE, false, ['deriveBits'])
  const pageKey = encodeBytes(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)))
  const keys = await deriveKeys(pair.privateKey, await importPublicKey(parties.bridgeKey), parties, pageKey)
  return { pageKey, channel: createChannel(keys.toBridge, keys.toPage) }
}

/** Opens the bridge's side of the channel. Throws if `pageKey` is not a key. */
export async function openChannelToPage(
  secret: CryptoKey,
  parties: ChannelParties,
  pageKey: string,
): Promise<SealedChannel> {
  const keys = await deriveKeys(secret, await importPublicKey(pageKey), parties, pageKey)
  return createChannel(keys.toPage, keys.toBridge)
}

/**
 * Returns the fingerprint that people compare: the first 8 bytes of the SHA-256 of a raw public key, as four groups of
 * four hex digits.
 */
export async function computeFingerprint(bridgeKey: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', decodeBytes(bridgeKey)))
  const hex = [...digest.slice(0, 8)].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('')
  return hex.replace(/(.{4})(?=.)/g, '$1 ')
}

export function encodeBytes(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Decodes base64url; throws if the text is not base64url. */
export function decodeBytes(text: string): Bytes {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
}

/** Imports a raw public key; throws if `raw` is not a key. */
export async function importPublicKey(raw: string): Promise<CryptoKey> {
  const bytes = decodeBytes(raw)
  if (bytes.length !== RAW_KEY_BYTES) throw new Error('This isn’t a public key.')
  return crypto.subtle.importKey('raw', bytes, CURVE, false, [])
}

async function deriveKeys(
  ownPrivateKey: CryptoKey,
  otherPublicKey: CryptoKey,
  { bridgeKey, nonce, context }: ChannelParties,
  pageKey: string,
) {
  const shared = await crypto.subtle.deriveBits({ name: 'ECDH', public: otherPublicKey }, ownPrivateKey, 256)
  const secret = await crypto.subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey'])
  const deriveKey = (direction: string) =>
    crypto.subtle.deriveKey(
      {
        name: 'HKDF',
        hash: 'SHA-256',
        salt: decodeBytes(nonce),
        info: new TextEncoder().encode([KEY_PURPOSE, direction, bridgeKey, pageKey, context].join('\n')),
      },
      secret,
      { name: 'AES-GCM', length: 256 },
      false,
      ['encrypt', 'decrypt'],
    )
  return { toBridge: await deriveKey('to the bridge'), toPage: await deriveKey('to the page') }
}

function createChannel(sendKey: CryptoKey, receiveKey: CryptoKey): SealedChannel {
  let sentCount = 0
  let receivedCount = 0
  return {
    async seal(message) {
      const iv = createIv(sentCount++)
      const text = new TextEncoder().encode(JSON.stringify(message))
      return encodeBytes(new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, sendKey, text)))
    },
    async open(sealedMessage) {
      const iv = createIv(receivedCount)
      const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, receiveKey, decodeBytes(sealedMessage))
      receivedCount++
      return JSON.parse(new TextDecoder().decode(text))
    },
  }
}

/** Returns the AES-GCM IV for a message number. Each key uses each number only once. */
function createIv(count: number): Bytes {
  const iv = new Uint8Array(12)
  new DataView(iv.buffer).setUint32(8, count)
  return iv
}
