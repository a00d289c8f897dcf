import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** PEM texts of a self-signed certificate for `localhost` and `127.0.0.1`. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

const encodeTlv = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const encodeSequence = (...parts: Buffer[]) => encodeTlv(0x30, ...parts)
const encodeOid = (hex: string) => encodeTlv(0x06, Buffer.from(hex, 'hex'))
const encodeOctetString = (body: Buffer) => encodeTlv(0x04, body)
const encodeUtcTime = (at: Date) =>
  encodeTlv(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))

const ECDSA_SHA256 = encodeSequence(encodeOid('2a8648ce3d040302'))
const COMMON_NAME = encodeOid('550403')
const ALT_NAMES = encodeOid('551d11')
const BASIC_CONSTRAINTS = encodeOid('551d13')

/**
 * Creates a self-signed X.509 v3 certificate that is valid for one day. Encodes the DER by hand, because Node's crypto
 * module cannot create certificates.
 */
export function createCertificate(now = Date.now()): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = encodeSequence(
    encodeTlv(0x31, encodeSequence(COMMON_NAME, encodeTlv(0x0c, Buffer.from('Porchlight test')))),
  )
  const names = encodeSequence(encodeTlv(0x82, Buffer.from('localhost')), encodeTlv(0x87, Buffer.from([127, 0, 0, 1])))
  const isAuthority = encodeSequence(encodeTlv(0x01, Buffer.from([255])))
  const extensions = encodeSequence(
    encodeSequence(ALT_NAMES, encodeOctetString(names)),
    encodeSequence(BASIC_CONSTRAINTS, encodeTlv(0x01, Buffer.from([255])), encodeOctetString(isAuthority)),
  )
  const content = encodeSequence(
    encodeTlv(0xa0, encodeTlv(0x02, Buffer.from([2]))),
    encodeTlv(0x02, Buffer.from([1]), randomBytes(8)),
    ECDSA_SHA256,
    name,
    encodeSequence(encodeUtcTime(new Date(now - 3_600_000)), encodeUtcTime(new Date(now + 86_400_000))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    encodeTlv(0xa3, extensions),
  )
  const signature = encodeTlv(0x03, Buffer.from([0]), sign('sha256', content, privateKey))
  const base64 = encodeSequence(content, ECDSA_SHA256, signature).toString('base64').replace(/.{64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  }
}
